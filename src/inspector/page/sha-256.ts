// Replaces `hash` of `node:crypto` in the page, where Web Crypto offers only an asynchronous digest.
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

/** Supports only the algorithm and the encoding that digests use. */
export function hash(_algorithm: 'sha256', text: string, _encoding: 'base64url'): string {
  return btoa(String.fromCharCode(...sha256(utf8ToBytes(text))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
