// Finds a gate by name, open or closed, in a run or in its child runs.
import { bad, good, type Result } from '../../base/result.ts';
import { unknownGate } from '../../engine/order/answer-gate.ts';
import type { GateView } from '../../engine/state/run-view.ts';
import type { Engine } from '../../runtime/api/engine.ts';
import type { RunRecord } from '../../runtime/api/run-record.ts';

interface GateInRun {
  /** The run that has the gate. */
  readonly record: RunRecord;
  readonly gate: GateView;
}

/** `g1/g2` names the gate `g2` of the child run that `g1` waits for; `g1` alone names the child's only gate, if it has one. */
export function findGate(engine: Engine, record: RunRecord, named: string): Result<GateInRun> {
  const [first = '', ...rest] = named.split('/');
  const gate = record.state.gates.get(first);
  if (gate === undefined) return bad([unknownGate(record.state, first)]);
  const { run, asks = [] } = gate.child ?? {};
  const next =
    rest.length > 0 ? rest.join('/') : asks.length === 1 && gate.end === undefined ? asks[0]?.gate : undefined;
  if (run === undefined || next === undefined) {
    return rest.length === 0 ? good({ record, gate }) : bad([unknownGate(record.state, named)]);
  }
  const inner = engine.read(run);
  return inner.ok ? findGate(engine, inner.value, next) : inner;
}
