// Which IP addresses are on the public internet: everything that a registry has set aside for something else is not.
import { BlockList, isIPv6 } from 'node:net';

/** IANA's special-purpose registries, multicast and what is reserved. */
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

/** Of IPv6 only this is given out; 6to4 and Teredo within it lead to any IPv4 address. */
const given6 = ['2000::/3'];
const setAside6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const not4 = blockList(setAside4, 'ipv4');
const all6 = blockList(given6, 'ipv6');
const not6 = blockList(setAside6, 'ipv6');

/** An IPv4 address written as one of IPv6 is not among what is given out, and so it is not public either. */
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
