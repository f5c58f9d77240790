// A model server that holds each request until the test answers it: whole, in pieces, or with a refusal.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

interface HeldRequest {
  readonly body: string;
  /** Answers with a whole message, such as `{ content: 'Good day.' }`. */
  reply(message: object): void;
  refuse(status: number, headers: Readonly<Record<string, string>>): void;
  /** Sends a piece of a streamed answer. */
  say(text: string): void;
  /** Ends a streamed answer. */
  end(): void;
}

export interface HeldModel {
  readonly url: string;
  /** The number of requests so far. */
  count(): number;
  /** The next request that no caller of this function has got yet. */
  next(): Promise<HeldRequest>;
}

/** Is closed after the test. */
export async function openHeldModel(): Promise<HeldModel> {
  const waiting: HeldRequest[] = [];
  const callers: ((request: HeldRequest) => void)[] = [];
  let requests = 0;
  const server = createServer(async (message, response) => {
    const held = holding(await bodyOf(message), response);
    requests += 1;
    const caller = callers.shift();
    if (caller === undefined) waiting.push(held);
    else caller(held);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    count: () => requests,
    next() {
      const held = waiting.shift();
      return held === undefined ? new Promise((resolve) => callers.push(resolve)) : Promise.resolve(held);
    },
  };
}

async function bodyOf(message: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function holding(body: string, response: ServerResponse): HeldRequest {
  const chunk = (delta: object, finish: string | null): void => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
  };
  return {
    body,
    reply(message) {
      response.writeHead(200, { 'content-type': 'application/json' });
      const choices = [{ index: 0, message, finish_reason: 'tool_calls' in message ? 'tool_calls' : 'stop' }];
      response.end(JSON.stringify({ choices, usage: { prompt_tokens: 10, completion_tokens: 5 } }));
    },
    refuse(status, headers) {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify({ error: { message: 'not now' } }));
    },
    say: (content) => chunk({ content }, null),
    end() {
      chunk({}, 'stop');
      response.end('data: [DONE]\n\n');
    },
  };
}
