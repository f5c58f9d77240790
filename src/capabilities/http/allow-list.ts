// Whether a run may reach an address: its host is on the template's list, and what it resolves to is public.
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import { type HttpPolicy, readHostPattern } from '../../template/keys/http.ts';
import { CapabilityError, messageOf } from '../capability-error.ts';
import { isPublic } from './addresses.ts';

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** All addresses of a host. */
type Lookup = (host: string) => Promise<readonly Address[]>;

/** What is known of the network; what is real, unless said. */
export interface Network {
  readonly lookup: Lookup;
  /** Whether an IP address is on the public internet. */
  readonly isPublic: (address: string) => boolean;
}

export const internet: Network = {
  async lookup(host) {
    const found = await systemLookup(host, { all: true });
    return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
  },
  isPublic,
};

/**
 * The addresses that may be connected to, and no others: whoever connects must not look the name up again.
 * @throws CapabilityError HTTP_NOT_ALLOWED, HTTP_ADDRESS_PRIVATE, HTTP_UNREACHABLE
 */
export async function addressesFor(
  url: URL,
  policy: HttpPolicy | undefined,
  network: Network,
): Promise<readonly Address[]> {
  if (policy === undefined || !policy.allow.some((pattern) => allows(pattern, url))) throw notAllowed(url, policy);
  const found = await resolve(hostOf(url), network.lookup);
  const hidden = policy.private ? undefined : found.find(({ address }) => !network.isPublic(address));
  if (hidden === undefined) return found;
  throw new CapabilityError(
    'HTTP_ADDRESS_PRIVATE',
    `${url.host} is ${hidden.address}, which is not on the public internet; a template permits it with http: { private: true }`,
    { retry: 'never' },
  );
}

function allows(text: string, url: URL): boolean {
  const pattern = readHostPattern(text);
  if (pattern === undefined) return false;
  const { scheme, host, port } = pattern;
  if (scheme !== undefined && scheme !== url.protocol) return false;
  if (port !== '*' && (port ?? '') !== url.port && port !== usualPort(url)) return false;
  if (host === '*') return true;
  const asked = hostOf(url);
  if (host.startsWith('*.')) return asked.endsWith(`.${domainToASCII(host.slice(2))}`);
  return asked === (host.startsWith('[') ? new URL(`http://${host}`).hostname.slice(1, -1) : domainToASCII(host));
}

function usualPort({ port, protocol }: URL): string {
  return port !== '' ? port : protocol === 'https:' ? '443' : '80';
}

/** Without the brackets of an IPv6 address and the dot that may end a name. */
function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '');
}

async function resolve(host: string, lookup: Lookup): Promise<readonly Address[]> {
  if (isIP(host) !== 0) return [{ address: host, family: isIPv6(host) ? 6 : 4 }];
  let found: readonly Address[];
  try {
    found = await lookup(host);
  } catch (thrown) {
    throw new CapabilityError('HTTP_UNREACHABLE', `${host} has no address: ${messageOf(thrown)}`);
  }
  if (found.length === 0) throw new CapabilityError('HTTP_UNREACHABLE', `${host} has no address`);
  return found;
}

function notAllowed({ origin }: URL, policy: HttpPolicy | undefined): CapabilityError {
  const allowed = policy === undefined || policy.allow.length === 0 ? 'none is' : `${policy.allow.join(', ')}`;
  return new CapabilityError(
    'HTTP_NOT_ALLOWED',
    `${origin} may not be reached (allowed: ${allowed}); name its host under http: { allow: [...] } in the template`,
    { retry: 'never' },
  );
}
