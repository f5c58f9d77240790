// The log lines of a step: the last ones, those that are written while the page looks, and earlier ones on request.
import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { KeptLogLine, LogLevel } from '../../../engine/record/log-line.ts';
import { LINES_AT_ONCE, type LogWindow, lastLines, withEarlier, withNewer } from '../../../view/logs/log-window.ts';
import type { LogsAnswer } from '../../wire.schema.ts';
import { fetchJson } from './server.ts';

/** The number of the last log line of the shown run, as the server tells it. */
export const lastLog = signal(0);

export interface WantedLogs {
  readonly run: string;
  readonly step: string;
  readonly attempt: number | undefined;
  readonly level: LogLevel;
  /** The shown moment, if it is a past one: no later lines are shown. */
  readonly until: number | undefined;
}

interface ShownLogs {
  /** Undefined until the first answer. */
  readonly window: LogWindow | undefined;
  readonly why: string | undefined;
  /** Shows earlier lines too. */
  earlier(): void;
  /** Shows the last lines again. */
  toEnd(): void;
}

type Range = Readonly<Partial<Record<'after' | 'before' | 'first' | 'last', number>>>;

export function useLogs(wanted: WantedLogs): ShownLogs {
  const { run, step, attempt, level, until } = wanted;
  const of = [run, step, attempt, level, until].join(' ');
  const [shown, setShown] = useState<{ readonly of: string; readonly window: LogWindow } | undefined>(undefined);
  const [why, setWhy] = useState<string | undefined>(undefined);
  const window = shown?.of === of ? shown.window : undefined;
  const current = useRef(of);
  current.current = of;
  const isBusy = useRef(false);
  const [missed, setMissed] = useState(0);

  /** Answers that come after the reader has chosen other lines are dropped. */
  function ask(range: Range, take: (lines: readonly KeptLogLine[]) => LogWindow): Promise<void> {
    return linesOf(wanted, range).then(
      (lines) => {
        if (current.current !== of) return;
        setWhy(undefined);
        setShown({ of, window: take(lines) });
      },
      (error: unknown) => setWhy(error instanceof Error ? error.message : String(error)),
    );
  }

  const toEnd = (): void => void ask({ last: LINES_AT_ONCE }, lastLines);
  useEffect(toEnd, [of]);
  const newest = lastLog.value;
  useEffect(() => {
    const last = window?.lines.at(-1)?.number ?? 0;
    if (window?.isAtEnd !== true || until !== undefined || newest <= last || isBusy.current) return;
    isBusy.current = true;
    void ask({ after: last, last: LINES_AT_ONCE }, (lines) => withNewer(window, lines)).finally(() => {
      isBusy.current = false;
      if (lastLog.peek() > newest) setMissed((count) => count + 1);
    });
  }, [newest, window, missed]);

  return {
    window,
    why,
    toEnd,
    earlier() {
      const first = window?.lines[0]?.number;
      if (window === undefined || first === undefined) return;
      void ask({ before: first, last: LINES_AT_ONCE }, (lines) => withEarlier(window, lines));
    },
  };
}

async function linesOf(
  { run, step, attempt, level, until }: WantedLogs,
  range: Range,
): Promise<readonly KeptLogLine[]> {
  const query = new URLSearchParams({ step, level });
  for (const [name, value] of Object.entries({ attempt, until, ...range }))
    if (value !== undefined) query.set(name, String(value));
  const { lines } = await fetchJson<LogsAnswer>(`api/runs/${run}/logs?${query}`);
  return lines;
}
