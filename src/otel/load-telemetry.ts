// Loads the OpenTelemetry SDK at the first call, or says how to install it.
import { isPackageMissing, missingText } from '../base/missing-package.ts';
import { type OptionTable, refuseOptions } from '../base/options.ts';
import type { Engine } from '../runtime/api/engine.ts';
import type { Telemetry, TelemetryOptions } from './open-telemetry.ts';

/** The packages that users of this entry point install; the exporters are those of the usual protocol. */
const PACKAGES = [
  '@opentelemetry/api',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  '@opentelemetry/sdk-metrics',
  '@opentelemetry/sdk-logs',
  '@opentelemetry/otlp-transformer',
  '@opentelemetry/exporter-trace-otlp-proto',
  '@opentelemetry/exporter-metrics-otlp-proto',
];

const optionTable: OptionTable<TelemetryOptions> = {
  spanProcessors: 'list',
  metricReaders: 'list',
  logRecordProcessors: 'list',
  resource: 'map',
};

/**
 * Opens listeners that export the spans, metrics and log lines of runs.
 * @param engine reads earlier events of a resumed run
 * @throws Error when OpenTelemetry's packages are not installed; its message has the command that installs them.
 * OptionsRefused for wrong options
 */
export async function openTelemetry(engine: Pick<Engine, 'read'>, options: TelemetryOptions = {}): Promise<Telemetry> {
  refuseOptions('openTelemetry', options, optionTable);
  try {
    const loaded = await import('./open-telemetry.ts');
    return await loaded.openTelemetry(engine, options);
  } catch (thrown) {
    if (!PACKAGES.some((name) => isPackageMissing(thrown, name))) throw thrown;
    throw new Error(missingText('reconverge/otel', ...PACKAGES), { cause: thrown });
  }
}
