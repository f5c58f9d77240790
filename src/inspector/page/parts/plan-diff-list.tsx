// The differences between two plans: a sign, a word and a color for each step; many alike are one row that opens.
import type { PlanDiff } from '../../../planning/plan-diff.ts';

/** More steps of one kind are folded. */
const MOST = 5;

export function PlanDiffList({ diff }: { readonly diff: PlanDiff }) {
  const { added, removed, changed, same } = diff;
  return (
    <ul class="plan-diff">
      <Group kind="removed" sign="−" word="left out" steps={removed.map((step) => ({ step }))} />
      <Group kind="added" sign="+" word="added" steps={added.map((step) => ({ step }))} />
      <Group kind="changed" sign="~" word="changed" steps={changed.map(({ step, keys }) => ({ step, keys }))} />
      <Group kind="same" sign="=" word="kept" steps={same.map((step) => ({ step }))} />
    </ul>
  );
}

interface GroupProps {
  readonly kind: 'removed' | 'added' | 'changed' | 'same';
  readonly sign: string;
  readonly word: string;
  readonly steps: readonly { readonly step: string; readonly keys?: readonly string[] }[];
}

function Group({ kind, sign, word, steps }: GroupProps) {
  const rows = steps.map(({ step, keys }) => (
    <li key={step} class={kind}>
      <span class="mark">{sign}</span> {step}{' '}
      <span class="dim">{keys === undefined ? word : `${word}: ${keys.join(', ')}`}</span>
    </li>
  ));
  if (rows.length <= MOST) return <>{rows}</>;
  return (
    <li class={kind}>
      <details>
        <summary>
          <span class="mark">{sign}</span> {steps.length.toLocaleString('en')} steps <span class="dim">{word}</span>
        </summary>
        <ul>{rows}</ul>
      </details>
    </li>
  );
}
