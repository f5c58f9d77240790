// Plays the scripted failures of a test server, whole or streamed.
import type { ServerResponse } from 'node:http';
import { piecesOf, type ScriptedFailure } from '../llm/script.ts';
import { sendError } from './send-json.ts';
import type { ErrorForm } from './servers/server-traits.ts';

export interface FailureContext {
  readonly errors: ErrorForm;
  /** The beginning of a whole response in JSON, for a response that breaks off. */
  readonly beginning: string;
  /** Absent when the response is not streamed. @param at the number of the piece, from 0 */
  readonly sendPiece?: ((text: string, at: number) => void) | undefined;
}

export function sendFailure(
  response: ServerResponse,
  failure: ScriptedFailure,
  { errors, beginning, sendPiece }: FailureContext,
): void {
  if ('status' in failure) return sendError(response, errors, failure);
  if ('garbage' in failure) {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><title>Welcome</title><p>This is not the server that you look for.');
    return;
  }
  if (sendPiece === undefined) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(beginning);
  } else {
    beginStream(response);
    piecesOf('cut' in failure ? failure.cut : failure.stall).forEach(sendPiece);
  }
  // The written part must be flushed before the connection ends.
  response.write('\n', 'cut' in failure ? () => response.destroy() : () => {});
}

export function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
}
