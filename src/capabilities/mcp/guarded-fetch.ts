// fetch for one HTTP server: reports refusals with their status, limits the size of responses, and detects broken streams.
import type { Duration } from '../../base/quantity.ts';

/** The server answered with an HTTP status other than success. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
  readonly status: number;
  readonly retryAfter: Duration | undefined;
  /** The first characters of the response body. */
  readonly said: string;

  constructor(status: number, said: string, retryAfter: Duration | undefined) {
    super(`HTTP ${status}`);
    this.status = status;
    this.said = said;
    this.retryAfter = retryAfter;
  }
}

export interface FetchGuard {
  /** Bytes of one response. */
  readonly largest: number;
  onOverflow(): void;
  /** Called when the stream of a request ends, with or without its answer. */
  onStreamEnd(request: number): void;
}

/** Characters to keep of a refusal. */
const KEPT = 300;

/** Passes the listening stream and the end of a session through unchanged. */
export function guardedFetch(guard: FetchGuard): typeof fetch {
  return async (target, init) => {
    const response = await fetch(target, init);
    if (init?.method !== 'POST') return response;
    if (response.status >= 400) {
      const said = (await response.text().catch(() => '')).slice(0, KEPT);
      throw new HttpRefusal(response.status, said, retryAfterOf(response.headers.get('retry-after')));
    }
    if (response.body === null) return response;
    const streams = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const request = streams ? idOf(init.body) : undefined;
    return new Response(watched(response.body, guard, request), response);
  };
}

function watched(body: ReadableStream<Uint8Array>, guard: FetchGuard, request: number | undefined): ReadableStream {
  const reader = body.getReader();
  const ended = (): void => {
    if (request !== undefined) guard.onStreamEnd(request);
  };
  let bytes = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          ended();
          return controller.close();
        }
        bytes += value.byteLength;
        if (bytes > guard.largest) {
          guard.onOverflow();
          throw new Error('the answer is too large');
        }
        controller.enqueue(value);
      } catch (error) {
        ended();
        controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function idOf(body: unknown): number | undefined {
  const message: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
  const id = typeof message === 'object' && message !== null && 'id' in message ? message.id : undefined;
  return typeof id === 'number' ? id : undefined;
}

/** Reads seconds or a date. */
function retryAfterOf(header: string | null): Duration | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  const wait = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1_000;
  return Number.isNaN(wait) ? undefined : Math.max(0, Math.round(wait));
}
