// The log of a run that is driven here: takes the lines of its calls, bounds them, and hands them to the store and to listeners.
import type { Instant } from '../../base/quantity.ts';
import type { WrittenLine } from '../../capabilities/log.ts';
import type { LogLine } from '../../engine/record/log-line.ts';
import type { Journal } from '../../store/journal.ts';
import type { Redaction } from '../ports/redaction.ts';
import { type CallLog, type CallOrigin, callLog } from './call-log.ts';
import { fits, type LogLimits, type LogUse, logLimits } from './log-limits.ts';
import { rowsOf } from './log-rows.ts';

/** Receives log lines as they are written, without secrets, in batches. */
export type OnLogs = (lines: readonly LogLine[]) => unknown;

export interface RunLog {
  /** The log of one call of an attempt. */
  begin(origin: CallOrigin): CallLog;
  /** Hands over the lines that wait. */
  flush(): void;
}

export interface RunLogOptions {
  readonly run: string;
  readonly journal: Pick<Journal, 'keepLogs' | 'logTotals'>;
  readonly now: () => Instant;
  readonly redaction: () => Redaction;
  /** Never throws. */
  readonly onLogs: OnLogs;
  readonly limits?: LogLimits;
}

export function runLog({ run, journal, now, redaction, onLogs, limits = logLimits }: RunLogOptions): RunLog {
  let pending: LogLine[] = [];
  /** The use of the run; known after its first line here. */
  let whole: LogUse | undefined;
  /** The use of the last attempt of each step. */
  const attempts = new Map<string, LogUse & { readonly attempt: string }>();

  function flush(): void {
    if (pending.length === 0) return;
    const lines = pending;
    pending = [];
    journal.keepLogs(run, rowsOf(lines));
    onLogs(lines);
  }

  function emit(line: LogLine): void {
    if (pending.length === 0) setImmediate(flush);
    pending.push(line);
  }

  function useOfRun(): LogUse {
    whole ??= { ...journal.logTotals(run) };
    return whole;
  }

  function useOfAttempt({ step, attempt, delivery }: CallOrigin): LogUse {
    const name = `${attempt}.${delivery}`;
    const known = attempts.get(step);
    if (known?.attempt === name) return known;
    const fresh = { attempt: name, lines: 0, characters: 0 };
    attempts.set(step, fresh);
    return fresh;
  }

  function admit(origin: CallOrigin, characters: number): boolean {
    const uses = [useOfAttempt(origin), useOfRun()] as const;
    if (!fits(uses[0], characters, limits.attempt) || !fits(uses[1], characters, limits.run)) return false;
    for (const use of uses) {
      use.lines += 1;
      use.characters += characters;
    }
    return true;
  }

  return {
    begin: (origin) =>
      callLog({
        run,
        origin,
        now,
        redaction,
        emit,
        admit: (characters) => admit(origin, characters),
        isRunFull: () => !fits(useOfRun(), 0, limits.run),
        limits,
      }),
    flush,
  };
}

/** A line of the engine itself, such as a part of a request that a model's server does not take. */
export function noteIn(log: RunLog, origin: CallOrigin, line: WrittenLine): void {
  const call = log.begin(origin);
  call.write(line);
  call.end();
}
