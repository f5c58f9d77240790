// Finds the logger provider that the program around this library has registered, and hands it log lines.
import type * as Api from '@opentelemetry/api';
import { emitLines, type LogEmitter } from '../../telemetry/emit-log.ts';
import type { OnLogs } from './run-log.ts';

type Emitter = LogEmitter<Api.Context>;

/** The part of a logger provider that both packages of the API have. */
interface LoggerProvider {
  getLogger(name: string, version?: string): Emitter;
}

/** `@opentelemetry/api` keeps everything registered here since its version 1.10. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');
/** The older `@opentelemetry/api-logs` keeps a function here, which wants the version of its interface. */
const REGISTERED_BEFORE = Symbol.for('io.opentelemetry.js.api.logs');
const INTERFACE = 1;

function registeredLoggers(global: object = globalThis): LoggerProvider | undefined {
  const registered: unknown = Reflect.get(global, REGISTERED);
  const logs: unknown =
    typeof registered === 'object' && registered !== null ? Reflect.get(registered, 'logs') : undefined;
  if (isProvider(logs)) return logs;
  const before: unknown = Reflect.get(global, REGISTERED_BEFORE);
  const older: unknown = typeof before === 'function' ? before(INTERFACE) : undefined;
  return isProvider(older) ? older : undefined;
}

function isProvider(found: unknown): found is LoggerProvider {
  return typeof found === 'object' && found !== null && 'getLogger' in found && typeof found.getLogger === 'function';
}

/**
 * Hears the log lines of a run for the program's logger provider; undefined, at no cost, if it has none. Lines wait until
 * the API is loaded.
 */
export function hostLogs(name: string, version: string): OnLogs | undefined {
  const logger = registeredLoggers()?.getLogger(name, version);
  if (logger === undefined) return undefined;
  // `findHost` warns when the program's API cannot be reached.
  const api = import('@opentelemetry/api').catch(() => undefined);
  return (lines) => api.then((loaded) => (loaded === undefined ? undefined : emitLines(logger, loaded, lines)));
}
