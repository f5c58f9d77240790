// A fan-out: the step that it makes of each item of a list, and the steps that it cannot make.
import { type Issue, issue } from '../../base/issue.ts';
import type { JsonObject } from '../../base/json.ts';
import { readKeys } from '../keys/key.ts';
import { fanOutKeys } from '../keys/step.ts';
import type { FanOutSpec, StepSpec, StepType } from '../step-spec.ts';

/** Makes a fan-out of the step under `do`; undefined without a list. `maxWidth` is the width where none is written. */
export function fanOutOf(raw: JsonObject, item: StepSpec, maxWidth = 1): FanOutSpec | undefined {
  const { forEach, ...read } = readKeys(fanOutKeys, raw);
  return forEach === undefined ? undefined : { do: item, forEach, maxWidth, ...read };
}

/** Paths from the step under `do`. */
export function itemIssues({ type, dependencies, convergence, onFailure, onVerificationFailure }: StepSpec): Issue[] {
  const refuse = (key: string, message: string, hint: string): Issue =>
    issue('FAN_OUT_STEP_INVALID', message, { path: [key], hint });
  const runs = type === 'task' || type === 'compute';
  const replans = [
    { key: 'on_failure', recovery: onFailure },
    { key: 'on_verification_failure', recovery: onVerificationFailure },
  ];
  return [
    ...(runs
      ? []
      : [refuse('type', `a fan_out runs a task or a compute step for each item, not a ${type} step`, instead(type))]),
    ...(dependencies.length === 0
      ? []
      : [refuse('dependencies', 'the items of a fan_out wait for nothing of their own', 'let the fan_out wait')]),
    ...(convergence === undefined
      ? []
      : [refuse('convergence', 'nothing comes together at an item', 'let a deferred step wait for the fan_out')]),
    ...replans
      .filter(({ recovery }) => recovery === 'replan')
      .map(({ key }) =>
        refuse(
          key,
          'one item cannot be planned again by itself',
          'say "on_failure: replan" on the fan_out, with "failure_strategy: fail_fast"',
        ),
      ),
  ];
}

function instead(type: StepType): string {
  switch (type) {
    case 'planning':
      return 'let a planner plan the steps themselves, or let a fan_out of what it needs to know run before it';
    case 'fan_out':
      return 'let "for_each" make one list of all items, with !lisp';
    case 'human_review':
      return 'ask once, before the fan_out; or give the task an "approval"';
    default:
      return 'let it wait for the fan_out, or the fan_out for it';
  }
}
