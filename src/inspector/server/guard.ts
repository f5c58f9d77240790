// Admits only requests with the token, for this host, from the inspector's own page; blocks other pages and DNS rebinding.
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface Door {
  readonly port: number;
  readonly token: string;
}

interface Refusal {
  readonly status: number;
  readonly why: string;
}

/** The path of an admitted request without the token, or the reason for a refusal. */
export type Admission =
  | { readonly ok: true; readonly path: string; readonly query: URLSearchParams }
  | ({ readonly ok: false } & Refusal);

const names = ['127.0.0.1', 'localhost', '[::1]'];

export function admit({ method, url = '', headers }: IncomingMessage, door: Door): Admission {
  const hosts = names.map((name) => `${name}:${door.port}`);
  if (!hosts.includes(headers.host ?? '')) return refused(403, 'the inspector answers on this host only');
  const { origin } = headers;
  const isOwn = origin === `http://${headers.host}`;
  if (origin !== undefined && !isOwn) return refused(403, 'the inspector answers its own page only');
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return refused(403, 'the inspector answers its own page only');
  if (method !== 'GET' && method !== 'POST')
    return refused(405, 'the inspector is read with GET and ordered with POST');
  if (method === 'POST' && !isOwn) return refused(403, 'orders come from the inspector’s own page only');
  const [, token, path, query = ''] = /^\/([^/?]*)\/([^?#]*)(?:\?(.*))?$/.exec(url) ?? [];
  if (token === undefined || path === undefined || !isSame(token, door.token)) {
    return refused(403, 'open the address that `reconverge ui` has printed, the token included');
  }
  return { ok: true, path, query: new URLSearchParams(query) };
}

function refused(status: number, why: string): Admission {
  return { ok: false, status, why };
}

/** Compares in constant time. */
function isSame(given: string, token: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(token)];
  return left.length === right.length && timingSafeEqual(left, right);
}
