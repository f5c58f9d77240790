// What a run has come to, as fixtures of journals keep it: what any later version must still read in them.
import type { Json } from '../../src/base/json.ts';
import { RUN_ACCOUNT, type RunState } from '../../src/engine/state.ts';

export function standingOf(state: RunState): Json {
  const { id, ended, partial, template, ledger } = state;
  const steps = [...state.steps.values()].map(({ id: step, status, attempt, result, provenance }) => ({
    ...{ step, status, attempt, result: result ?? null, planner: provenance?.planner ?? null },
  }));
  const spent = ledger.accounts.get(RUN_ACCOUNT)?.spent ?? {};
  const gates = [...state.gates.values()].map((gate) => gate.id);
  return JSON.parse(
    JSON.stringify({ id, template: template.name, ended: ended ?? null, partial, spent, gates, steps }),
  );
}
