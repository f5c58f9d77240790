// The boundary where `${env.X}` and `${secret.X}` become values, and where secrets are taken out of what comes back.
import { isJsonObject, type Json } from '../base/json.ts';
import { fillFrom, fillText, missing } from '../capabilities/fill-from.ts';

/** Where values of the surroundings come from; `process.env` in use. */
export type Surroundings = Readonly<Record<string, string | undefined>>;

export interface Boundary {
  /** Only those named, as `secret.TOKEN`, where some are. @throws CapabilityError ENV_MISSING, SECRET_MISSING */
  fillIn(value: Json, only?: readonly string[]): Json;
  fillText(text: string): string;
  /** @throws CapabilityError SECRET_MISSING */
  secret(name: string): string;
  env(name: string): string | undefined;
  /** The value with every secret that has been handed out, and those `also` known, replaced by `***`, in keys and in texts. */
  redact(value: Json, also?: readonly string[]): Json;
  redactText(text: string): string;
}

/** Shorter values are everywhere; to replace them would garble the rest. */
const SHORTEST_SECRET = 4;

export function boundary(surroundings: Surroundings): Boundary {
  const handedOut = new Set<string>();

  function env(name: string): string | undefined {
    return Object.hasOwn(surroundings, name) ? surroundings[name] : undefined;
  }

  function secret(name: string): string {
    const value = env(name);
    if (value === undefined) throw missing('SECRET_MISSING', name);
    if (value.length >= SHORTEST_SECRET) handedOut.add(value);
    return value;
  }

  return {
    env,
    secret,
    fillText: (text) => fillText(text, { env, secret }),
    fillIn: (value, only) => (mentions(value) ? fillFrom(value, { env, secret }, only) : value),
    redactText: (text) => withoutSecrets(text, formsOf(handedOut)),
    redact: (value, also = []) => {
      const forms = formsOf([...handedOut, ...also]);
      return forms.length === 0 ? value : mapTexts(value, (text) => withoutSecrets(text, forms));
    },
  };
}

function mentions(value: Json): boolean {
  if (typeof value === 'string') return value.includes('${');
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(mentions);
}

function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each: Json) => mapTexts(each, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [change(key), mapTexts(each, change)]));
}

/** As they stand, inside a text of JSON, and in an address; longer ones first, since one may hold another. */
function formsOf(secrets: Iterable<string>): readonly string[] {
  const forms = [...secrets].flatMap((secret) => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret.toWellFormed()),
  ]);
  return [...new Set(forms)].sort((left, right) => right.length - left.length);
}

function withoutSecrets(text: string, forms: readonly string[]): string {
  return forms.reduce((clean, form) => clean.replaceAll(form, '***'), text);
}
