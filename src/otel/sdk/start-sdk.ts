// Loads @opentelemetry/sdk-node in its thread, and starts it as the environment or the configuration file says.
import { createRequire } from 'node:module';
import { version } from '../../runtime/journal/package-version.ts';
import type { Variables } from '../environment.ts';
import { configFile, settingOf } from '../environment.ts';
import { SERVICE } from '../origin-name.ts';
import { type Deliveries, deliveries } from './deliveries.ts';

type Api = typeof import('@opentelemetry/api');
type Resources = typeof import('@opentelemetry/resources');

export interface StartedSdk {
  readonly api: Api;
  readonly resources: Resources;
  /** The ids of the next span that a tracer starts. */
  readonly next: { trace: string; span: string };
  readonly deliveries: Deliveries;
  /** Sends queued spans and log records; never rejects. */
  flush(): Promise<void>;
  shutdown(): Promise<void>;
}

/** @param say gets warnings and errors of the SDK */
export function startSdk(path: string, variables: Variables, say: (text: string) => void): StartedSdk {
  const load = createRequire(path);
  const sdk: typeof import('@opentelemetry/sdk-node') = load(path);
  const api: Api = load('@opentelemetry/api');
  const resources: Resources = load('@opentelemetry/resources');
  const core: typeof import('@opentelemetry/core') = load('@opentelemetry/core');
  const counts = deliveries();
  const otlp: typeof import('@opentelemetry/otlp-exporter-base') = load('@opentelemetry/otlp-exporter-base');
  counts.count(otlp.OTLPExporterBase.prototype);
  const zipkin: typeof import('@opentelemetry/exporter-zipkin') = load('@opentelemetry/exporter-zipkin');
  counts.count(zipkin.ZipkinExporter.prototype);
  core.setGlobalErrorHandler((error) => counts.failed(error));
  // Otherwise the SDK sets a logger of its own, which prints to this thread's console.
  if (settingOf(variables, 'OTEL_LOG_LEVEL') === undefined && configFile(variables) === undefined)
    api.diag.setLogger(diagLogger(say), { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true });

  const next = { trace: '', span: '' };
  const ids = { generateTraceId: () => next.trace, generateSpanId: () => next.span };
  const shutdown = start();

  function start(): () => Promise<void> {
    if (configFile(variables) !== undefined) {
      // A configuration file names its id generator by itself, and its only choice is the random one.
      const traces: typeof import('@opentelemetry/sdk-trace') = load('@opentelemetry/sdk-trace');
      Object.assign(traces.RandomIdGenerator.prototype, ids);
      const started = sdk.startNodeSdk();
      return () => started.shutdown();
    }
    const own = { 'service.name': SERVICE, 'service.version': version() };
    const resource = resources.defaultResource().merge(resources.resourceFromAttributes(own));
    const started = new sdk.NodeSDK({ idGenerator: ids, resource });
    started.start();
    return () => started.shutdown();
  }

  return {
    api,
    resources,
    next,
    deliveries: counts,
    async flush() {
      const known = api.trace.getTracerProvider();
      const spans = known instanceof api.ProxyTracerProvider ? known.getDelegate() : known;
      await Promise.all([flushed(spans), flushed(api.logs.getLoggerProvider())]);
    },
    shutdown: () => shutdown().catch((error: unknown) => counts.failed(error)),
  };
}

/** Exports that fail are counted where they fail. */
async function flushed(provider: object): Promise<void> {
  if (!('forceFlush' in provider) || typeof provider.forceFlush !== 'function') return;
  await Promise.resolve(provider.forceFlush()).catch(() => {});
}

function diagLogger(say: (text: string) => void): import('@opentelemetry/api').DiagLogger {
  const tell = (message: string, ...more: readonly unknown[]): void => {
    const text = [message, ...more].map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join(' ');
    // The user wrote it.
    if (!text.includes('contains "none"')) say(text);
  };
  const ignore = (): void => {};
  return { error: tell, warn: tell, info: ignore, debug: ignore, verbose: ignore };
}

/** The number of spans that are given to the SDK before they are sent: the least of its queues. */
export function chunkSize(variables: Variables): number {
  const said = Number(settingOf(variables, 'OTEL_BSP_MAX_QUEUE_SIZE'));
  return Number.isInteger(said) && said > 0 ? Math.min(said, USUAL_QUEUE) : USUAL_QUEUE;
}

const USUAL_QUEUE = 2_048;
