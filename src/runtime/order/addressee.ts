// Finds the run that an order is for: the answer to a child run's question goes to the child run.
import { issue } from '../../base/issue.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { RunOrder } from '../../engine/record/order.schema.ts';
import type { Journal } from '../../store/journal.ts';
import { findRun } from '../journal/read-run.ts';
import type { StateReader } from '../journal/state-reader.ts';

interface Addressee {
  readonly run: string;
  readonly order: RunOrder;
}

/**
 * `g1/g2` is gate `g2` of the child run that gate `g1` waits for; `g1` alone will do when the child run asks one thing.
 * Issues: RUN_UNKNOWN, RUN_AMBIGUOUS, GATE_VERDICT_INVALID.
 */
export function addresseeOf(journal: Journal, states: StateReader, named: string, order: RunOrder): Result<Addressee> {
  const found = findRun(journal, named);
  if (!found.ok) return found;
  const run = found.value;
  if (order.type !== 'review') return good({ run, order });
  const [first = '', ...rest] = order.gate.split('/');
  const read = states(run);
  if (!read.ok) return read;
  const gate = read.value.gates.get(first);
  if (gate?.child === undefined || gate.end !== undefined) return good({ run, order });
  const { run: child, asks } = gate.child;
  const [only, another] = asks;
  if (rest.length > 0) return addresseeOf(journal, states, child, { ...order, gate: rest.join('/') });
  if (only !== undefined && another === undefined)
    return addresseeOf(journal, states, child, { ...order, gate: only.gate });
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
