// Reads a fan-out, and reports item steps that a fan-out cannot run.
import { type Issue, issue } from '../../base/issue.ts';
import type { JsonObject } from '../../base/json.ts';
import { readKeys } from '../keys/key.ts';
import { fanOutKeys } from '../keys/step.ts';
import type { FanOutSpec, StepSpec, StepType } from '../step-spec.ts';

/** A fan-out over the step under `do`; undefined without a list. `maxWidth` is the default width. */
export function fanOutOf(raw: JsonObject, item: StepSpec, maxWidth = 1): FanOutSpec | undefined {
  const { forEach, ...read } = readKeys(fanOutKeys, raw);
  return forEach === undefined ? undefined : { do: item, forEach, maxWidth, ...read };
}

/** Paths begin at the step under `do`. */
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
      : [
          refuse(
            'dependencies',
            'the items of a fan_out have no dependencies of their own',
            'add the dependencies to the fan_out',
          ),
        ]),
    ...(convergence === undefined
      ? []
      : [refuse('convergence', 'no branches converge at an item', 'let a deferred step depend on the fan_out')]),
    ...replans
      .filter(({ recovery }) => recovery === 'replan')
      .map(({ key }) =>
        refuse(
          key,
          'a single item cannot be planned again',
          'write "on_failure: replan" on the fan_out, with "failure_strategy: fail_fast"',
        ),
      ),
  ];
}

function instead(type: StepType): string {
  switch (type) {
    case 'planning':
      return 'let a planner plan the steps themselves, or run a fan_out before the planning step';
    case 'fan_out':
      return 'compute one list of all items in "for_each", with !lisp';
    case 'human_review':
      return 'ask once, before the fan_out; or give the task an "approval"';
    default:
      return 'make it a dependency of the fan_out, or let it depend on the fan_out';
  }
}
