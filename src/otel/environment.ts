// Reads the OTEL_* variables that decide which signals are sent, and how the OpenTelemetry SDK is started.

/** The environment, like `process.env`. */
export type Variables = Readonly<Record<string, string | undefined>>;

export const SDK_PACKAGE = '@opentelemetry/sdk-node';

export const signals = ['traces', 'metrics', 'logs'] as const;

export type SignalName = (typeof signals)[number];

/** True when the environment names an endpoint, an exporter or a configuration file, and does not disable telemetry. */
export function isTelemetryWanted(variables: Variables): boolean {
  if (isTrue(variables.OTEL_SDK_DISABLED)) return false;
  return signals.some((signal) => isSignalOn(variables, signal));
}

/**
 * A signal is sent when the environment names its exporter, its endpoint, or an endpoint for all signals. Log lines hold
 * data of the run, so an endpoint for all signals is not enough for them.
 */
export function isSignalOn(variables: Variables, signal: SignalName): boolean {
  const exporter = settingOf(variables, `OTEL_${signal.toUpperCase()}_EXPORTER`);
  if (exporter !== undefined) return exporter !== 'none';
  if (configFile(variables) !== undefined) return true;
  if (settingOf(variables, `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`) !== undefined) return true;
  return signal !== 'logs' && settingOf(variables, 'OTEL_EXPORTER_OTLP_ENDPOINT') !== undefined;
}

/** The declarative configuration, which replaces most other variables. */
export function configFile(variables: Variables): string | undefined {
  return settingOf(variables, 'OTEL_CONFIG_FILE');
}

/**
 * The environment for the SDK's thread. The SDK would send signals that nobody asked for to localhost, and would send
 * the arguments of the command, which hold inputs, as `process.command_args`.
 */
export function sdkEnvironment(variables: Variables): Readonly<Record<string, string>> {
  const own: Record<string, string> = {};
  for (const [name, value] of Object.entries(variables)) if (value !== undefined) own[name] = value;
  delete own.NODE_OPTIONS;
  if (configFile(variables) !== undefined) return own;
  for (const signal of signals)
    if (!isSignalOn(variables, signal)) own[`OTEL_${signal.toUpperCase()}_EXPORTER`] = 'none';
  if (settingOf(variables, 'OTEL_NODE_RESOURCE_DETECTORS') === undefined)
    own.OTEL_NODE_RESOURCE_DETECTORS = 'env,host,os,serviceinstance';
  return own;
}

/** An OTLP endpoint of one signal. */
export interface Endpoint {
  readonly protocol: string;
  readonly url: string;
}

/** The OTLP endpoint of a signal, or undefined if the signal is off or goes elsewhere. */
export function endpointOf(variables: Variables, signal: SignalName): Endpoint | undefined {
  const name = signal.toUpperCase();
  const exporters = (settingOf(variables, `OTEL_${name}_EXPORTER`) ?? 'otlp').split(',').map((each) => each.trim());
  if (!isSignalOn(variables, signal) || !exporters.includes('otlp')) return undefined;
  const protocol =
    settingOf(variables, `OTEL_EXPORTER_OTLP_${name}_PROTOCOL`) ??
    settingOf(variables, 'OTEL_EXPORTER_OTLP_PROTOCOL') ??
    'http/protobuf';
  const own = settingOf(variables, `OTEL_EXPORTER_OTLP_${name}_ENDPOINT`);
  const isGrpc = protocol === 'grpc';
  const all = settingOf(variables, 'OTEL_EXPORTER_OTLP_ENDPOINT') ?? `http://localhost:${isGrpc ? 4317 : 4318}`;
  if (isGrpc) return { protocol, url: withScheme(own ?? all) };
  return { protocol, url: own ?? `${all.replace(/\/$/, '')}/v1/${signal}` };
}

/** A hint if the endpoint has the port that collectors use for the other protocol. */
export function portHint({ protocol, url }: Endpoint): string | undefined {
  const port = URL.parse(url)?.port;
  if (protocol === 'grpc' && port === '4318') return '4318 is usually the port for HTTP: use 4317 for gRPC';
  if (protocol !== 'grpc' && port === '4317')
    return '4317 is usually the port for gRPC: use 4318, or set OTEL_EXPORTER_OTLP_PROTOCOL=grpc';
  return undefined;
}

/** gRPC endpoints may be written as host:port. */
function withScheme(endpoint: string): string {
  return endpoint.includes('://') ? endpoint : `http://${endpoint}`;
}

/** The headers of requests with a signal. */
export function headersOf(variables: Variables, signal: SignalName): Readonly<Record<string, string>> {
  const own = settingOf(variables, `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_HEADERS`);
  return headersIn(own ?? settingOf(variables, 'OTEL_EXPORTER_OTLP_HEADERS') ?? '');
}

/** Reads `key=value,key2=value2` with percent-encoding. */
export function headersIn(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').map((pair) => pair.split('=').map((part) => part.trim()));
  return Object.fromEntries(
    pairs.flatMap(([key = '', ...value]) => (key === '' ? [] : [[key, decoded(value.join('='))]])),
  );
}

/** A value with a percent sign of its own is sent as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function settingOf(variables: Variables, name: string): string | undefined {
  const value = variables[name]?.trim();
  return value === '' ? undefined : value;
}

function isTrue(value: string | undefined): boolean {
  return value?.trim().toLowerCase() === 'true';
}
