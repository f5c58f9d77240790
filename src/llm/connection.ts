// Where a model is served and with which key, as the profile and the environment say; found out before each ask.
import { type Failure, failure } from '../base/failure.ts';
import type { Json } from '../base/json.ts';
import type { ModelProfile } from '../model/profile.ts';

/** What of the world around is needed to reach a model; the boundary of the runtime has it. */
export interface ModelSurroundings {
  env(name: string): string | undefined;
  /** @throws an error that says which variable is not set */
  secret(name: string): string;
  /** With `${env.X}` and `${secret.X}` in place. @throws an error that says which variable is not set */
  fillIn(value: Json): Json;
  /** Without the secrets that were handed out, and those `also` known. */
  redact(value: Json, also?: readonly string[]): Json;
}

export type Served = Pick<ModelProfile, 'model' | 'baseUrl' | 'apiKey' | 'timeout'>;

export interface Connection {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Absent: nobody named one. */
  readonly apiKey?: string;
  /** The provider's own server, which knows its newest words and nothing but them. */
  readonly ownServer: boolean;
  /** The model as messages name it. */
  readonly who: string;
}

export type Connected =
  | { readonly ok: true; readonly connection: Connection }
  | { readonly ok: false; readonly failure: Failure };

const OWN_SERVER = 'https://api.openai.com/v1';

/**
 * The key of the environment goes to the server of the environment, or to the provider's own where it names none;
 * any other server gets the key that the profile names for it, or none.
 */
export function connect(name: string, profile: Served, surroundings: ModelSurroundings): Connected {
  try {
    const named = filled(profile.baseUrl, surroundings);
    const usual = surroundings.env('OPENAI_BASE_URL')?.trim() || undefined;
    const server = readServer(named ?? usual ?? OWN_SERVER);
    if (server === undefined) {
      const where = named === undefined ? 'OPENAI_BASE_URL' : 'base_url';
      return unset(name, `${where} is no http or https address without a user name; write one such as ${OWN_SERVER}`);
    }
    const own = readServer(OWN_SERVER)?.href === server.href;
    const trusted = server.href === readServer(usual ?? OWN_SERVER)?.href;
    const key = filled(profile.apiKey, surroundings) ?? (trusted ? environmentKey(surroundings) : undefined);
    if (key === undefined && own) {
      return unset(
        name,
        'there is no key; set OPENAI_API_KEY, or OPENAI_BASE_URL for another server, or give the model `api_key` or `base_url`',
      );
    }
    if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
      return unset(name, 'the key holds characters that no request can carry; copy it anew');
    }
    const baseUrl = server.href.replace(/\/+$/, '');
    const who = `the model ${name} (${profile.model} at ${baseUrl.replace(/\?.*$/, '')})`;
    const connection = { baseUrl, ownServer: own, who };
    return { ok: true, connection: key === undefined ? connection : { ...connection, apiKey: key } };
  } catch (missing) {
    return unset(name, missing instanceof Error ? missing.message : 'its key or address cannot be read');
  }
}

function environmentKey(surroundings: ModelSurroundings): string | undefined {
  const set = surroundings.env('OPENAI_API_KEY')?.trim();
  return set === undefined || set === '' ? undefined : surroundings.secret('OPENAI_API_KEY').trim();
}

/** What is written but empty counts as not written. */
function filled(text: string | undefined, surroundings: ModelSurroundings): string | undefined {
  if (text === undefined) return undefined;
  const value = surroundings.fillIn(text);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function readServer(text: string): URL | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

function unset(name: string, why: string): Connected {
  const message = `the model ${name} cannot be asked: ${why}`;
  return { ok: false, failure: failure('MODEL_NOT_CONFIGURED', message, { retry: 'never' }) };
}
