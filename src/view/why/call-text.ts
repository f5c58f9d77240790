// One call of an attempt in words: its target, purpose, duration, use and end.
import { durationText } from '../../base/quantity.ts';
import { amountText } from '../amount-text.ts';
import type { CallHistory } from '../history.ts';

/** `model default (turn) 1.2s, 1 llm_calls, 567 tokens_in: MODEL_UNAVAILABLE: …` */
export function callText({ kind, name, purpose, child, startedAt, endedAt, failure, bill }: CallHistory): string {
  const who =
    kind === 'look_up'
      ? 'looked up more of a result'
      : `${kind} ${name}${child === undefined ? '' : ` as run ${child}`}`;
  const what = purpose === undefined ? '' : ` (${purpose})`;
  const took = endedAt === undefined ? ', under way' : ` ${durationText(endedAt - startedAt)}`;
  const cost = bill === undefined || Object.keys(bill).length === 0 ? '' : `, ${amountText(bill)}`;
  const why = failure === undefined ? '' : `: ${failure.code}: ${failure.message}`;
  return `${who}${what}${took}${cost}${why}`;
}
