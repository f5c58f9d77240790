// The log of one call: redacts its lines, cuts it off at the limits, and says at its end how much was left out.
import { counted } from '../../base/counted.ts';
import { defined } from '../../base/json.ts';
import type { Instant } from '../../base/quantity.ts';
import { type Log, logTo, type WrittenLine } from '../../capabilities/log.ts';
import type { LogLine } from '../../engine/record/log-line.ts';
import type { Redaction } from '../ports/redaction.ts';
import { type LogLimits, type LogUse, logLimits } from './log-limits.ts';
import { type RedactedLines, redactedLines, type TimedLine } from './redact-lines.ts';

/** The call that writes. */
export interface CallOrigin extends Pick<LogLine, 'step' | 'attempt' | 'call'> {
  readonly delivery: number;
  /** Asked for with the first line, because most calls write none. */
  readonly traceparent?: () => string | undefined;
}

export interface CallLog {
  /** For the call's context. */
  readonly log: Log;
  write(line: WrittenLine): void;
  /** The call has ended. Lines of a call that goes on all the same are still taken. */
  end(): void;
}

interface CallLogOptions {
  readonly run: string;
  readonly origin: CallOrigin;
  readonly now: () => Instant;
  readonly redaction: () => Redaction;
  readonly emit: (line: LogLine) => void;
  /** Counts a line; false when it is beyond a limit. */
  readonly admit: (characters: number) => boolean;
  readonly isRunFull: () => boolean;
  readonly limits: LogLimits;
}

/** The source of lines about a log. */
const OWN = 'reconverge';

export function callLog(options: CallLogOptions): CallLog {
  const { run, origin, now, redaction, emit, admit, isRunFull, limits } = options;
  let known: WriterOfLines | undefined;
  const base = (): WriterOfLines => {
    known ??= writerOf(run, origin);
    return known;
  };
  /** By source: several writers take turns within a call. */
  const writers = new Map<string, RedactedLines>();
  /** The last lines beyond a limit. */
  let tail: TimedLine[] = [];
  let left: LogUse = { lines: 0, characters: 0 };
  let hasEnded = false;

  function give(line: TimedLine): void {
    const characters = sizeOf(line);
    if (left.lines === 0 && admit(characters)) return emit({ ...base(), ...line });
    left.lines += 1;
    left.characters += characters;
    tail.push(line);
    if (tail.length > limits.tail) tail.shift();
  }

  function write(line: WrittenLine): void {
    const { source = '' } = line;
    let writer = writers.get(source);
    if (writer === undefined) {
      writer = redactedLines(redaction);
      writers.set(source, writer);
    }
    for (const each of writer.take({ at: now(), ...line })) give(each);
    if (hasEnded) end();
  }

  function end(): void {
    hasEnded = true;
    for (const writer of writers.values()) for (const each of writer.end()) give(each);
    if (left.lines === 0) return;
    const kept = isRunFull() ? [] : tail;
    const message = cutText(left, kept, isRunFull() ? 'run' : 'attempt', limits);
    if (left.lines > kept.length) emit({ ...base(), at: now(), level: 'warn', source: OWN, message });
    for (const line of kept) emit({ ...base(), ...line });
    tail = [];
    left = { lines: 0, characters: 0 };
  }

  return { log: logTo(write), write, end };
}

type WriterOfLines = Pick<LogLine, 'run' | 'step' | 'attempt' | 'delivery' | 'call' | 'traceparent'>;

function writerOf(run: string, { delivery, traceparent, ...place }: CallOrigin): WriterOfLines {
  return { run, ...place, ...defined({ delivery: delivery > 1 ? delivery : undefined, traceparent: traceparent?.() }) };
}

function sizeOf({ message, data }: TimedLine): number {
  return message.length + (data === undefined ? 0 : JSON.stringify(data).length);
}

/** The sentence in the place of the lines that were left out. */
function cutText(
  left: LogUse,
  kept: readonly TimedLine[],
  of: 'attempt' | 'run',
  limits: LogLimits = logLimits,
): string {
  const lines = left.lines - kept.length;
  const characters = left.characters - kept.reduce((sum, line) => sum + sizeOf(line), 0);
  const { lines: most, characters: room } = limits[of];
  const limit = `the log of ${of === 'run' ? 'a run' : 'an attempt'} keeps ${most} lines and ${room} characters`;
  return `${counted(lines, 'line')} left out here, ${counted(characters, 'character')}: ${limit}${
    kept.length === 0 ? '' : `, and the last ${kept.length} of a call`
  }`;
}
