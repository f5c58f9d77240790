// The fetch under a client: it sends no header that was not meant for the server, follows nobody elsewhere, and reads no more than it may.

/** What a server sent was more than is read of it. */
export class ReplyTooLarge extends Error {
  override readonly name = 'ReplyTooLarge';
}

/** The client adds headers of its own, some from the environment, where they may hold what is meant for another server. */
const meant = ['accept', 'authorization', 'content-type', 'user-agent'];

/** `most`: bytes of an answer. */
export function boundedFetch(most: number): typeof fetch {
  return async (input, init) => {
    const given = new Headers(init?.headers);
    const headers = new Headers();
    for (const name of meant) {
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
