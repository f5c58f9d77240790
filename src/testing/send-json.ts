// Sends JSON replies of a test server, including errors.
import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../base/json.ts';
import type { Refusal } from '../llm/model-failure.ts';

export function sendJson(
  response: ServerResponse,
  status: number,
  body: JsonObject,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** `Retry-After` has whole seconds; shorter waits use a header in milliseconds. */
export function refuse(response: ServerResponse, { status, code, message, retryAfter }: Refusal): void {
  const wait =
    retryAfter === undefined
      ? {}
      : retryAfter % 1_000 === 0
        ? { 'retry-after': `${retryAfter / 1_000}` }
        : { 'retry-after-ms': `${retryAfter}` };
  const error = { message: message ?? `refused with ${status}`, type: 'scripted', code: code ?? null };
  sendJson(response, status, { error }, wait);
}
