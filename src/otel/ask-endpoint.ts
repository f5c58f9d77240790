// Asks an OTLP endpoint whether it is there: by a connection, or by an empty request.
import { connect } from 'node:net';
import type { Duration } from '../base/quantity.ts';
import type { Endpoint } from './environment.ts';

const LONGEST: Duration = 2_000;
const REFUSALS = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH'];

/** True when nobody listens there. A slow network does not count. */
export async function isRefused(endpoint: Endpoint): Promise<boolean> {
  const failed = await connectionTo(endpoint);
  return failed !== undefined && REFUSALS.includes(failed);
}

/** Sends a request without data, which every OTLP server takes; answers its HTTP status, or the code of an error. */
export async function askEndpoint(
  endpoint: Endpoint,
  headers: Readonly<Record<string, string>>,
): Promise<number | string> {
  if (endpoint.protocol === 'grpc') return (await connectionTo(endpoint)) ?? OK;
  if (URL.parse(endpoint.url) === null) return 'ERR_INVALID_URL';
  const isJson = endpoint.protocol === 'http/json';
  try {
    const { status } = await fetch(endpoint.url, {
      method: 'POST',
      headers: { ...headers, 'content-type': isJson ? 'application/json' : 'application/x-protobuf' },
      body: isJson ? '{}' : new Uint8Array(0),
      signal: AbortSignal.timeout(LONGEST),
    });
    return status;
  } catch {
    return (await connectionTo(endpoint)) ?? 'no answer';
  }
}

const OK = 200;

/** The code of the error, or undefined if the connection opens. */
function connectionTo({ url }: Endpoint): Promise<string | undefined> {
  const parsed = URL.parse(url);
  if (parsed === null) return Promise.resolve('ERR_INVALID_URL');
  const { hostname, port, protocol } = parsed;
  return new Promise((resolve) => {
    const at = Number(port) || (protocol === 'https:' ? 443 : 80);
    const socket = connect({ host: hostname.replace(/^\[(.*)\]$/, '$1'), port: at, timeout: LONGEST });
    const end = (failed?: string): void => {
      socket.destroy();
      resolve(failed);
    };
    socket.once('connect', () => end());
    socket.once('timeout', () => end('ETIMEDOUT'));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}
