// Log lines of a run as OpenTelemetry log records, in the trace of their step.
import type { LogLine } from '../../engine/record/log-line.ts';
import { emitLines } from '../../telemetry/emit-log.ts';
import { ownScope } from '../origin-name.ts';
import type { StartedSdk } from './start-sdk.ts';

export function logRecorder({ api, deliveries }: StartedSdk): (line: LogLine) => void {
  const scope = ownScope();
  const logger = api.logs.getLogger(scope.name, scope.version);
  return (line) => {
    emitLines(logger, api, [line]);
    deliveries.ended('logs', 1);
  };
}
