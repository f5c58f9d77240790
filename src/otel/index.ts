// The door to OpenTelemetry: `reconverge/otel`, which loads its SDK.
export { openTelemetry, type Telemetry, type TelemetryOptions, type Undelivered } from './open-telemetry.ts';
