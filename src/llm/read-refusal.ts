// Reads the error response of a server, in the forms that servers have.
import { defined, isJsonArray, isJsonObject, type Json, ownProperty } from '../base/json.ts';
import type { Duration } from '../base/quantity.ts';
import type { Refusal } from './model-failure.ts';

export interface ErrorResponse {
  /** Absent for an error inside a response that began well. */
  readonly status?: number;
  /** The error in the body, of any shape. */
  readonly error: unknown;
  /** The words of the client, for an error without any. */
  readonly message: string;
  readonly headers: Headers;
}

/** @param clean removes secrets */
export function readRefusal(response: ErrorResponse, clean: (text: string) => string): Refusal {
  const error = unwrapped(response.error);
  const code = isJsonObject(error) ? (error.code ?? error.type) : undefined;
  const retryAfter = retryAfterOf(response.headers);
  const params = paramsOf(error);
  return {
    status: response.status ?? statusOfCode(code),
    ...(typeof code === 'string' ? { code } : {}),
    message: clean(upstreamWords(error) ?? wordsIn(error) ?? response.message),
    ...(params.length === 0 ? {} : { params }),
    ...defined({ retryAfter }),
  };
}

/** Gemini sends a list with one error in it. */
function unwrapped(error: unknown): unknown {
  const [only] = Array.isArray(error) ? error : [];
  return isJsonObject(only) && isJsonObject(only.error) ? only.error : error;
}

function wordsIn(error: unknown): string | undefined {
  if (typeof error === 'string') return error;
  return isJsonObject(error) && typeof error.message === 'string' ? error.message : undefined;
}

/** A router says that the provider failed, and beside it what the provider said. */
function upstreamWords(error: unknown): string | undefined {
  if (!isJsonObject(error)) return undefined;
  const raw = ownProperty(error.metadata, 'raw');
  return typeof raw === 'string' ? `${wordsIn(error) ?? ''}: ${raw}` : undefined;
}

/** Reads `param`, or the places of the validation errors of FastAPI servers. */
function paramsOf(error: unknown): readonly string[] {
  if (!isJsonObject(error)) return [];
  if (typeof error.param === 'string' && error.param !== '') return [error.param];
  const detail = error.detail ?? ownProperty(error.message, 'detail');
  if (!isJsonArray(detail)) return [];
  return detail.map((each) => placeText(ownProperty(each, 'loc'))).filter((place) => place !== '');
}

function placeText(loc: Json | undefined): string {
  if (!isJsonArray(loc)) return '';
  return loc.filter((part, at) => at > 0 || part !== 'body').join('.');
}

/** Maps the code of an error inside a response with status 200. */
function statusOfCode(code: unknown): number {
  if (typeof code === 'number' && code >= 400 && code < 600) return code;
  if (typeof code !== 'string') return 500;
  if (/rate_?limit/i.test(code)) return 429;
  return /^invalid|context_length/i.test(code) ? 400 : 500;
}

function retryAfterOf(headers: Headers): Duration | undefined {
  const inMs = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (inMs >= 0) return Math.ceil(inMs);
  const text = headers.get('retry-after') ?? '';
  if (/^\s*\d+(?:\.\d+)?\s*$/.test(text)) return Math.ceil(Number(text) * 1_000);
  const until = Date.parse(text);
  if (Number.isNaN(until)) return undefined;
  // Uses the server's clock where the response tells it.
  const now = Date.parse(headers.get('date') ?? '');
  return Math.max(0, until - (Number.isNaN(now) ? Date.now() : now));
}
