// The list of runs, a page of its own: the runs of the store, newest first.
import { moneyText } from '../../../base/quantity.ts';
import { microDollarsOf } from '../../../budget/display-figures.ts';
import type { RunSummary } from '../../../view/runs/run-summary.ts';
import { RunStatus } from '../parts/status.tsx';
import { go, place } from '../state/place.ts';
import { runs } from '../state/run.ts';

export function RunList() {
  const words = (place.value.filters.find ?? '').toLowerCase().split(/\s+/);
  const listed = (runs.value ?? []).filter((run) => {
    const text = `${run.id} ${run.template} ${run.status}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <main class="run-list">
      <h1>Runs</h1>
      <ul>
        {listed.map((run) => (
          <li key={run.id}>
            <RunRow run={run} />
          </li>
        ))}
      </ul>
    </main>
  );
}

function RunRow({ run }: { readonly run: RunSummary }) {
  const { id, template, parent, status, partial, createdAt, gates, spent } = run;
  return (
    <button type="button" class="run-row" data-run={id} onClick={() => go({ run: id })}>
      <span class="run-name">{template}</span>
      <span class="run-line">
        <RunStatus status={status} partial={partial} />
        {gates > 0 && (
          <span class="badge-count" title="open questions to people">
            {gates} asked
          </span>
        )}
      </span>
      <span class="run-line dim">
        <code>{id}</code> {parent !== undefined && <span>for {parent}</span>}{' '}
        <time dateTime={new Date(createdAt).toISOString()}>{whenText(createdAt)}</time>
        {(spent.cost_usd ?? 0) > 0 && <span>{moneyText(microDollarsOf(spent.cost_usd ?? 0))}</span>}
      </span>
    </button>
  );
}

function whenText(at: number): string {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday
    ? date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
    : date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
}
