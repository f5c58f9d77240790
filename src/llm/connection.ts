// The server and the key of a model, from its profile and the environment; looked up before each request.

import { type Failure, failure } from '../base/failure.ts';
import { defined, type Json } from '../base/json.ts';
import { bad, good, type Result } from '../base/result.ts';
import type { ModelProfile } from '../model/profile.ts';

/** Access to the environment and to secrets, which the runtime's boundary provides. */
export interface ModelSurroundings {
  env(name: string): string | undefined;
  /** @throws an error that names the missing variable */
  secret(name: string): string;
  /** Replaces `${env.X}` and `${secret.X}`. @throws an error that names the missing variable */
  fillIn(value: Json): Json;
  /** Removes known secrets, and those in `also`. */
  redact(value: Json, also?: readonly string[]): Json;
}

export type ServedModel = Pick<ModelProfile, 'model' | 'baseUrl' | 'apiKey' | 'headers' | 'timeout'>;

export interface Connection {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** Absent when no key is configured. */
  readonly apiKey?: string;
  /** Further headers of each request, with their secrets. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The model as messages name it. */
  readonly who: string;
}

export const OWN_SERVER = 'https://api.openai.com/v1';

/**
 * Sends the key of the environment only to the server of the environment, or to the provider's own when it names none.
 * Any other server gets the key of its profile, or none.
 */
export function connect(
  name: string,
  profile: ServedModel,
  surroundings: ModelSurroundings,
): Result<Connection, Failure> {
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
    const headers = filledHeaders(profile.headers, surroundings);
    const odd = Object.entries(headers).find(([name, value]) => !isHeader(name, value));
    if (odd !== undefined) {
      return unset(name, `the header "${odd[0]}" holds characters that no request can carry; write its value anew`);
    }
    const baseUrl = server.href.replace(/\/+$/, '');
    const who = `the model ${name} (${profile.model} at ${baseUrl.replace(/\?.*$/, '')})`;
    const sentHeaders = Object.keys(headers).length === 0 ? undefined : headers;
    const connection = { baseUrl, who, ...defined({ headers: sentHeaders }) };
    return good(key === undefined ? connection : { ...connection, apiKey: key });
  } catch (missing) {
    return unset(name, missing instanceof Error ? missing.message : 'its key or address cannot be read');
  }
}

function environmentKey(surroundings: ModelSurroundings): string | undefined {
  const set = surroundings.env('OPENAI_API_KEY')?.trim();
  return set === undefined || set === '' ? undefined : surroundings.secret('OPENAI_API_KEY').trim();
}

/** Empty text counts as missing. */
function filled(text: string | undefined, surroundings: ModelSurroundings): string | undefined {
  if (text === undefined) return undefined;
  const value = surroundings.fillIn(text);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** @throws an error that names the missing variable */
export function filledHeaders(
  headers: ServedModel['headers'] = {},
  surroundings: ModelSurroundings,
): Readonly<Record<string, string>> {
  const named = Object.entries(headers).map(([name, value]) => [name, filled(value, surroundings) ?? ''] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== ''));
}

function isHeader(name: string, value: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(value);
}

function readServer(text: string): URL | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

function unset(name: string, why: string): Result<Connection, Failure> {
  const message = `the model ${name} cannot be asked: ${why}`;
  return bad(failure('MODEL_NOT_CONFIGURED', message, { retry: 'never' }));
}
