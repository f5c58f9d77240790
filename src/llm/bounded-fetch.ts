// fetch for a model client: sends only known headers, follows no redirects, and limits the size of responses.

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
    return new Response(body.pipeThrough(limited(most)), { status, statusText, headers: response.headers });
  };
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
