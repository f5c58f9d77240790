// The tree of a run: authored steps in order, and under each planning step what it brought in.
import type { Duration, Instant } from '../base/quantity.ts';
import type { SkipReason } from '../engine/event.ts';
import type { RunState, Step, StepStatus } from '../engine/state.ts';
import { stepOf } from '../engine/state.ts';
import type { StepType } from '../template/step-spec.ts';
import { durationOf, type History } from './history.ts';
import { localName } from './status.ts';

export interface TreeStep {
  readonly id: string;
  /** The last part of the id. */
  readonly name: string;
  readonly type: StepType;
  readonly capability?: string;
  readonly status: StepStatus;
  readonly skipped?: SkipReason;
  /** From its first attempt to its end, or to now. */
  readonly duration?: Duration;
  readonly attempts: number;
  readonly verified?: true;
  readonly failure?: { readonly code: string; readonly message: string };
  /** The step whose end is the reason why this one did not run. */
  readonly root?: string;
  /** For a convergence step that has been judged: how many of its branches succeeded. */
  readonly converged?: { readonly succeeded: number; readonly expected: number; readonly partial: boolean };
  /** For a planning step that has planned. */
  readonly rationale?: string;
  readonly steps: readonly TreeStep[];
}

/** `now`: to what instant the duration of what runs is counted. */
export function runTree(state: RunState, history: History, now: Instant): readonly TreeStep[] {
  return state.template.steps.map(({ name }) => treeStep(state, history, now, name));
}

function treeStep(state: RunState, history: History, now: Instant, id: string): TreeStep {
  const step = stepOf(state, id);
  const past = history.get(id);
  const duration = durationOf(past, now);
  const phase = state.phases.get(id);
  return {
    id,
    name: localName(id),
    type: step.spec.type,
    ...(step.spec.capability === undefined ? {} : { capability: step.spec.capability }),
    status: step.status,
    ...(step.skipped === undefined ? {} : { skipped: step.skipped }),
    ...(duration === undefined ? {} : { duration }),
    attempts: step.attempt,
    ...(past?.verified ? { verified: true as const } : {}),
    ...endOf(step),
    ...convergedOf(step),
    ...(phase === undefined ? {} : { rationale: phase.rationale }),
    steps: (phase?.steps ?? []).map((each) => treeStep(state, history, now, each)),
  };
}

function endOf({ id, failure, root }: Step): Pick<TreeStep, 'failure' | 'root'> {
  return {
    ...(failure === undefined ? {} : { failure: { code: failure.code, message: failure.message } }),
    ...(root === undefined || root === id ? {} : { root }),
  };
}

function convergedOf({ convergence }: Step): Pick<TreeStep, 'converged'> {
  if (convergence === undefined) return {};
  const { succeeded, expected, partial } = convergence.convergence;
  return { converged: { succeeded, expected, partial } };
}
