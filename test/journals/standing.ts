// The outcome of a run, as the journal fixtures store it. Later versions may add keys, and never remove one.
import type { Json } from '../../src/base/json.ts';
import type { RunView } from '../../src/engine/state/run-view.ts';
import { RUN_ACCOUNT } from '../../src/engine/state/state.ts';

export function standingOf(state: RunView): Json {
  const { id, ended, forked, partial, template, ledger, lineages } = state;
  const steps = [...state.steps.values()].map(({ id: step, status, attempt, result, provenance, ...rest }) => ({
    ...{ step, status, attempt, result: result ?? null, planner: provenance?.planner ?? null },
    ...{ skipped: rest.skipped ?? null, code: rest.failure?.code ?? null, takenUp: rest.takenUp ?? null },
  }));
  const spent = ledger.accounts.get(RUN_ACCOUNT)?.spent ?? {};
  const gates = [...state.gates.values()].map((gate) => gate.id);
  const asked = [...state.gates.values()].map(({ kind, step, end }) => ({ kind, step, end: end ?? 'open' }));
  const phases = [...state.phases.values()].map(({ planner, target, steps: brought }) => ({
    planner,
    target,
    brought,
  }));
  const repairs = [...lineages].map(([planner, lineage]) => ({ planner, repairs: lineage.repairs }));
  return JSON.parse(
    JSON.stringify({
      ...{ id, template: template.name, ended: ended ?? null, forked: forked ?? null, partial, spent },
      ...{ gates, asked, phases, repairs, steps },
    }),
  );
}
