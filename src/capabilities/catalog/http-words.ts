// What the HTTP capabilities take and answer alike.
import { defined, type Json } from '../../base/json.ts';
import type { CallContext } from '../capability.ts';
import { contentOf } from '../formats/http-text.ts';
import type { HttpAnswer } from '../http/access.ts';
import { wantStatus } from '../http/status.ts';

const DEFAULT_BYTES = 1_000_000;
const MOST_BYTES = 64_000_000;
const DEFAULT_TIME = 20_000;

export const askProperties = {
  url: { type: 'string', description: 'Address; its host is one that http.allow in the template names.' },
  query: {
    type: 'object',
    additionalProperties: { type: ['string', 'number', 'boolean'] },
    description: 'Laid over what the address already asks.',
  },
  headers: { type: 'object', additionalProperties: { type: 'string' } },
  max_bytes: {
    type: 'integer',
    minimum: 1,
    maximum: MOST_BYTES,
    description: `The largest answer that is taken, decompressed; default ${DEFAULT_BYTES}.`,
  },
  timeout_ms: {
    type: 'integer',
    minimum: 1,
    maximum: 600_000,
    description: `For all of it; default ${DEFAULT_TIME}. The step has a timeout of its own.`,
  },
  accept_status: {
    type: 'array',
    items: { type: 'integer', minimum: 100, maximum: 599 },
    description: 'Statuses that are answers too, beside 2xx.',
  },
} as const;

export const bodyProperties = {
  json: { description: 'Sent as JSON.' },
  text: { type: 'string', description: 'Sent as it is, as content_type.' },
  content_type: { type: 'string', description: 'Of text; default text/plain.' },
} as const;

export const answerSchema = {
  type: 'object',
  required: ['status', 'url', 'headers', 'bytes'],
  properties: {
    status: { type: 'integer' },
    url: { type: 'string', description: 'Where the answer came from, redirects followed.' },
    headers: { type: 'object', additionalProperties: { type: 'string' }, 'x-elide': true },
    bytes: { type: 'integer' },
    json: { description: 'The body, where it is JSON.' },
    text: { type: 'string', description: 'The body, where it is other text.' },
  },
} as const;

export interface Ask {
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

/** @throws CapabilityError HTTP_STATUS for a status that was not asked for */
export async function send(method: string, ask: Ask, ctx: CallContext): Promise<HttpAnswer> {
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

/** In the shape of `answerSchema`. */
export function told(answer: HttpAnswer) {
  const { status, url, headers, body } = answer;
  return { status, url, headers, bytes: body.length, ...contentOf(answer) };
}

/** What is no address is told of where it is sent. */
function withQuery(text: string, query: Readonly<Record<string, string | number | boolean>>): string {
  const url = URL.parse(text);
  if (url === null) return text;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  return url.href;
}
