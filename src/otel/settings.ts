// Reads the OTEL_* environment variables without loading the OpenTelemetry SDK.
import type { Duration } from '../base/quantity.ts';
import { SDK_PACKAGE, type Variables } from './environment.ts';

export type Protocol = 'http/protobuf' | 'http/json';

export interface TelemetrySettings {
  readonly traces: boolean;
  readonly metrics: boolean;
  readonly protocol: { readonly traces: Protocol; readonly metrics: Protocol };
  /** OTEL_TRACES_SAMPLER and its argument. */
  readonly sampler: { readonly name: string; readonly ratio: number };
  /** OTEL_BSP_*: the settings of the batch processor. */
  readonly batch: { readonly delay: Duration; readonly size: number; readonly queue: number };
  /** The timeout of one export; by default from the environment. */
  readonly timeout?: Duration;
}

const protocols: readonly string[] = ['http/protobuf', 'http/json'] satisfies readonly Protocol[];
const samplers = ['always_on', 'always_off', 'traceidratio'].flatMap((name) => [name, `parentbased_${name}`]);
const exporters = ['otlp', 'none'];

/** The known values of these variables, and the fallback for others. */
const known: Readonly<Record<string, { readonly values: readonly string[]; readonly instead: string }>> = {
  OTEL_EXPORTER_OTLP_PROTOCOL: { values: protocols, instead: 'http/protobuf is sent' },
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: { values: protocols, instead: 'http/protobuf is sent' },
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: { values: protocols, instead: 'http/protobuf is sent' },
  OTEL_TRACES_EXPORTER: { values: exporters, instead: 'otlp is used if an endpoint is set' },
  OTEL_METRICS_EXPORTER: { values: exporters, instead: 'otlp is used if an endpoint is set' },
  OTEL_TRACES_SAMPLER: { values: samplers, instead: 'every run is traced' },
};

/** The other variables that the export without @opentelemetry/sdk-node reads. */
const heard =
  /^OTEL_(SDK_DISABLED|SERVICE_NAME|RESOURCE_ATTRIBUTES|TRACES_SAMPLER_ARG|BSP_(SCHEDULE_DELAY|MAX_EXPORT_BATCH_SIZE|MAX_QUEUE_SIZE)|EXPORTER_OTLP_(TRACES_|METRICS_)?(ENDPOINT|HEADERS|TIMEOUT|COMPRESSION|CERTIFICATE|CLIENT_KEY|CLIENT_CERTIFICATE))$/;

/** Warnings about variables that have no effect because @opentelemetry/sdk-node is absent, with the command that installs it. */
export function notHeard(variables: Variables): readonly string[] {
  const wrong = Object.entries(known).flatMap(([name, { values, instead }]) => {
    const said = variables[name]?.trim() ?? '';
    return said === '' || values.includes(said) ? [] : [`${name} is none of ${values.join(', ')}: ${instead}`];
  });
  const others = Object.keys(variables)
    .filter((name) => name.startsWith('OTEL_') && isSet(variables[name]) && !(name in known) && !heard.test(name))
    .sort();
  const ignored = others.length === 0 ? [] : [`${others.join(', ')}: not supported without ${SDK_PACKAGE}`];
  if (wrong.length + ignored.length === 0) return [];
  return [...wrong, ...ignored, `every OTEL_* variable works after: npm install ${SDK_PACKAGE}`];
}

/** True when the environment names an endpoint for OTLP, or OTLP as an exporter. */
export function isOtlpWanted(variables: Variables): boolean {
  const { traces, metrics } = readSettings(variables);
  const endpoints = ['', 'TRACES_', 'METRICS_'].map((signal) => variables[`OTEL_EXPORTER_OTLP_${signal}ENDPOINT`]);
  const exporters = [variables.OTEL_TRACES_EXPORTER, variables.OTEL_METRICS_EXPORTER];
  return (traces || metrics) && (endpoints.some(isSet) || exporters.includes('otlp'));
}

/** A signal without an endpoint of its own is not sent when only the other signal has one. */
export function readSettings(variables: Variables): TelemetrySettings {
  const general = isSet(variables.OTEL_EXPORTER_OTLP_ENDPOINT);
  const [ownTraces, ownMetrics] = [
    isSet(variables.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT),
    isSet(variables.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT),
  ];
  const isOn = variables.OTEL_SDK_DISABLED?.toLowerCase() !== 'true';
  const isTimed = isSet(variables.OTEL_EXPORTER_OTLP_TIMEOUT) || isSet(variables.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT);
  return {
    traces: isOn && variables.OTEL_TRACES_EXPORTER !== 'none' && (general || ownTraces || !ownMetrics),
    metrics: isOn && variables.OTEL_METRICS_EXPORTER !== 'none' && (general || ownMetrics),
    protocol: {
      traces: protocolOf(variables.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? variables.OTEL_EXPORTER_OTLP_PROTOCOL),
      metrics: protocolOf(variables.OTEL_EXPORTER_OTLP_METRICS_PROTOCOL ?? variables.OTEL_EXPORTER_OTLP_PROTOCOL),
    },
    sampler: {
      name: variables.OTEL_TRACES_SAMPLER?.trim() || 'parentbased_always_on',
      ratio: numberOf(variables.OTEL_TRACES_SAMPLER_ARG, 1),
    },
    batch: {
      delay: numberOf(variables.OTEL_BSP_SCHEDULE_DELAY, 5_000),
      size: numberOf(variables.OTEL_BSP_MAX_EXPORT_BATCH_SIZE, 512),
      // A run with small steps produces more spans per second than the default of 2,048.
      queue: numberOf(variables.OTEL_BSP_MAX_QUEUE_SIZE, 65_536),
    },
    ...(isTimed ? {} : { timeout: 1_000 }),
  };
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== '';
}

/** An unsupported protocol falls back to the standard's default. */
function protocolOf(said: string | undefined): Protocol {
  return said?.trim() === 'http/json' ? 'http/json' : 'http/protobuf';
}

function numberOf(said: string | undefined, usual: number): number {
  const value = Number(said);
  return isSet(said) && Number.isFinite(value) && value >= 0 ? value : usual;
}
