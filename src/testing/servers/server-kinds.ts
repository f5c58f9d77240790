// The servers that the test server can be like.
import { hostedServers } from './hosted-servers.ts';
import { localServers } from './local-servers.ts';
import type { ServerTraits } from './server-traits.ts';

const servers = { ...hostedServers, ...localServers };

/** The name of a server that the test server can be like. */
export type ServerKind = keyof typeof servers;

export const serverKinds = Object.keys(servers) as readonly ServerKind[];

export function traitsOfServer(kind: ServerKind): ServerTraits {
  return servers[kind];
}
