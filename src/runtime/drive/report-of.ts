// Reports how a run came to rest, from its state.
import { defined, type Json } from '../../base/json.ts';
import { nothing } from '../../budget/amount.ts';
import { secondsOf, shownAmount, shownRow } from '../../budget/display-figures.ts';
import { valueIn } from '../../engine/record/stored-value.ts';
import { elapsedOf, RUN_ACCOUNT, type RunState } from '../../engine/state/state.ts';
import { openGatesOf } from '../../view/open-gates.ts';
import { shortfallsOf } from '../../view/summary.ts';
import type { RestStatus, RunReport } from '../api/run-report.ts';
import type { RestReason } from './driver.ts';

export function reportOf(state: RunState, rest: RestReason, blob: (digest: string) => string | undefined): RunReport {
  const { ended, id, template, stop, partial } = state;
  const kept = ended?.output;
  const text = kept !== undefined && 'digest' in kept ? blob(kept.digest) : undefined;
  const output: Json =
    kept === undefined ? null : text === undefined ? (valueIn(kept, new Map()) ?? null) : JSON.parse(text);
  return {
    run: id,
    template: template.name,
    status: ended?.status ?? statusOf(rest),
    partial,
    ...(rest === 'fenced' ? { takenOver: true } : {}),
    output,
    ...defined({ failure: ended?.failure, orders: ended?.orders }),
    ...shortfallsOf(state),
    ...defined({ stop: stop === undefined ? undefined : shownRow(stop, ['limit', 'spent', 'reserved', 'landing']) }),
    ...(rest === 'waiting' ? { gates: openGatesOf(state) } : {}),
    spent: shownAmount(state.ledger.accounts.get(RUN_ACCOUNT)?.spent ?? nothing),
    elapsed: secondsOf(elapsedOf(state)),
  };
}

function statusOf(rest: RestReason): RestStatus {
  return rest === 'paused' || rest === 'waiting' ? rest : 'interrupted';
}
