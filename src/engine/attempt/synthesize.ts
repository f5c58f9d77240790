// The record of gathered results: the results, shortened by their contracts, and how the branches ended.
import { failure } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import { synthesis } from '../../context/synthesis.ts';
import { recordOf } from '../packet/packet-request.ts';
import { branchEndsOf, convergencePolicyOf } from '../queries/branch-ends.ts';
import { lossesOf } from '../queries/branch-losses.ts';
import type { Convergence } from '../record/convergence.schema.ts';
import { convergenceRecord, judgeConvergence } from '../record/convergence.ts';
import type { Batch } from '../state/batch.ts';
import type { RunState, Step } from '../state/state.ts';
import { type GatheredResults, gatherResults, synthesisInput } from '../values/gathered-results.ts';
import { completeStep, failWithoutRetry } from './complete-step.ts';

/** Completes a synthesis gate without a capability. Equal results and an equal allowance give an equal record. */
export function synthesize(batch: Batch, step: Step): void {
  const gathered = gatherResults(batch.state, step);
  const shrunk = shrink(batch, step, gathered);
  if (!shrunk.ok) {
    const { error: issues } = shrunk;
    return failWithoutRetry(
      batch,
      step,
      failure('CONTEXT_OVER_ALLOWANCE', issues[0]?.message ?? '', { hint: issues[0]?.hint, issues }),
    );
  }
  const { body, tokens } = shrunk.value;
  completeStep(batch, step, synthesisInput(batch, step), { ...body, tokens }, {}, 0, { tokens });
}

/** The record of a convergence step without a capability. The step converges even if no result fits the allowance. */
export function gatheredRecord(batch: Batch, step: Step): JsonObject {
  const gathered = gatherResults(batch.state, step);
  const shrunk = shrink(batch, step, gathered);
  if (shrunk.ok) return { ...shrunk.value.body, tokens: shrunk.value.tokens };
  const receipt = gathered.present.map(([name]) => ({ step: name, shown: 'left out' }));
  return { results: {}, ...endsOf(batch.state, step), receipt };
}

function shrink(
  { state, values, countTokens }: Batch,
  step: Step,
  { present }: GatheredResults,
): ReturnType<typeof synthesis> {
  return synthesis({
    steps: present.map(([name, each]) => ({ ...recordOf(state, each, values), id: name })),
    beside: endsOf(state, step),
    maxTokens: step.spec.context?.maxTokens ?? state.template.context.maxTokens,
    countTokens,
  });
}

/** How the branches of a step ended, or its dependencies if it is no convergence step. */
function endsOf(state: RunState, step: Step): JsonObject {
  const judged = step.convergence?.convergence;
  const convergence: Convergence =
    judged ??
    judgeConvergence(convergencePolicyOf(step), branchEndsOf(state, step), false, lossesOf(state, step)).convergence;
  return JSON.parse(JSON.stringify(convergenceRecord(convergence))) as JsonObject;
}
