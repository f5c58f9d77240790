// Finds OTEL_* values that nothing can be sent with, and says how to mend them.
import {
  configFile,
  endpointOf,
  isSignalOn,
  type SignalName,
  settingOf,
  signals,
  type Variables,
} from './environment.ts';

export interface CheckedSettings {
  /** The variables, with the exporters that remain. */
  readonly variables: Variables;
  readonly warnings: readonly string[];
}

const exporters: Readonly<Record<SignalName, readonly string[]>> = {
  traces: ['otlp', 'console', 'zipkin', 'none'],
  metrics: ['otlp', 'console', 'prometheus', 'none'],
  logs: ['otlp', 'console', 'none'],
};

const protocols: readonly string[] = ['grpc', 'http/protobuf', 'http/json'];

/** The values that OpenTelemetry's SDK for Node takes. */
const samplers: readonly string[] = ['always_on', 'always_off', 'traceidratio'].flatMap((name) => [
  name,
  `parentbased_${name}`,
]);

/**
 * OpenTelemetry's SDK would send to localhost in place of a wrong endpoint, and wait there at the end of the run. So a
 * signal with wrong values goes only to its other exporters.
 */
export function checkSettings(variables: Variables): CheckedSettings {
  const checked: Record<string, string | undefined> = { ...variables };
  if (configFile(variables) !== undefined) return { variables, warnings: [] };
  const warnings = new Set<string>();
  for (const signal of signals.filter((each) => isSignalOn(variables, each))) {
    const name = `OTEL_${signal.toUpperCase()}_EXPORTER`;
    const named = (settingOf(variables, name) ?? 'otlp').split(',').map((each) => each.trim());
    const known = named.filter((each) => exporters[signal].includes(each));
    for (const each of named)
      if (!known.includes(each)) warnings.add(`${name} is "${each}", but takes ${exporters[signal].join(', ')}`);
    const wrong = wrongEndpoint(variables, signal);
    if (wrong !== undefined) warnings.add(wrong);
    const left = wrong === undefined ? known : known.filter((each) => each !== 'otlp');
    if (left.length < named.length) checked[name] = left.join(',') || 'none';
  }
  return { variables: checked, warnings: [...warnings, ...wrongWords(variables)] };
}

/** Values that the SDK replaces or drops without a word. */
function wrongWords(variables: Variables): readonly string[] {
  const names = (end: string): readonly string[] =>
    ['', 'TRACES_', 'METRICS_', 'LOGS_'].map((signal) => `OTEL_EXPORTER_OTLP_${signal}${end}`);
  const outside = (name: string, values: readonly string[]): readonly string[] => {
    const said = settingOf(variables, name);
    return said === undefined || values.includes(said) ? [] : [`${name} is "${said}", but takes ${values.join(', ')}`];
  };
  return [
    ...names('PROTOCOL').flatMap((name) => outside(name, protocols)),
    ...outside('OTEL_TRACES_SAMPLER', samplers),
    ...names('HEADERS')
      .filter((name) => hasBrokenPair(settingOf(variables, name) ?? ''))
      .map(
        // The value may be a secret, so the message does not repeat it.
        (name) => `${name} has a part without "=", which is not sent: write NAME=VALUE, with a comma between two`,
      ),
  ];
}

function hasBrokenPair(headers: string): boolean {
  return headers.split(',').some((pair) => pair.trim() !== '' && !/^[^=\s]+\s*=/.test(pair.trim()));
}

/** The warnings about endpoints of the signals that are on. */
export function wrongEndpoints(variables: Variables): readonly string[] {
  return [...new Set(signals.flatMap((signal) => wrongEndpoint(variables, signal) ?? []))];
}

function wrongEndpoint(variables: Variables, signal: SignalName): string | undefined {
  const endpoint = endpointOf(variables, signal);
  if (endpoint === undefined || /^https?:$/.test(URL.parse(endpoint.url)?.protocol ?? '')) return undefined;
  const own = `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`;
  const name = settingOf(variables, own) === undefined ? 'OTEL_EXPORTER_OTLP_ENDPOINT' : own;
  const said = settingOf(variables, name) ?? '';
  const likely = `http://${said.replace(/^[a-z]+:\/\//, '')}`;
  const better = /^http:\/\/[^/:]+:\d+(\/|$)/.test(likely) && URL.canParse(likely) ? likely : 'http://HOST:PORT';
  return `${name} is "${said}", so nothing is sent there: write ${better}`;
}
