// The Lisp of a step: where it may stand, and what it may name there.
import type { Result } from '../base/result.ts';
import { compile, type Program } from '../lisp/compile.ts';
import type { Expression } from './step-spec.ts';

export type Site = 'when' | 'input' | 'expr' | 'verification' | 'planner' | 'output';

const ofRun = ['input', 'results', 'run', 'budget'];
const ofStep = [...ofRun, 'depends', 'convergence'];
const ofVerification = ['input', 'result', 'depends'];

/** The `data/` names of each site. In `verification`, `data/input` is the step's own input; elsewhere it is the run's. */
export const bindingsOf: Readonly<Record<Site, readonly string[]>> = {
  when: ofStep,
  input: ofStep,
  expr: ofStep,
  verification: ofVerification,
  planner: [...ofStep, 'packet'],
  output: ofRun,
};

/** Compiled for its site; predicates may leave the prefix `data/` out. */
export function compileExpression(expression: Expression, site: Site): Result<Program> {
  return compile(expression.$lisp, {
    bindings: bindingsOf[site],
    aliases: site === 'verification' ? ofVerification : [],
  });
}
