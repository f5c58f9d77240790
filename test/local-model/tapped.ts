// A relay in front of the local model that keeps what went over the wire.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isJsonObject, type Json, type JsonObject, ownProperty } from '../../src/base/json.ts';

export interface WireExchange {
  readonly path: string;
  readonly request: JsonObject;
  readonly status: number;
  /** The body of the response; the events of a stream in order. */
  readonly response: readonly Json[];
}

export interface TappedModel extends AsyncDisposable {
  /** For `base_url`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly exchanges: readonly WireExchange[];
}

const local = process.env.RECONVERGE_LOCAL_URL ?? '';

export async function tapped(): Promise<TappedModel> {
  const exchanges: WireExchange[] = [];
  const server = createServer((message, response) => {
    relay(message, response, exchanges).catch(() => response.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    model: await modelServed(),
    exchanges,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function modelServed(): Promise<string> {
  const listed = (await (await fetch(`${local}/models`)).json()) as {
    readonly data: readonly { readonly id: string }[];
  };
  return process.env.RECONVERGE_MODEL ?? listed.data[0]?.id ?? '';
}

async function relay(message: IncomingMessage, response: ServerResponse, exchanges: WireExchange[]): Promise<void> {
  const path = (message.url ?? '').replace(/^\/v1/, '');
  const body = await textOf(message);
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const answered = await fetch(`${local}${path}`, {
    method: message.method ?? 'GET',
    headers: { 'content-type': 'application/json' },
    signal: gone.signal,
    ...(body === '' ? {} : { body }),
  });
  response.writeHead(answered.status, { 'content-type': answered.headers.get('content-type') ?? 'application/json' });
  let text = '';
  for await (const chunk of answered.body ?? []) {
    text += Buffer.from(chunk).toString('utf8');
    response.write(chunk);
  }
  const request: Json = body === '' ? {} : JSON.parse(body);
  // Kept before the client can go on, so that a test finds the exchange.
  exchanges.push({
    path,
    request: isJsonObject(request) ? request : {},
    status: answered.status,
    response: valuesIn(text),
  });
  response.end();
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function valuesIn(text: string): readonly Json[] {
  if (!text.startsWith('data:')) return [JSON.parse(text)];
  const events = text.split('\n').filter((line) => line.startsWith('data: {'));
  return events.map((line) => JSON.parse(line.slice('data: '.length)));
}

/** The generated text of an exchange. */
export function textIn({ response }: WireExchange): string {
  return response
    .map((each) => {
      const [choice] = (ownProperty(each, 'choices') ?? []) as readonly Json[];
      const message = ownProperty(choice, 'message') ?? ownProperty(choice, 'delta');
      return ownProperty(message, 'content') ?? '';
    })
    .join('');
}

export function finishOf({ response }: WireExchange): Json | undefined {
  return response
    .flatMap((each) => (ownProperty(each, 'choices') ?? []) as readonly Json[])
    .map((choice) => ownProperty(choice, 'finish_reason'))
    .findLast((reason) => typeof reason === 'string');
}

/** The schema that the server was to keep to. */
export function schemaIn({ request }: WireExchange): JsonObject | undefined {
  const schema = ownProperty(ownProperty(request.response_format, 'json_schema'), 'schema');
  return isJsonObject(schema) ? schema : undefined;
}

/** The tokens of all exchanges, as the server counted them. */
export function tokensOf(exchanges: readonly WireExchange[]): { readonly input: number; readonly output: number } {
  const used = exchanges.flatMap(({ response }) => response.map((each) => ownProperty(each, 'usage') ?? {}));
  const sum = (key: string): number =>
    used.reduce((total: number, each) => total + Number(ownProperty(each, key) ?? 0), 0);
  return { input: sum('prompt_tokens'), output: sum('completion_tokens') };
}
