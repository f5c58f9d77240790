// Sends JSON replies of a test server, including errors.
import type { ServerResponse } from 'node:http';
import type { Json } from '../base/json.ts';
import { errorBody, type ServerError } from './servers/error-body.ts';
import type { ErrorForm } from './servers/server-traits.ts';

export function sendJson(
  response: ServerResponse,
  status: number,
  body: Json,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** Sends an error in the form of a server. `Retry-After` has whole seconds; shorter waits use a header in milliseconds. */
export function sendError(response: ServerResponse, form: ErrorForm, error: ServerError): void {
  const { status, retryAfter } = error;
  const wait =
    retryAfter === undefined
      ? {}
      : retryAfter % 1_000 === 0
        ? { 'retry-after': `${retryAfter / 1_000}` }
        : { 'retry-after-ms': `${retryAfter}` };
  sendJson(response, status, errorBody(form, error), wait);
}
