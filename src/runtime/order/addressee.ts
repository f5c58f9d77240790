// Whom an order is meant for: what is asked of a run by one that its step has started is answered there.
import { issue } from '../../base/issue.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { Journal } from '../../store/journal.ts';
import type { RunOrder } from '../api/inbox.ts';
import { findRun, readState } from '../journal/read-run.ts';

interface Meant {
  readonly run: string;
  readonly order: RunOrder;
}

/** `g1/g2` is `g2` of the run that `g1` waits for; `g1` alone is meant when nothing else is asked there. Issues: RUN_UNKNOWN, RUN_AMBIGUOUS, GATE_VERDICT_INVALID. */
export function orderMeant(journal: Journal, named: string, order: RunOrder): Result<Meant> {
  const found = findRun(journal, named);
  if (!found.ok) return found;
  const run = found.value;
  if (order.type !== 'review') return good({ run, order });
  const [first = '', ...rest] = order.gate.split('/');
  const read = readState(journal, run);
  if (!read.ok) return read;
  const gate = read.value.gates.get(first);
  if (gate?.child === undefined || gate.end !== undefined) return good({ run, order });
  const { run: child, asks } = gate.child;
  const [only, another] = asks;
  if (rest.length > 0) return orderMeant(journal, child, { ...order, gate: rest.join('/') });
  if (only !== undefined && another === undefined) return orderMeant(journal, child, { ...order, gate: only.gate });
  const hint =
    asks.length === 0
      ? `resume it: reconverge resume ${child}`
      : asks.map((asked) => `${first}/${asked.gate}`).join(', ');
  return bad([
    issue(
      'GATE_VERDICT_INVALID',
      `gate ${first} is about run ${child}, which ${asks.length === 0 ? 'is paused' : 'asks more than one thing'}`,
      { hint },
    ),
  ]);
}
