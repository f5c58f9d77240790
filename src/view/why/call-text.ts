// One call of an attempt in words: its target, purpose, duration, use and end.
import { counted } from '../../base/counted.ts';
import { durationText } from '../../base/quantity.ts';
import { amountText } from '../amount-text.ts';
import type { CallHistory } from '../history.ts';

/** `model default (turn) 1.2s, 1 llm_calls, 567 tokens_in: MODEL_UNAVAILABLE: …`. `all`: the calls of the attempt. */
export function callText(call: CallHistory, all: readonly CallHistory[] = []): string {
  const { kind, name, purpose, child, startedAt, endedAt, failure, bill } = call;
  const who =
    kind === 'look_up'
      ? 'looked up more of a result'
      : `${kind} ${name}${child === undefined ? '' : ` as run ${child}`}`;
  const what = purpose === undefined ? '' : ` (${purpose})`;
  const took = endedAt === undefined ? ', under way' : ` ${durationText(endedAt - startedAt)}`;
  const others = all.filter((each) => each !== call && overlap(each, call)).length;
  const beside = others === 0 ? '' : ` beside ${counted(others, 'other')}`;
  const cost = bill === undefined || Object.keys(bill).length === 0 ? '' : `, ${amountText(bill)}`;
  const why = failure === undefined ? '' : `: ${failure.code}: ${failure.message}`;
  return `${who}${what}${took}${beside}${cost}${why}`;
}

/** Whether two calls were under way at the same time. */
function overlap(one: CallHistory, other: CallHistory): boolean {
  const { endedAt = Number.POSITIVE_INFINITY } = one;
  const { endedAt: otherEnd = Number.POSITIVE_INFINITY } = other;
  return one.startedAt < otherEnd && other.startedAt < endedAt;
}
