// Prints a list of runs as a table: forks and child runs stand under the runs that they came from.
import { durationText, type Instant, moneyText } from '../../base/quantity.ts';
import { microDollarsOf } from '../../budget/display-figures.ts';
import { type Line, type Span, span } from '../line.ts';
import { table } from '../table.ts';
import { type LineageRow, originText } from './lineage.ts';
import { stepCount, workedUntil } from './run-summary.ts';
import { reasonText, statusTone, statusWord } from './run-text.ts';

const LONGEST_REASON = 72;

export function runTable(rows: readonly LineageRow[], now: Instant): readonly Line[] {
  return table(
    [
      { title: 'run' },
      { title: 'status' },
      { title: 'started', whole: true },
      { title: 'took', align: 'right', whole: true },
      { title: 'steps', align: 'right' },
      { title: 'failed', align: 'right' },
      { title: 'cost', align: 'right' },
      { title: 'template' },
    ],
    rows.map((row) => cellsOf(row, now)),
  );
}

function cellsOf({ run, depth }: LineageRow, now: Instant): readonly Span[] {
  const { failed, spent } = run;
  const worked = workedUntil(run, now);
  const origin = originText(run);
  const reason = reasonText(run);
  return [
    span(`${'  '.repeat(Math.max(0, depth - 1))}${depth > 0 ? '└ ' : ''}${run.id}`, 'strong'),
    span(statusWord(run), statusTone(run)),
    span(new Date(run.createdAt).toISOString().slice(0, 16).replace('T', ' ')),
    span(worked === undefined ? '' : durationText(worked)),
    span(String(stepCount(run))),
    span(failed ? String(failed) : '', 'bad'),
    span(moneyText(microDollarsOf(spent.cost_usd ?? 0))),
    span(
      `${run.template}${origin === undefined ? '' : `, ${origin}`}${reason === undefined ? '' : `  ${shortened(reason)}`}`,
    ),
  ];
}

function shortened(text: string): string {
  return text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON - 1)}…` : text;
}
