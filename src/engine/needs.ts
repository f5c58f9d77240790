// Which large values a command needs to be decided: the caller loads them, the core never reads.
import type { Digest } from '../base/digest.ts';
import { isPlain } from '../template/interpolate.ts';
import type { StepSpec } from '../template/step-spec.ts';
import { keptFor } from './bindings.ts';
import type { Command } from './command.ts';
import { sinksOf } from './finish.ts';
import type { Kept } from './kept.ts';
import { stepsInSight } from './phases-in-sight.ts';
import { type RunState, type Step, stepOf } from './state.ts';

const NONE: readonly never[] = [];

/** Digests of blobs, each once; empty for nearly every command. */
export function needs(state: RunState, command: Command): readonly Digest[] {
  switch (command.type) {
    case 'start-step':
      return digestsOf(forStart(state, stepOf(state, command.step)));
    case 'settle': {
      const step = stepOf(state, command.step);
      if (step.spec.type === 'planning') return digestsOf(forStart(state, step));
      return step.spec.verification === undefined ? [] : digestsOf(keptFor(state, step));
    }
    case 'attach':
      return digestsOf([...state.running].flatMap((id) => forStart(state, stepOf(state, id))));
    case 'finish':
      return digestsOf([state.input, ...forOutput(state)]);
    case 'start-run':
    case 'expire':
    case 'pause':
    case 'resume':
    case 'cancel':
    case 'review':
    case 'resolve-step':
    case 'retry-step':
    case 'raise-budget':
      return [];
  }
}

function digestsOf(kept: readonly Kept[]): readonly Digest[] {
  if (kept.length === 0) return NONE;
  return [...new Set(kept.flatMap((each) => ('digest' in each ? [each.digest] : [])))];
}

function forStart(state: RunState, step: Step): readonly Kept[] {
  if (step.spec.type === 'planning') {
    return [state.input, ...stepsInSight(state, step).flatMap(({ result }) => (result === undefined ? [] : [result]))];
  }
  return looksAround(step.spec) ? [state.input, ...keptFor(state, step)] : NONE;
}

function forOutput(state: RunState): Kept[] {
  const steps =
    state.template.output === undefined ? sinksOf(state) : state.template.steps.map(({ name }) => stepOf(state, name));
  return steps.flatMap(({ result }) => (result === undefined ? [] : [result]));
}

/** Whether a step refers to anything: most trivial ones do not. */
function looksAround({ when, expr, verification, decision, input = null }: StepSpec): boolean {
  return [when, expr, verification, decision?.choose].some((each) => each !== undefined) || !isPlain(input);
}
