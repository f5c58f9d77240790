// The Lisp of a step: where it may stand, and what it may name there.
import type { Result } from '../base/result.ts';
import { compileCached } from '../lisp/compile-cached.ts';
import type { Program } from '../lisp/program.ts';
import type { Expression } from './references.ts';

export type ExpressionSite = 'when' | 'input' | 'expr' | 'verification' | 'planner' | 'plan_review' | 'output';

const ofRun = ['input', 'results', 'run'];
const ofStep = [...ofRun, 'depends', 'convergence', 'item'];
const ofVerification = ['input', 'result', 'depends'];

/** The `data/` names of each site. In `verification`, `data/input` is the step's own input; elsewhere it is the run's; `data/item` is there only inside of a fan-out. */
export const bindingsOf: Readonly<Record<ExpressionSite, readonly string[]>> = {
  when: ofStep,
  input: ofStep,
  expr: ofStep,
  verification: ofVerification,
  planner: ['input', 'packet', 'budget'],
  plan_review: ['input', 'plan', 'budget'],
  output: ofRun,
};

/** Compiled for its site, the same text once; predicates may leave the prefix `data/` out. */
export function compileExpression(expression: Expression, site: ExpressionSite): Result<Program> {
  const aliases = site === 'verification' ? ofVerification : [];
  return compileCached(expression.$lisp, { bindings: bindingsOf[site], aliases });
}
