// A server that answers every request with the same bytes, for responses that no correct server sends.
import { createServer } from 'node:http';
import type { Model } from '../../src/llm/model.ts';
import { openaiModel } from '../../src/llm/openai-client.ts';
import type { ModelProfile } from '../../src/model/profile.ts';
import { boundary } from '../../src/runtime/ports/boundary.ts';
import { profileOf } from '../profile-of.ts';

export interface RawAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The chunks of the body, in order. */
  readonly parts: readonly (string | Uint8Array)[];
}

const json = { 'content-type': 'application/json' };

export function rawJson(body: unknown): RawAnswer {
  return { headers: json, parts: [JSON.stringify(body)] };
}

export function rawEvents(...chunks: readonly unknown[]): RawAnswer {
  const lines = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`);
  return { headers: { 'content-type': 'text/event-stream' }, parts: lines };
}

/** Runs a test with such a server, and returns the number of requests. */
export async function answering(
  { status = 200, headers = json, parts }: RawAnswer,
  body: (model: Model, url: string) => Promise<void>,
  profile: Partial<ModelProfile> = {},
): Promise<number> {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    request.resume();
    response.writeHead(status, headers);
    for (const part of parts) response.write(part);
    response.end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;
  try {
    await body(openaiModel(profileOf({ ...profile, baseUrl: url }), boundary({}), { mostBytes: 10_000 }), url);
  } finally {
    await new Promise((closed) => {
      server.close(closed);
      server.closeAllConnections();
    });
  }
  return asked;
}
