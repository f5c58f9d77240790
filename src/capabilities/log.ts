// The log of a call: a function with one method for each level. It never throws, whatever it is given.
import { defined, type JsonObject } from '../base/json.ts';
import { type LogLevel, logLevels } from '../engine/record/log-line.ts';
import { messageText, plainAttributes } from './log-data.ts';

/**
 * Writes lines that are kept with the attempt. They are for people, and never part of the result or of the run's events.
 * `data` holds attributes: values that are no JSON become texts, and large ones are cut.
 */
export interface Log {
  /** The same as `info`. */
  (message: string, data?: object): void;
  debug(message: string, data?: object): void;
  info(message: string, data?: object): void;
  warn(message: string, data?: object): void;
  error(message: string, data?: object): void;
  /** A log whose lines name another writer, such as a program that the handler runs. */
  from(source: string): Log;
}

/** A line as its writer gave it, with attributes that are JSON. */
export interface WrittenLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly data?: JsonObject;
  readonly source?: string;
}

/** Writes a line of another thread, which may be malformed. */
export function writeLine(log: Log | undefined, { level, message, data, source }: WrittenLine): void {
  if (log === undefined) return;
  const named = source === undefined ? log : log.from(source);
  const write = logLevels.includes(level) ? named[level] : named;
  write(message, data);
}

/** Makes the log of a call context, also for tests of handlers. */
export function logTo(write: (line: WrittenLine) => void, source?: string): Log {
  const at =
    (level: LogLevel) =>
    (message: unknown, data?: unknown): void =>
      write({
        level,
        message: messageText(message),
        ...defined({ data: plainAttributes(data), source }),
      });
  const named = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  return Object.assign(at('info'), named, { from: (other: string) => logTo(write, messageText(other).slice(0, 100)) });
}
