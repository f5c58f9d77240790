// Sends spans while the process exits: a child process sends them, and this process waits.
import { spawnSync } from 'node:child_process';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { Duration } from '../base/quantity.ts';
import type { Variables } from './environment.ts';
import { headersIn } from './environment.ts';

/** JSON, which every OTLP endpoint over HTTP accepts. */
const sender = `const { url, headers, body } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(1000) }).catch(() => {});`;

/** Includes the start of the child process. */
const LONGEST_WAIT: Duration = 1_000;

export function sendAtExit(spans: readonly ReadableSpan[], variables: Variables): void {
  const url = endpointOf(variables);
  const body = JsonTraceSerializer.serializeRequest([...spans]);
  if (url === undefined || body === undefined || spans.length === 0) return;
  const said = variables.OTEL_EXPORTER_OTLP_TRACES_HEADERS ?? variables.OTEL_EXPORTER_OTLP_HEADERS ?? '';
  const headers = { ...headersIn(said), 'content-type': 'application/json' };
  const input = JSON.stringify({ url, headers, body: new TextDecoder().decode(body) });
  spawnSync(process.execPath, ['-e', sender], { input, timeout: LONGEST_WAIT, stdio: ['pipe', 'ignore', 'ignore'] });
}

function endpointOf(variables: Variables): string | undefined {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own, OTEL_EXPORTER_OTLP_ENDPOINT: both } = variables;
  return own ?? (both === undefined ? undefined : `${both.replace(/\/$/, '')}/v1/traces`);
}
