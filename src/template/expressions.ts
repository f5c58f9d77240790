// The sites of Lisp in a template, and the names that each site binds.
import type { Result } from '../base/result.ts';
import { compileCached } from '../lisp/compile-cached.ts';
import type { Program } from '../lisp/program.ts';
import type { Expression } from './references.ts';

export type ExpressionSite = 'when' | 'input' | 'expr' | 'verification' | 'planner' | 'plan_review' | 'output';

const ofRun = ['input', 'results', 'run'];
const ofStep = [...ofRun, 'depends', 'convergence', 'item'];
const ofVerification = ['input', 'result', 'depends'];

/** The `data/` names of each site. In `verification`, `data/input` is the input of the step, elsewhere of the run. Only steps inside a fan-out have `data/item`. */
export const bindingsOf: Readonly<Record<ExpressionSite, readonly string[]>> = {
  when: ofStep,
  input: ofStep,
  expr: ofStep,
  verification: ofVerification,
  planner: ['input', 'packet', 'budget'],
  plan_review: ['input', 'plan', 'budget'],
  output: ofRun,
};

/** Compiles an expression for its site; equal texts are compiled once. Predicates may leave out the prefix `data/`. */
export function compileExpression(expression: Expression, site: ExpressionSite): Result<Program> {
  const aliases = site === 'verification' ? ofVerification : [];
  return compileCached(expression.$lisp, { bindings: bindingsOf[site], aliases });
}
