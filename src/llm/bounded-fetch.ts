// fetch for a model client: sends only known headers, follows no redirects, and limits the size of responses.

import { ownProperty } from '../base/json.ts';
import { readJson } from '../model/read-json.ts';

/** The response was larger than the limit. */
export class ReplyTooLarge extends Error {
  override readonly name = 'ReplyTooLarge';
}

/** The client adds headers from the environment, which may hold secrets for other servers. */
const meant = ['accept', 'authorization', 'content-type', 'user-agent'];

/** @param most bytes of one response @param own names of headers that the profile sets */
export function boundedFetch(most: number, own: readonly string[] = []): typeof fetch {
  return async (input, init) => {
    const given = new Headers(init?.headers);
    const headers = new Headers();
    for (const name of [...meant, ...own]) {
      const value = given.get(name);
      if (value !== null) headers.set(name, value);
    }
    const response = await fetch(input, { ...init, headers, redirect: 'manual' });
    const { body, status, statusText } = response;
    if (body === null) return response;
    const bounded = body.pipeThrough(limited(most));
    const sent = ignoresStream(init, response) ? bounded.pipeThrough(oneEvent()) : bounded;
    return new Response(sent, { status, statusText, headers: response.headers });
  };
}

/** Some gateways answer a request for a stream with a whole response. */
function ignoresStream(init: RequestInit | undefined, { ok, headers }: Response): boolean {
  const { body } = init ?? {};
  const isAsked = typeof body === 'string' && ownProperty(readJson(body), 'stream') === true;
  return isAsked && ok && /^application\/json\b/i.test(headers.get('content-type') ?? '');
}

/** Turns a whole response into the only event of a stream; broken JSON is no event. */
function oneEvent(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  let text = '';
  return new TransformStream({
    transform(chunk) {
      text += decoder.decode(chunk, { stream: true });
    },
    flush(controller) {
      const answered = readJson(text + decoder.decode());
      const events = answered === undefined ? '' : `data: ${JSON.stringify(answered)}\n\ndata: [DONE]\n\n`;
      controller.enqueue(new TextEncoder().encode(events));
    },
  });
}

function limited(most: number): TransformStream<Uint8Array, Uint8Array> {
  let read = 0;
  return new TransformStream({
    transform(chunk, controller) {
      read += chunk.byteLength;
      if (read > most) controller.error(new ReplyTooLarge());
      else controller.enqueue(chunk);
    },
  });
}
