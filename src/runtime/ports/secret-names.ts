// Recognizes names of secrets, and finds the environment variables that have such names.
import { SHORTEST_SECRET } from './redaction.ts';

/** Matches `password`, `githubToken` and `STRIPE_API_KEY`, but not a bare `key`, which is mostly the key of a table. */
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

/** Values of settings whose names look like secrets: `USE_TOKEN=true`, `MAX_TOKENS=4096`. */
const SETTING = /^(?:true|false|yes|no|on|off|none|null|undefined|[\d.,]{0,7})$/i;

/** The environment variables that error messages must not quote, even when no template refers to them. */
export function secretsNamed(surroundings: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(surroundings).flatMap(([name, value = '']) =>
    value.length >= SHORTEST_SECRET && isSecretName(name) && !SETTING.test(value) ? [value] : [],
  );
}
