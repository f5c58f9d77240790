// A line that an MCP server writes for people: a log message of the protocol, or a line of its standard error.
import { defined } from '../../base/json.ts';
import type { LogLevel } from '../../engine/record/log-line.ts';

export interface ServerLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly data?: object;
}

/** The levels of the protocol, which are those of syslog. */
const levels: Readonly<Record<string, LogLevel>> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
};

interface LogNotification {
  readonly level: string;
  /** The part of the server that writes. */
  readonly logger?: string | undefined;
  readonly data?: unknown;
}

/** Servers send a text, or a map with a text under one of some usual keys. */
export function lineOfNotification({ level, logger, data }: LogNotification): ServerLine {
  const known = levels[level] ?? 'info';
  const named = defined({ logger });
  if (typeof data === 'string') return { level: known, message: data, data: named };
  if (typeof data !== 'object' || data === null) return { level: known, message: String(data), data: named };
  const { message, msg, text } = data as Readonly<Record<string, unknown>>;
  const said = [message, msg, text].find((each) => typeof each === 'string');
  if (typeof said !== 'string') return { level: known, message: JSON.stringify(data), data: named };
  return { level: known, message: said, data: { ...data, ...named } };
}
