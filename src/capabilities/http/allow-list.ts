// Decides whether a run may reach an address: its host must be on the template's list, and its IP address public.
import { lookup as systemLookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import { type HttpPolicy, readHostPattern } from '../../template/keys/http.ts';
import { CapabilityError, messageOf } from '../capability-error.ts';

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Finds all addresses of a host. */
type Lookup = (host: string) => Promise<readonly Address[]>;

/** The network; tests use their own. */
export interface Network {
  readonly lookup: Lookup;
  /** True for an IP address on the public internet. */
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
 * Finds the addresses to connect to. The caller must not look the name up again, because a second lookup may differ.
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

/** The host without IPv6 brackets and without a final dot. */
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

/** IANA special-purpose ranges, multicast and reserved ranges. */
const setAside4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];

/** The only allocated range of IPv6. Within it, 6to4 and Teredo can lead to any IPv4 address. */
const given6 = ['2000::/3'];
const setAside6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const not4 = blockList(setAside4, 'ipv4');
const all6 = blockList(given6, 'ipv6');
const not6 = blockList(setAside6, 'ipv6');

/** An IPv4 address mapped into IPv6 lies outside the allocated range, so it is not public either. */
export function isPublic(address: string): boolean {
  if (!isIPv6(address)) return !not4.check(address, 'ipv4');
  return all6.check(address, 'ipv6') && !not6.check(address, 'ipv6');
}

function blockList(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [net = '', prefix = ''] = range.split('/');
    list.addSubnet(net, Number(prefix), family);
  }
  return list;
}
