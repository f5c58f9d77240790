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
  return { variables: checked, warnings: [...warnings] };
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
