// One budget of tries for each step: failed attempts and failed requests to models take from it.
import { counted } from '../../base/counted.ts';
import type { Failure } from '../../base/failure.ts';
import type { ModelProfile } from '../../model/profile.ts';
import { agentIn } from '../../template/keys/agent.ts';
import { modelNamed } from '../../template/model-use.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Template } from '../../template/template.ts';
import { isFailedAsk } from '../state/attempt-calls.ts';
import type { RunState, Step } from '../state/state.ts';

/**
 * The tries of a step: its attempts, or one more than the `max_retries` of a model that it asks, whichever is more. The
 * first try is among them.
 */
export function triesOf(template: Template, spec: StepSpec): number {
  const { embeddings } = template;
  const asked = [...modelsOf(template, spec), ...(spec.planning === undefined ? [] : [embeddings])];
  return Math.max(attemptsOf(spec), ...asked.map((profile) => 1 + (profile?.maxRetries ?? 0)));
}

export function attemptsOf({ planning, retry }: StepSpec): number {
  return planning?.maxAttempts ?? retry.maxAttempts;
}

/** The models that a step may ask, with their fallbacks. A planning step may ask every model of the template. */
export function modelsOf({ models, agents }: Template, spec: StepSpec): readonly ModelProfile[] {
  const { agent, judge, planning } = spec;
  if (planning !== undefined) return Object.values(models);
  const names = [
    ...(agent === undefined ? [] : [agentIn(agents, agent).model]),
    ...(judge === undefined ? [] : [judge.model]),
  ];
  return names.flatMap((name) => {
    const named = modelNamed(models, name);
    return named === undefined ? [] : [named.profile, ...(named.fallbacks ?? []).map(({ profile }) => profile)];
  });
}

/** Whether the step may have another attempt after the present one, whose failure is not recorded yet. */
export function hasTryLeft({ template }: RunState, step: Step): boolean {
  const last = step.calls.at(-1);
  const isCounted = last !== undefined && isFailedAsk(last);
  return step.failedTries + (isCounted ? 0 : 1) < triesOf(template, step.spec);
}

/** The failure of a request to a model, which is not recorded yet; the last try of the step may not be repeated. */
export function withinTries({ template }: RunState, step: Step, failure: Failure): Failure {
  const tries = triesOf(template, step.spec);
  if (failure.retry === 'never' || step.failedTries + 1 < tries) return failure;
  return {
    ...failure,
    retry: 'never',
    message: `${failure.message}; ${counted(tries, 'try', 'tries')} of the step failed`,
  };
}
