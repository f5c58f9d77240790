// Log lines of a run as OpenTelemetry log records, in the trace of their step.
import type { AnyValueMap } from '@opentelemetry/api-logs';
import { defined } from '../../base/json.ts';
import { type LogLine, severities } from '../../engine/record/log-line.ts';
import { ownScope } from '../origin-name.ts';
import type { StartedSdk } from './start-sdk.ts';

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

export function logRecorder({ api, deliveries }: StartedSdk): (line: LogLine) => void {
  const scope = ownScope();
  const logger = api.logs.getLogger(scope.name, scope.version);
  return ({ run, step, attempt, call, source, at, level, message, data, traceparent = '' }) => {
    const [, traceId, spanId, flags = '01'] = TRACEPARENT.exec(traceparent) ?? [];
    const context =
      traceId === undefined || spanId === undefined
        ? api.ROOT_CONTEXT
        : api.trace.setSpanContext(api.ROOT_CONTEXT, { traceId, spanId, traceFlags: Number.parseInt(flags, 16) });
    const attributes: AnyValueMap = defined({
      ...data,
      'reconverge.run.id': run,
      'reconverge.step.id': step,
      'reconverge.attempt.number': attempt,
      'reconverge.call': call,
      'reconverge.log.source': source,
    });
    logger.emit({
      timestamp: at,
      severityNumber: severities[level],
      severityText: level.toUpperCase(),
      body: message,
      attributes,
      context,
    });
    deliveries.ended('logs', 1);
  };
}
