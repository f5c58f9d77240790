// The entry point `reconverge/otel`, which loads the OpenTelemetry SDK.
export { openTelemetry, type Telemetry, type TelemetryOptions, type Undelivered } from './open-telemetry.ts';
