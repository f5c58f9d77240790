// Content addresses: equal content has equal digests, on every machine and forever.
import { hash } from 'node:crypto';
import { canonicalJson, type Json } from './json.ts';

/** SHA-256, first 132 bits, as 22 base64url characters. */
export type Digest = string;

const DIGEST_LENGTH = 22;

export function digestOfText(text: string): Digest {
  return hash('sha256', text, 'base64url').slice(0, DIGEST_LENGTH);
}

/** Independent of the order of keys. */
export function digestOf(value: Json): Digest {
  return digestOfText(canonicalJson(value));
}
