// Tells what Lisp at a path of a document is for, and which data it sees.
import type { PathPart } from '../../base/issue.ts';
import type { ExpressionSite } from '../../template/expressions.ts';

export function siteOf(path: readonly PathPart[]): ExpressionSite {
  const keys = path.filter((part) => typeof part === 'string' && part !== '$lisp');
  const key = keys.at(-1);
  if (keys.includes('input')) return 'input';
  if (key === 'when') return keys.includes('plan_review') ? 'plan_review' : 'when';
  if (key === 'expr' || key === 'choose') return 'expr';
  if (key === 'verification') return 'verification';
  if (key === 'source' || key === 'repair') return 'planner';
  return keys[0] === 'output' ? 'output' : 'input';
}

const texts: Readonly<Record<string, string>> = {
  input: 'The input of the run.',
  results: 'The results of earlier steps, by name.',
  depends: 'The results of the dependencies, by name.',
  result: 'The result of this step.',
  convergence: 'How the branches ended that converge here.',
  run: 'Facts about the run: its id, folder, times and budget.',
  item: 'The item of the fan_out.',
  packet: 'Everything that the planner is shown: goal, capabilities, results.',
  plan: 'The plan under review: its steps, estimate, rationale and score.',
  budget: 'The rest of the budget.',
};

export function bindingText(name: string, site: ExpressionSite): string {
  if (name === 'input' && site === 'verification') return 'The input of this step.';
  return texts[name] ?? 'Data.';
}
