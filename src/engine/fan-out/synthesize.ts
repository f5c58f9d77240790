// A synthesis gate without a capability: the results of its dependencies, side by side, shrunk by their contracts.
import { failure } from '../../base/failure.ts';
import { synthesis } from '../../context/synthesis.ts';
import type { Batch } from '../batch.ts';
import { recordOf } from '../phase/packet-request.ts';
import type { Step } from '../state.ts';
import { complete, fail } from '../step/complete.ts';
import { gatheredFor, givenTo } from './synthesis-input.ts';

/** The same results and the same allowance always give the same synthesis. */
export function synthesize(batch: Batch, step: Step): void {
  const { state, values, countTokens } = batch;
  const { present, absent } = gatheredFor(state, step);
  const shrunk = synthesis({
    steps: present.map(([name, each]) => ({ ...recordOf(state, each, values), id: name })),
    absent,
    maxTokens: step.spec.context?.maxTokens ?? state.template.context.maxTokens,
    countTokens,
  });
  if (!shrunk.ok) {
    const { issues } = shrunk;
    return fail(batch, step, failure('CONTEXT_OVER_ALLOWANCE', issues[0]?.message ?? '', { issues }));
  }
  const { body, tokens } = shrunk.value;
  complete(batch, step, givenTo(batch, step), { ...body, tokens }, {}, 0, { tokens });
}
