// A run in the list: where it came from, how it stands, its steps, its time and its cost.
import { counted } from '../../../base/counted.ts';
import { durationText, moneyText } from '../../../base/quantity.ts';
import { microDollarsOf } from '../../../budget/display-figures.ts';
import { type LineageRow, originText } from '../../../view/runs/lineage.ts';
import { shownCounts } from '../../../view/runs/run-groups.ts';
import { type RunSummary, stepCount, workedUntil } from '../../../view/runs/run-summary.ts';
import { agoText, reasonText } from '../../../view/runs/run-text.ts';
import { go } from '../state/place.ts';
import { now } from '../state/run-list.ts';
import { StatusBar } from './status-bar.tsx';

/** Deeper rows are indented like this one. */
const DEEPEST = 4;

export function RunRow({
  row: { run, depth },
  withTemplate,
}: {
  readonly row: LineageRow;
  readonly withTemplate?: true;
}) {
  const { id, template, createdAt, spent } = run;
  const worked = workedUntil(run, now.value);
  const counts = shownCounts(run);
  const open = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go({ run: id });
  };
  return (
    <a class={`run-row depth-${Math.min(depth, DEEPEST)}`} data-run={id} data-row href={`#run=${id}`} onClick={open}>
      <span class="unseen">{spokenText(run, withTemplate)}</span>
      <span class="run-id" aria-hidden="true">
        {depth > 0 && <span class="branch">└</span>}
        <code>{id}</code>
      </span>
      <RunPill run={run} />
      <span class="run-about dim" aria-hidden="true">
        {withTemplate && <b class="run-template">{template}</b>}
        <About run={run} />
      </span>
      <span class="run-bar" aria-hidden="true">
        {counts && <StatusBar counts={counts} />}
      </span>
      <span class="run-figure steps" aria-hidden="true">
        {counted(stepCount(run), 'step')}
      </span>
      <span class="run-figure took" aria-hidden="true">
        {worked === undefined ? '' : durationText(worked)}
      </span>
      <span class="run-figure cost" aria-hidden="true">
        {moneyText(microDollarsOf(spent.cost_usd ?? 0))}
      </span>
      <time class="run-figure when dim" aria-hidden="true" dateTime={new Date(createdAt).toISOString()}>
        {agoText(createdAt, now.value)}
      </time>
    </a>
  );
}

function About({ run }: { readonly run: RunSummary }) {
  const { failed = 0 } = run;
  const reason = reasonText(run);
  const origin = originText(run);
  return (
    <>
      {failed > 0 && <b class="about-failed text-bad">✗ {failed} failed</b>}
      {origin !== undefined && <span>{origin}</span>}
      {reason !== undefined && (
        <span class="run-reason" title={reason}>
          {reason}
        </span>
      )}
    </>
  );
}

interface PillText {
  readonly status: string;
  readonly sign: string;
  readonly text: string;
}

function RunPill({ run }: { readonly run: RunSummary }) {
  const { status, sign, text } = pillOf(run);
  return (
    <span class={`run-pill pill-${status}`} aria-hidden="true">
      {sign} {text}
    </span>
  );
}

function pillOf({ status, partial, gates }: RunSummary): PillText {
  switch (status) {
    case 'completed':
      return { status: 'completed', sign: partial ? '◐' : '✓', text: partial ? 'partial' : 'completed' };
    case 'running':
      return gates > 0
        ? { status: 'asks', sign: '?', text: 'running, asks you' }
        : { status: 'running', sign: '▶', text: 'running' };
    case 'waiting':
      return { status: 'asks', sign: '?', text: 'waiting for you' };
    case 'failed':
      return { status: 'failed', sign: '✗', text: 'failed' };
    case 'cancelled':
    case 'cancelling':
      return { status: 'not-run', sign: '■', text: status };
    case 'paused':
      return { status: 'waiting', sign: '‖', text: 'paused' };
    case 'interrupted':
      return { status: 'waiting', sign: '!', text: 'interrupted' };
    default:
      return { status: 'waiting', sign: '·', text: status === '' ? 'not begun' : status };
  }
}

/** The parts of a row stand in another order on small screens, so that the row says its own sentence. */
function spokenText(run: RunSummary, withTemplate: true | undefined): string {
  const { id, template, spent, failed = 0, createdAt } = run;
  const worked = workedUntil(run, now.value);
  return [
    `${withTemplate ? `${template}, ` : ''}run ${id}`,
    pillOf(run).text,
    failed > 0 ? `${failed} failed` : '',
    counted(stepCount(run), 'step'),
    worked === undefined ? '' : durationText(worked),
    moneyText(microDollarsOf(spent.cost_usd ?? 0)),
    agoText(createdAt, now.value),
    originText(run) ?? '',
    reasonText(run) ?? '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}
