// Exports the spans of a past run, as OTLP text or to an endpoint.
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { SpanRecord } from '../telemetry/span-record.ts';
import type { Variables } from './environment.ts';
import { type Delivery, sendSpans, traceExporter } from './exporters.ts';
import { ownResource } from './origin.ts';
import { ownScope } from './origin-name.ts';
import { TracedSpan } from './readable-span.ts';
import { readSettings } from './settings.ts';

/** One OTLP request as JSON: `{"resourceSpans": […]}`. */
export function otlpText(records: readonly SpanRecord[]): string {
  const bytes = JsonTraceSerializer.serializeRequest(readable(records));
  return bytes === undefined ? '' : `${new TextDecoder().decode(bytes)}\n`;
}

/** A `url` without a path means a collector, so `/v1/traces` is added. */
export async function sendTo(url: URL, records: readonly SpanRecord[], variables: Variables): Promise<Delivery> {
  const { protocol } = readSettings(variables);
  const whole = url.pathname === '/' ? new URL('/v1/traces', url) : url;
  const exporter = await traceExporter({ protocol: protocol.traces, url: whole.href });
  return sendSpans(exporter, readable(records));
}

function readable(records: readonly SpanRecord[]): TracedSpan[] {
  const [resource, scope] = [ownResource(), ownScope()];
  return records.map((record) => new TracedSpan(record, resource, scope));
}
