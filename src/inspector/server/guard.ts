// Admits only requests with the token, for this host, from the inspector's own page; blocks other pages and DNS rebinding.
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { bad, good, type Result } from '../../base/result.ts';

interface ServerAddress {
  readonly port: number;
  readonly token: string;
}

interface AdmittedRequest {
  /** Without the token. */
  readonly path: string;
  readonly query: URLSearchParams;
}

interface RefusedRequest {
  readonly status: number;
  readonly message: string;
}

const names = ['127.0.0.1', 'localhost', '[::1]'];

export function admit(
  { method, url = '', headers }: IncomingMessage,
  server: ServerAddress,
): Result<AdmittedRequest, RefusedRequest> {
  const hosts = names.map((name) => `${name}:${server.port}`);
  if (!hosts.includes(headers.host ?? '')) return refused(403, 'the inspector answers on this host only');
  const { origin } = headers;
  const isOwn = origin === `http://${headers.host}`;
  if (origin !== undefined && !isOwn) return refused(403, 'the inspector answers its own page only');
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return refused(403, 'the inspector answers its own page only');
  if (method !== 'GET' && method !== 'POST') return refused(405, 'the inspector takes GET and POST requests');
  if (method === 'POST' && !isOwn) return refused(403, 'orders come from the inspector’s own page only');
  const [, token, path, query = ''] = /^\/([^/?]*)\/([^?#]*)(?:\?(.*))?$/.exec(url) ?? [];
  if (token === undefined || path === undefined || !isSame(token, server.token)) {
    return refused(403, 'open the address that `reconverge ui` has printed, with its token');
  }
  return good({ path, query: new URLSearchParams(query) });
}

function refused(status: number, message: string): Result<never, RefusedRequest> {
  return bad({ status, message });
}

/** Compares in constant time. */
function isSame(given: string, token: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(token)];
  return left.length === right.length && timingSafeEqual(left, right);
}
