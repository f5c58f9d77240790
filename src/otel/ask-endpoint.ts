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

/** The code of the error, or undefined if the connection opens. */
export function connectionTo({ url }: Endpoint): Promise<string | undefined> {
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
