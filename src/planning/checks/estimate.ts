// Check 11: the fragment's worst case fits into the remaining budget.
import { counted } from '../../base/counted.ts';
import { type Issue, issue } from '../../base/issue.ts';
import { moneyText } from '../../base/quantity.ts';
import { type Amount, type LimitedResource, limitable, nothing, plus, quantity } from '../../budget/amount.ts';
import { unitText } from '../../budget/limit-text.ts';
import { limitKey } from '../../budget/limits.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import { estimateOfStep } from '../estimate.ts';
import type { Check } from './check.ts';

export const checkEstimate: Check = ({ fragment: { steps }, frame: { available, declarations }, estimate }) => {
  const over = limitable.flatMap((limited) => {
    const left = Math.max(0, available[limited] ?? Number.POSITIVE_INFINITY);
    return quantity(estimate, limited) > left ? [{ limited, left }] : [];
  });
  if (over.length === 0) return [];
  const running = runningTotals(steps.map((step) => estimateOfStep(step, declarations)));
  return over.map(({ limited, left }) => exceeds(limited, left, steps, running));
};

function runningTotals(estimates: readonly Amount[]): readonly Amount[] {
  let sum = nothing;
  return estimates.map((each) => {
    sum = plus(sum, each);
    return sum;
  });
}

const SHOWN = 5;

/** `"a"`, `"a" and "b"`, `"a", "b", "c" and 4 others` */
function namesText(shown: readonly string[], others: string): string {
  if (others !== '' || shown.length < 2) return `${shown.join(', ')}${others}`;
  return `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

function exceeds(
  limited: LimitedResource,
  left: number,
  steps: readonly StepSpec[],
  running: readonly Amount[],
): Issue {
  const asked = quantity(running.at(-1) ?? nothing, limited);
  const first = running.findIndex((sum) => quantity(sum, limited) > left);
  const beyond = steps.slice(first).filter((_, index) => {
    const before = index + first === 0 ? nothing : (running[index + first - 1] ?? nothing);
    return quantity(running[index + first] ?? nothing, limited) > quantity(before, limited);
  });
  const shown = beyond.slice(0, SHOWN).map(({ name }) => `"${name}"`);
  const others = beyond.length > SHOWN ? ` and ${counted(beyond.length - SHOWN, 'other')}` : '';
  const without = first === 0 && beyond.length === steps.length ? '' : `; without ${namesText(shown, others)} it fits`;
  const text = (amount: number) => (limited === 'cost_usd' ? moneyText(amount) : unitText(amount, limited));
  return issue(
    'BUDGET_EXCEEDED',
    `the plan needs ${text(asked)}, and ${limited === 'cost_usd' ? moneyText(left) : left} ${left === 1 || limited === 'cost_usd' ? 'is' : 'are'} left${without}`,
    { path: ['steps', first], hint: `plan less; the limit is ${limitKey(limited)}` },
  );
}
