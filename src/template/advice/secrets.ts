// Finds texts in a document that look like API keys, which belong in the environment.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { isJsonArray, isJsonObject, type Json } from '../../base/json.ts';

/** The forms of API keys of well-known services. */
const KEYS: readonly RegExp[] = [
  /\bsk-(?:proj-|ant-|or-)?[A-Za-z0-9_-]{16,}/,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/,
  /\bglpat-[A-Za-z0-9_-]{16,}/,
  /\bxox[abeprs]-[A-Za-z0-9-]{10,}/,
  /\bA(?:KIA|SIA)[0-9A-Z]{16}\b/,
  /\bAIza[0-9A-Za-z_-]{35}/,
  /\bhf_[A-Za-z0-9]{20,}/,
  /\bnpm_[A-Za-z0-9]{30,}/,
  /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/,
  /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\./,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\b(?:Bearer|Basic)\s+(?!\$)[A-Za-z0-9+/=._-]{20,}/,
];

const NAMED = /(?:^|[_-])(?:api_?key|token|secret|password|passwd)$/i;
const SHORTEST = 8;

/** The issues have the place of the secret, never its text. */
export function secretsIn(value: Json, path: readonly PathPart[] = []): readonly Issue[] {
  if (typeof value === 'string') return isSecret(value, path.at(-1)) ? [written(path)] : [];
  if (isJsonArray(value)) return value.flatMap((each, index) => secretsIn(each, [...path, index]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, each]) => secretsIn(each, [...path, key]));
}

function isSecret(text: string, key: PathPart | undefined): boolean {
  if (KEYS.some((each) => each.test(text))) return true;
  const isNamed = typeof key === 'string' && NAMED.test(key);
  return isNamed && text.length >= SHORTEST && /\d/.test(text) && !/[\s${}]/.test(text);
}

function written(path: readonly PathPart[]): Issue {
  return issue('SECRET_WRITTEN', 'this text looks like a secret key, which every reader of the template can see', {
    severity: 'warning',
    path,
    hint: 'put the key in the environment, and write ${secret.NAME} here',
  });
}
