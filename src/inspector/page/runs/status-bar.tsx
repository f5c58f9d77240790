// A bar of the steps of a run by status: each status that occurs is visible, and failures stand last.
import { type StatusCounts, shownStatuses } from '../../../view/phases/shown-status.ts';
import { statusWords } from '../../../view/phases/status-glyphs.ts';

export function StatusBar({ counts }: { readonly counts: StatusCounts }) {
  const present = shownStatuses.filter((status) => counts[status] > 0);
  const label = present.map((status) => `${counts[status]} ${statusWords[status]}`).join(', ');
  return (
    <span class="status-bar" role="img" aria-label={label} title={label}>
      {present.map((status) => (
        <span key={status} class={`part-${status.replace('_', '-')}`} style={{ flexGrow: counts[status] }} />
      ))}
    </span>
  );
}
