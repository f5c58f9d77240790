// Bounded HTTP: the only way in which the catalog reaches other machines. Each redirect is checked before it is followed.
import type { IncomingMessage, RequestOptions } from 'node:http';
import { PassThrough, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { defined } from '../../base/json.ts';
import { type Duration, durationText } from '../../base/quantity.ts';
import type { HttpPolicy } from '../../template/keys/http.ts';
import { CapabilityError, messageOf } from '../capability-error.ts';
import { type Address, addressesFor, internet, type Network } from './allow-list.ts';

export interface HttpCall {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Bytes of the response, decompressed. */
  readonly maxBytes: number;
  /** Limits the whole exchange, including redirects and the last byte. */
  readonly timeout: Duration;
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  /** The final address after redirects. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface HttpAccess {
  /**
   * Returns the response, whatever its status. @throws CapabilityError HTTP_NOT_ALLOWED, HTTP_ADDRESS_PRIVATE,
   * HTTP_URL_INVALID, HTTP_HEADER_REFUSED, HTTP_UNREACHABLE, HTTP_TIMEOUT, HTTP_REDIRECTS, HTTP_BODY_TOO_LARGE,
   * HTTP_BODY_BROKEN
   */
  send(call: HttpCall): Promise<HttpAnswer>;
}

interface Hop {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const MOST_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

/** Headers that a caller may not set: the exchange sets them itself, or they could redirect it to another host. */
const OURS =
  /^(host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|accept-encoding|proxy-.*)$/i;
/** Headers that may follow a redirect to another origin; all others may carry credentials. */
const HARMLESS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'user-agent',
  'idempotency-key',
  'traceparent',
  'tracestate',
];

/** Without a policy, no address may be reached. */
export function reach(policy: HttpPolicy | undefined, network: Network = internet): HttpAccess {
  return {
    async send(call) {
      const deadline = AbortSignal.timeout(call.timeout);
      const signal = AbortSignal.any([call.signal, deadline]);
      try {
        return await untilAborted(follow(call, policy, network, signal), signal);
      } catch (thrown) {
        if (deadline.aborted && !call.signal.aborted) throw late(call);
        throw thrown;
      }
    },
  };
}

async function follow(
  call: HttpCall,
  policy: HttpPolicy | undefined,
  network: Network,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  let hop: Hop = { method: call.method, url: urlOf(call.url), headers: headersOf(call), body: call.body };
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const addresses = await addressesFor(hop.url, policy, network);
    const response = await exchange(hop, addresses, signal);
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (!REDIRECTS.includes(status) || location === undefined) {
      const body = await readBody(response, hop.method, call.maxBytes).finally(() => response.destroy());
      return { status, url: hop.url.href, headers: plainHeaders(response), body };
    }
    response.destroy();
    hop = redirected(hop, status, urlOf(location, hop.url));
  }
  throw new CapabilityError('HTTP_REDIRECTS', `${hop.url.origin} redirects more than ${MOST_REDIRECTS} times`, {
    retry: 'never',
  });
}

function exchange({ method, url, headers, body }: Hop, addresses: readonly Address[], signal: AbortSignal) {
  const options: RequestOptions = {
    method,
    headers: { ...headers, ...defined({ 'content-length': body === undefined ? undefined : Buffer.byteLength(body) }) },
    // Uses one connection per exchange, to the checked address, so that no second lookup can lead elsewhere.
    agent: false,
    lookup: (_host, { all }, answer) => {
      const [first] = addresses;
      if (all) answer(null, [...addresses]);
      else answer(null, first?.address ?? '', first?.family ?? 4);
    },
    signal,
  };
  return new Promise<IncomingMessage>((resolve, reject) => {
    const request = clientFor(url).request(url, options);
    request.on('response', resolve);
    request.on('error', (thrown) =>
      reject(new CapabilityError('HTTP_UNREACHABLE', `${url.host} cannot be reached: ${messageOf(thrown)}`)),
    );
    request.end(body);
  });
}

/** Loads `node:http` on first use: an import of its names would also load `fetch`, which takes 20 ms. */
function clientFor(url: URL): Pick<typeof import('node:http'), 'request'> {
  return url.protocol === 'https:' ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http');
}

/** Follows redirects as browsers do: a POST becomes a GET except for 307 and 308, and credentials stay with their origin. */
function redirected({ method, url: from, headers, body }: Hop, status: number, url: URL): Hop {
  const isAgain = status === 307 || status === 308 || method === 'GET' || method === 'HEAD';
  const kept = Object.entries(headers).filter(([name]) => {
    if (!isAgain && name === 'content-type') return false;
    return url.origin === from.origin || HARMLESS.includes(name);
  });
  return {
    method: isAgain ? method : 'GET',
    url,
    headers: Object.fromEntries(kept),
    body: isAgain ? body : undefined,
  };
}

function urlOf(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  const problem =
    url === null
      ? 'it is no address'
      : url.protocol !== 'http:' && url.protocol !== 'https:'
        ? 'it is neither http nor https'
        : url.username !== '' || url.password !== ''
          ? 'credentials belong into headers'
          : undefined;
  if (url !== null && problem === undefined) return url;
  const shown = url === null ? `"${text.slice(0, 200)}"` : `${url.protocol}//${url.host}`;
  throw new CapabilityError('HTTP_URL_INVALID', `${shown} cannot be asked: ${problem}`, { retry: 'never' });
}

function headersOf({ headers = {} }: HttpCall): Readonly<Record<string, string>> {
  const given = Object.entries(headers).map(([name, value]) => {
    const refused =
      OURS.test(name) || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value);
    if (!refused) return [name.toLowerCase(), value] as const;
    throw new CapabilityError('HTTP_HEADER_REFUSED', `the header "${name}" cannot be set, or not to this value`, {
      retry: 'never',
    });
  });
  return { 'user-agent': 'reconverge', accept: '*/*', 'accept-encoding': encodings, ...Object.fromEntries(given) };
}

function plainHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
    ),
  );
}

/** A name lookup ignores signals. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => reject(signal.reason);
  if (signal.aborted) giveUp();
  signal.addEventListener('abort', giveUp, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', giveUp));
}

function late({ url, timeout }: HttpCall): CapabilityError {
  const { host } = new URL(url);
  return new CapabilityError('HTTP_TIMEOUT', `${host} has not answered in full within ${durationText(timeout)}`);
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
  identity: () => new PassThrough(),
};

/** Content encodings that the exchange accepts. */
const encodings = 'gzip, deflate, br, zstd';

/** @throws CapabilityError HTTP_BODY_TOO_LARGE, HTTP_BODY_BROKEN */
async function readBody(response: IncomingMessage, method: string, maxBytes: number): Promise<Buffer> {
  if (method === 'HEAD') return Buffer.alloc(0);
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const decoder = decoderOf(response);
  const pieces: Buffer[] = [];
  let bytes = 0;
  const takeIn = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const piece of source) {
      bytes += piece.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      pieces.push(piece);
    }
  };
  try {
    await pipeline(response, decoder, takeIn);
  } catch (thrown) {
    throw thrown instanceof CapabilityError ? thrown : broken(messageOf(thrown));
  }
  return Buffer.concat(pieces);
}

/** Refuses several encodings in a row, which suggest a decompression bomb. */
function decoderOf({ headers }: IncomingMessage): Transform {
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const make = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (make === undefined) throw broken(`it is encoded as ${encoding.slice(0, 100)}`);
  return make();
}

function tooLarge(maxBytes: number): CapabilityError {
  return new CapabilityError(
    'HTTP_BODY_TOO_LARGE',
    `the answer has more than ${maxBytes} bytes; allow more with max_bytes`,
    {
      retry: 'never',
    },
  );
}

function broken(why: string): CapabilityError {
  return new CapabilityError('HTTP_BODY_BROKEN', `the answer cannot be read: ${why}`);
}
