// A real HTTP server for one test, and a network in which its address counts as public.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { reach } from '../../../src/capabilities/http/access.ts';
import type { Network } from '../../../src/capabilities/http/allow-list.ts';

/** The port that it listens on; `host` may be another address of this machine. */
export async function serve(answer: RequestListener, { host = '127.0.0.1', port = 0 } = {}): Promise<number> {
  const server = createServer(answer);
  server.listen(port, host);
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Names and what they resolve to, each time another where there are several; 127.0.0.1 is public here and nothing else of this machine. */
export function networkOf(names: Readonly<Record<string, readonly string[]>> = {}) {
  const asked: string[] = [];
  const network: Network = {
    async lookup(host) {
      const known = names[host] ?? [];
      const turn = asked.filter((each) => each === host).length;
      asked.push(host);
      const address = known[Math.min(turn, known.length - 1)];
      return address === undefined ? [] : [{ address, family: address.includes(':') ? 6 : 4 }];
    },
    isPublic: (address) => address === '127.0.0.1',
  };
  return { network, asked };
}

/** May reach any name at any port, of addresses what counts as public. */
export function anywhere(names: Readonly<Record<string, readonly string[]>> = {}) {
  const { network, asked } = networkOf(names);
  return { http: reach({ allow: ['*:*'], private: false }, network), asked };
}
