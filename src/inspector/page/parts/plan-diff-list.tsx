// The differences between two plans: a sign, a word and a color for each step.
import type { PlanDiff } from '../../../planning/plan-diff.ts';

export function PlanDiffList({ diff }: { readonly diff: PlanDiff }) {
  const { added, removed, changed, same } = diff;
  return (
    <ul class="plan-diff">
      {removed.map((step) => (
        <li key={step} class="removed">
          <span class="mark">−</span> {step} <span class="dim">left out</span>
        </li>
      ))}
      {added.map((step) => (
        <li key={step} class="added">
          <span class="mark">+</span> {step} <span class="dim">added</span>
        </li>
      ))}
      {changed.map(({ step, keys }) => (
        <li key={step} class="changed">
          <span class="mark">~</span> {step} <span class="dim">changed: {keys.join(', ')}</span>
        </li>
      ))}
      {same.length > 0 && (
        <li class="same">
          <span class="mark">=</span> {same.join(', ')} <span class="dim">kept</span>
        </li>
      )}
    </ul>
  );
}
