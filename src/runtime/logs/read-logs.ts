// Reads the log lines of a run from its store.
import { defined } from '../../base/json.ts';
import type { Instant } from '../../base/quantity.ts';
import { type KeptLogLine, type LogLevel, severities } from '../../engine/record/log-line.ts';
import type { Journal } from '../../store/journal.ts';
import { lineOf } from './log-rows.ts';

/** Chooses log lines of a run; empty: all of them. */
export interface LogQuery {
  /** The id of a step, or of several. */
  readonly step?: string | readonly string[] | undefined;
  readonly attempt?: number | undefined;
  /** The least level. */
  readonly level?: LogLevel | undefined;
  /** Only lines after the line with this number. */
  readonly after?: number | undefined;
  /** Only lines before the line with this number. */
  readonly before?: number | undefined;
  /** Only lines that were written at this time or earlier, in milliseconds since 1970. */
  readonly until?: Instant | undefined;
  /** The most lines: the first ones. */
  readonly first?: number | undefined;
  /** The most lines: the last ones. */
  readonly last?: number | undefined;
}

export function logsOf(
  journal: Pick<Journal, 'logs'>,
  run: string,
  { step, attempt, level, after, before, until, first, last }: LogQuery = {},
): readonly KeptLogLine[] {
  const severity = level === undefined ? undefined : severities[level];
  const rows = journal.logs(run, {
    ...defined({
      steps: typeof step === 'string' ? [step] : step,
      attempt,
      after,
      before,
      until,
      severity,
      most: last ?? first,
    }),
    last: last !== undefined,
  });
  return rows.map((row) => lineOf(run, row));
}
