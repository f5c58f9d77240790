// Grafts an accepted plan: records its steps as part of the graph, and completes its planning step.
import { digestOf } from '../../base/digest.ts';
import { present } from '../../base/fault.ts';
import { defined, type Json } from '../../base/json.ts';
import type { Amount } from '../../budget/amount.ts';
import type { AcceptedPlan } from '../../planning/judge-reply.ts';
import type { Graft } from '../../planning/prepare-graft.ts';
import { resolveStep } from '../attempt/resolve-step.ts';
import type { EventOf } from '../record/event.schema.ts';
import { valueIn } from '../record/stored-value.ts';
import { type Batch, emit, paid, store } from '../state/batch.ts';
import { type Step, stepOf } from '../state/state.ts';

/** One batch holds the graft, its cost and the planning step's completion, so no target can begin between them. */
export function graftPlan(batch: Batch, step: Step, plan: AcceptedPlan, bill: Amount): void {
  const { fragment, verdict, graft, newCapabilities } = plan;
  const found = step.found.filter(({ name }) => !batch.state.registered.has(name));
  for (const capability of [...found, ...newCapabilities]) {
    emit(batch, step.since, { type: 'capability.registered', step: step.id, capability });
  }
  const { issues: warnings, critique } = verdict;
  const { understood } = fragment;
  recordGraft(batch, step, graft, bill, {
    ...(warnings.length === 0 ? {} : { warnings }),
    ...defined({ score: critique === undefined ? undefined : critique.score }),
    ...(understood.length === 0 ? {} : { understood }),
  });
}

/** Grafts an empty plan for a step that can no longer pay for one, so that its target converges. */
export function graftNothing(batch: Batch, step: Step): void {
  const rationale = 'nothing more is planned: the budget is spent';
  const target = present(step.target, `convergence target of ${step.id}`);
  const graft = { planner: step.id, target, digest: digestOf({ steps: [] }), rationale, steps: [], terminals: [] };
  recordGraft(batch, step, graft, {}, { forced: true });
}

function recordGraft(
  batch: Batch,
  step: Step,
  { planner, target, digest, rationale, intents, steps, terminals }: Graft,
  bill: Amount,
  marks: Pick<EventOf<'fragment.grafted'>, 'warnings' | 'score' | 'understood' | 'forced'>,
): void {
  const nested = steps.filter(({ spec }) => spec.type === 'planning').length;
  const ids = steps.map(({ id }) => id);
  emit(batch, step.since, {
    type: 'fragment.grafted',
    planner,
    attempt: step.attempt,
    fragment: digest,
    rationale,
    ...defined({ intents }),
    target,
    steps,
    terminals,
    amount: { steps: steps.length, ...(nested === 0 ? {} : { phases: nested }) },
    ...marks,
  });
  const value: Json = { rationale, digest, steps: ids };
  emit(batch, batch.state.version, {
    type: 'step.completed',
    step: planner,
    value: store(batch, value),
    ...paid(bill),
  });
  resolveWithGivenResults(batch, ids);
}

const GIVEN = 'given when the run was started';

/** Resolves steps of the plan with results that the run was started with. A result that breaks its step's contract is ignored. */
function resolveWithGivenResults(batch: Batch, ids: readonly string[]): void {
  const { given, startedBy: by } = batch.state;
  if (given.size === 0) return;
  for (const id of ids) {
    const kept = given.get(stepOf(batch.state, id).spec.name);
    const value = kept && valueIn(kept, batch.values);
    if (value !== undefined)
      resolveStep(batch, { type: 'resolve-step', at: batch.at, step: id, value, by, why: GIVEN });
  }
}
