// The entry point `reconverge/otel`, which loads the OpenTelemetry SDK at the first call.
export { openTelemetry } from './load-telemetry.ts';
export type { Telemetry, TelemetryOptions, Undelivered } from './open-telemetry.ts';
