// Tells names of secrets, and finds variables of an environment that are secrets by their names alone.
import { SHORTEST_SECRET } from './redaction.ts';

/** `password`, `githubToken`, `STRIPE_API_KEY`; a bare `key` is mostly the key of a table. */
const NAMED =
  /(^|_)(tokens?|secrets?|passwords?|passwd|passphrase|credentials?|authorization|(api|access|secret|private|signing|auth)_?keys?)$/;

export function isSecretName(name: string): boolean {
  return NAMED.test(
    name
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .replaceAll('-', '_')
      .toLowerCase(),
  );
}

/** A switch, a small number or nothing at all stands under such a name too: `USE_TOKEN=true`, `MAX_TOKENS=4096`. */
const SETTING = /^(?:true|false|yes|no|on|off|none|null|undefined|[\d.,]{0,7})$/i;

/** Values of an environment that errors must not quote, whether or not anybody has asked for them. */
export function secretsNamed(surroundings: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(surroundings).flatMap(([name, value = '']) =>
    value.length >= SHORTEST_SECRET && isSecretName(name) && !SETTING.test(value) ? [value] : [],
  );
}
