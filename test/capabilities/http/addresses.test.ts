// Public and private IP addresses.
import { expect, test } from 'vitest';
import { isPublic } from '../../../src/capabilities/http/allow-list.ts';

test.each([
  ['127.0.0.1', 'this machine'],
  ['127.9.9.9', 'this machine'],
  ['0.0.0.0', 'this machine'],
  ['10.1.2.3', 'a private network'],
  ['172.16.0.1', 'a private network'],
  ['172.31.255.255', 'a private network'],
  ['192.168.1.1', 'a private network'],
  ['100.64.0.1', 'a network of a carrier'],
  ['169.254.169.254', 'link-local, where clouds keep credentials'],
  ['198.18.0.1', 'for benchmarks'],
  ['224.0.0.1', 'multicast'],
  ['255.255.255.255', 'everybody'],
  ['::', 'this machine'],
  ['::1', 'this machine'],
  ['fe80::1', 'link-local'],
  ['fc00::1', 'a private network'],
  ['fd12:3456::1', 'a private network'],
  ['ff02::1', 'multicast'],
  ['::ffff:127.0.0.1', 'an IPv4 address in another dress'],
  ['::ffff:8.8.8.8', 'an IPv4 address in another dress'],
  ['::127.0.0.1', 'an IPv4 address in an old dress'],
  ['64:ff9b::7f00:1', 'translated to IPv4'],
  ['2002:7f00:1::', '6to4'],
  ['2001::1', 'Teredo'],
  ['2001:db8::1', 'for documentation'],
])('%s is not: %s', (address) => {
  expect(isPublic(address)).toBe(false);
});

test.each(['1.1.1.1', '8.8.8.8', '172.15.0.1', '172.32.0.1', '192.167.255.255', '2606:4700::1111', '2a00:1450::1'])(
  '%s is',
  (address) => {
    expect(isPublic(address)).toBe(true);
  },
);
