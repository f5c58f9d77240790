// doctor: tells which telemetry the environment asks for, and asks the endpoints whether they take it.
import { defined } from '../../base/json.ts';
import { askEndpoint } from '../../otel/ask-endpoint.ts';
import type { Variables } from '../../otel/environment.ts';
import {
  configFile,
  type Endpoint,
  endpointOf,
  headersOf,
  isSignalOn,
  isTelemetryWanted,
  SDK_PACKAGE,
  type SignalName,
  settingOf,
  signals,
} from '../../otel/environment.ts';
import { findSdk } from '../../otel/sdk/find-sdk.ts';
import { notHeard } from '../../otel/settings.ts';
import { checkSettings, wrongEndpoints } from '../../otel/wrong-settings.ts';

export interface TelemetryFinding {
  readonly name: 'telemetry';
  readonly ok: boolean;
  readonly detail: string;
  readonly hint?: string;
}

export async function checkTelemetry(variables: Variables, folder: string): Promise<TelemetryFinding> {
  const name = 'telemetry';
  if (!isTelemetryWanted(variables)) {
    const isDisabled = settingOf(variables, 'OTEL_SDK_DISABLED')?.toLowerCase() === 'true';
    return {
      name,
      ok: true,
      detail: isDisabled ? 'off, by OTEL_SDK_DISABLED' : 'off, no OTEL_* variable names an endpoint or an exporter',
    };
  }
  const sdk = findSdk(folder);
  const by = sdk === undefined ? `without ${SDK_PACKAGE}` : `by ${SDK_PACKAGE} ${sdk.version}`;
  const file = configFile(variables);
  if (file !== undefined && sdk !== undefined) return { name, ok: true, detail: `as ${file} says, ${by}` };
  const sent = sdk === undefined ? signals.filter((signal) => signal !== 'logs') : signals;
  const asked = await Promise.all(
    sent.filter((signal) => isSignalOn(variables, signal)).map((signal) => askSignal(variables, signal)),
  );
  const ignored =
    sdk === undefined ? [...wrongEndpoints(variables), ...notHeard(variables)] : checkSettings(variables).warnings;
  const hint = ignored.length > 0 ? ignored.join('; ') : asked.find((each) => each.hint !== undefined)?.hint;
  return {
    name,
    ok: ignored.length === 0 && asked.every(({ ok }) => ok),
    detail: [...asked.map(({ text }) => text), by].join(', '),
    ...defined({ hint }),
  };
}

interface AskedSignal {
  readonly ok: boolean;
  readonly text: string;
  readonly hint?: string;
}

async function askSignal(variables: Variables, signal: SignalName): Promise<AskedSignal> {
  const endpoint = endpointOf(variables, signal);
  const exporter = settingOf(variables, `OTEL_${signal.toUpperCase()}_EXPORTER`);
  if (endpoint === undefined) return { ok: true, text: `${signal} to ${exporter}` };
  const answer = await askEndpoint(endpoint, headersOf(variables, signal));
  const to = `${signal} to ${endpoint.url} (${endpoint.protocol})`;
  if (typeof answer === 'string') {
    return { ok: false, text: `${to}: ${answer}`, hint: hintFor(endpoint, answer) };
  }
  if (answer === 401 || answer === 403) {
    const hint = 'set the key of the backend in OTEL_EXPORTER_OTLP_HEADERS, such as authorization=Bearer%20KEY';
    return { ok: false, text: `${to}: refused with ${answer}`, hint };
  }
  // A backend for traces alone has no address for the others.
  if (answer === 404 || answer === 405 || answer === 501) {
    const isTraces = signal === 'traces';
    const text = `${to}: ${isTraces ? `answers ${answer}` : 'not taken there'}`;
    return isTraces
      ? { ok: false, text, hint: 'OTEL_EXPORTER_OTLP_ENDPOINT is the address without /v1/traces' }
      : { ok: true, text };
  }
  return answer >= 500 ? { ok: false, text: `${to}: answers ${answer}` } : { ok: true, text: `${to}: answers` };
}

function hintFor({ url, protocol }: Endpoint, answer: string): string {
  if (answer === 'ERR_INVALID_URL') return 'write the endpoint as http://HOST:PORT';
  const usual = protocol === 'grpc' ? '4317 for gRPC' : '4318 for HTTP';
  return `start a collector at ${url}, or change the port: it is usually ${usual}`;
}
