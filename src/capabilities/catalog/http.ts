// http.get, http.download, http.request, http.delete and emit.webhook: send HTTP requests.

import { defined, type Json } from '../../base/json.ts';
import type { Duration } from '../../base/quantity.ts';
import type { CallContext } from '../capability.ts';
import { defineCapability } from '../capability.ts';
import { contentOf } from '../formats/http-text.ts';
import type { HttpAnswer } from '../http/access.ts';
import { wantStatus } from '../http/status.ts';

const DEFAULT_BYTES = 1_000_000;
const MOST_BYTES = 64_000_000;
const DEFAULT_TIME: Duration = 20_000;

const askProperties = {
  url: { type: 'string', description: 'Address on a host that http.allow of the template names.' },
  query: {
    type: 'object',
    additionalProperties: { type: ['string', 'number', 'boolean'] },
    description: 'Query parameters, added to those of the address.',
  },
  headers: { type: 'object', additionalProperties: { type: 'string' } },
  max_bytes: {
    type: 'integer',
    minimum: 1,
    maximum: MOST_BYTES,
    description: `Most bytes of the decompressed response; default ${DEFAULT_BYTES}.`,
  },
  timeout_ms: {
    type: 'integer',
    minimum: 1,
    maximum: 600_000,
    description: `Timeout of the whole exchange in milliseconds; default ${DEFAULT_TIME}. The step has a timeout of its own.`,
  },
  accept_status: {
    type: 'array',
    items: { type: 'integer', minimum: 100, maximum: 599 },
    description: 'Statuses that count as success, besides 2xx.',
  },
} as const;

const bodyProperties = {
  json: { description: 'Body to send as JSON.' },
  text: { type: 'string', description: 'Body to send unchanged, with content_type.' },
  content_type: { type: 'string', description: 'Content type of text; default text/plain.' },
} as const;

const answerSchema = {
  type: 'object',
  required: ['status', 'url', 'headers', 'bytes'],
  properties: {
    status: { type: 'integer' },
    url: { type: 'string', description: 'Address of the response, after redirects.' },
    headers: { type: 'object', additionalProperties: { type: 'string' }, 'x-elide': true },
    bytes: { type: 'integer' },
    json: { description: 'Body of a JSON response.' },
    text: { type: 'string', description: 'Body of any other text response.' },
  },
} as const;

interface HttpOptions {
  readonly url: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly max_bytes?: number;
  readonly timeout_ms?: number;
  readonly accept_status?: readonly number[];
  readonly json?: Json;
  readonly text?: string;
  readonly content_type?: string;
}

/** @throws CapabilityError HTTP_STATUS for a status other than 2xx and `accept_status` */
async function send(method: string, ask: HttpOptions, ctx: CallContext): Promise<HttpAnswer> {
  const { url, query = {}, max_bytes = DEFAULT_BYTES, timeout_ms = DEFAULT_TIME, accept_status = [] } = ask;
  const { json, text, content_type = 'text/plain; charset=utf-8' } = ask;
  const body = json === undefined ? text : JSON.stringify(json);
  const type = json === undefined ? content_type : 'application/json';
  const answer = await ctx.http.send({
    method,
    url: withQuery(url, query),
    headers: { ...defined({ 'content-type': body === undefined ? undefined : type }), ...ask.headers },
    ...defined({ body }),
    maxBytes: max_bytes,
    timeout: timeout_ms,
    signal: ctx.signal,
  });
  return wantStatus(answer, accept_status, Date.now());
}

/** The answer as `answerSchema` describes it. */
function told(answer: HttpAnswer) {
  const { status, url, headers, body } = answer;
  return { status, url, headers, bytes: body.length, ...contentOf(answer) };
}

/** Leaves an invalid address as it is: sending reports the error. */
function withQuery(text: string, query: Readonly<Record<string, string | number | boolean>>): string {
  const url = URL.parse(text);
  if (url === null) return text;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  return url.href;
}

export const httpGet = defineCapability({
  name: 'http.get',
  description: 'Fetch a web address and return its JSON or text.',
  input: {
    type: 'object',
    required: ['url'],
    additionalProperties: false,
    properties: { ...askProperties, method: { enum: ['GET', 'HEAD'], description: 'Default GET.' } },
  },
  output: answerSchema,
  effects: ['read', 'network'],
  tags: ['http', 'web'],
  cost: { seconds: 0.5 },
  repeat: 'safe',
  async run({ method = 'GET', ...ask }, ctx) {
    return told(await send(method, ask, ctx));
  },
});

export const httpDownload = defineCapability({
  name: 'http.download',
  description: 'Download a web address into a file under one of the granted roots.',
  input: {
    type: 'object',
    required: ['url', 'path'],
    additionalProperties: false,
    properties: {
      ...askProperties,
      path: { type: 'string', description: 'File to write or replace, under one of the granted roots.' },
    },
  },
  output: {
    type: 'object',
    required: ['path', 'bytes', 'url'],
    properties: {
      path: { type: 'string' },
      bytes: { type: 'integer' },
      url: { type: 'string', description: 'Address of the response, after redirects.' },
      content_type: { type: 'string' },
    },
  },
  effects: ['network', 'filesystem'],
  tags: ['http', 'web', 'files'],
  cost: { seconds: 1 },
  repeat: 'safe',
  async run({ path, ...ask }, ctx) {
    await ctx.files.resolve(path, 'write');
    const { body, url, headers } = await send('GET', ask, ctx);
    const type = headers['content-type'];
    const bytes = await ctx.files.write(path, body);
    return { path, bytes, url, ...defined({ content_type: type }) };
  },
});

export const httpRequest = defineCapability({
  name: 'http.request',
  description: 'Send data to a web address with POST, PUT or PATCH, under an Idempotency-Key.',
  input: {
    type: 'object',
    required: ['url'],
    additionalProperties: false,
    properties: {
      ...askProperties,
      ...bodyProperties,
      method: { enum: ['POST', 'PUT', 'PATCH'], description: 'Default POST.' },
    },
  },
  output: answerSchema,
  effects: ['network', 'write'],
  tags: ['http', 'web'],
  cost: { seconds: 0.5 },
  repeat: 'keyed',
  async run({ method = 'POST', headers, ...ask }, ctx) {
    return told(await send(method, { ...ask, headers: { 'idempotency-key': ctx.idempotencyKey, ...headers } }, ctx));
  },
});

export const httpDelete = defineCapability({
  name: 'http.delete',
  description: 'Delete the resource at a web address; a missing resource counts as deleted.',
  input: {
    type: 'object',
    required: ['url'],
    additionalProperties: false,
    properties: askProperties,
  },
  output: answerSchema,
  effects: ['network', 'delete'],
  tags: ['http', 'web'],
  cost: { seconds: 0.5 },
  repeat: 'safe',
  async run({ accept_status = [], headers, ...ask }, ctx) {
    const keyed = { 'idempotency-key': ctx.idempotencyKey, ...headers };
    return told(await send('DELETE', { ...ask, headers: keyed, accept_status: [404, 410, ...accept_status] }, ctx));
  },
});

export const emitWebhook = defineCapability({
  name: 'emit.webhook',
  description: 'Announce an event with its data to a web address, under an Idempotency-Key.',
  input: {
    type: 'object',
    required: ['url', 'type'],
    additionalProperties: false,
    properties: {
      url: askProperties.url,
      headers: askProperties.headers,
      timeout_ms: askProperties.timeout_ms,
      type: { type: 'string', minLength: 1, description: 'Name of the event: order.shipped' },
      data: { description: 'Any value.' },
    },
  },
  output: {
    type: 'object',
    required: ['id', 'type', 'status'],
    properties: {
      id: { type: 'string', description: 'Id of the event; a repetition after a crash has the same id.' },
      type: { type: 'string' },
      status: { type: 'integer' },
    },
  },
  effects: ['network', 'write'],
  tags: ['event', 'http', 'web'],
  cost: { seconds: 0.5 },
  repeat: 'keyed',
  async run({ type, data = null, headers, ...ask }, ctx) {
    const id = ctx.idempotencyKey;
    const json = { id, type, run: ctx.run.id, at: new Date().toISOString(), data };
    const { status } = await send('POST', { ...ask, json, headers: { 'idempotency-key': id, ...headers } }, ctx);
    return { id, type, status };
  },
});
