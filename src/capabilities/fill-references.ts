// Replaces `${env.X}` and `${secret.X}` in texts of a template.
import { isJsonObject, type Json } from '../base/json.ts';
import type { CallContext } from './capability.ts';
import { CapabilityError } from './capability-error.ts';

const REFERENCE = /\$\{(env|secret)\.([A-Za-z_][A-Za-z0-9_]*)\}/g;

type Surroundings = Pick<CallContext, 'env' | 'secret'>;

/**
 * Fills keys and values.
 * @param only the references to fill, such as `secret.TOKEN`; absent: all
 * @throws CapabilityError ENV_MISSING, SECRET_MISSING
 */
export function fillReferences(value: Json, from: Surroundings, only?: readonly string[]): Json {
  if (typeof value === 'string') return value.includes('${') ? fillText(value, from, only) : value;
  if (Array.isArray(value)) return value.map((each: Json) => fillReferences(each, from, only));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [fillText(key, from, only), fillReferences(each, from, only)]),
  );
}

export function fillText(text: string, { env, secret }: Surroundings, only?: readonly string[]): string {
  return text.replace(REFERENCE, (whole, kind: string, name: string) => {
    if (only?.includes(`${kind}.${name}`) === false) return whole;
    if (kind === 'secret') return secret(name);
    const value = env(name);
    if (value === undefined) throw missing('ENV_MISSING', name);
    return value;
  });
}

export function missing(code: 'ENV_MISSING' | 'SECRET_MISSING', name: string): CapabilityError {
  return new CapabilityError(code, `the environment variable ${name} is not set; set it and resume the run`, {
    retry: 'never',
  });
}
