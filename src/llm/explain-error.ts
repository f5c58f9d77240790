// Explains errors that the OpenAI client throws.
import type { Failure } from '../base/failure.ts';
import { defined, isJsonArray, isJsonObject, type Json, ownProperty } from '../base/json.ts';
import type { Duration } from '../base/quantity.ts';
import { ReplyTooLarge } from './bounded-fetch.ts';
import { cutOff, noReply, type Refusal, refusalFailure, tooMuch, tooSlow, unreachableServer } from './model-failure.ts';

export interface RequestError {
  readonly failure: Failure;
  /** The server's error response, if there was one. */
  readonly refusal?: Refusal;
  /** The request was sent, but no response arrived: its usage is unknown, and the server may have read the prompt. */
  readonly isLost?: true;
}

/** The connection was open and closed without a response. */
const HUNG_UP: readonly (string | undefined)[] = ['ECONNRESET', 'UND_ERR_SOCKET'];

export interface ErrorContext {
  /** The model as messages name it. */
  readonly who: string;
  readonly mostBytes: number;
  /** Removes secrets. */
  readonly clean: (text: string) => string;
}

export function explainError(thrown: unknown, { who, mostBytes, clean }: ErrorContext): RequestError {
  if (thrown instanceof ReplyTooLarge) return { failure: tooMuch(who, mostBytes) };
  if (thrown instanceof SyntaxError) return { failure: noReply(who, 'broken JSON') };
  const refusal = refusalOf(thrown, clean);
  if (refusal !== undefined) return { failure: refusalFailure(who, refusal), refusal };
  const why = systemCodeIn(thrown);
  if (why === 'UND_ERR_HEADERS_TIMEOUT' || why === 'UND_ERR_BODY_TIMEOUT') {
    return { failure: tooSlow(who, `for so long that Node gave it up (${why})`), isLost: true };
  }
  // Node throws a TypeError when the connection breaks while a response is being read.
  if (thrown instanceof TypeError) return { failure: cutOff(who, why), isLost: true };
  return { failure: unreachableServer(who, why), ...(HUNG_UP.includes(why) ? { isLost: true } : {}) };
}

/** The client's error for an error response, or for an error inside a stream. */
function refusalOf(thrown: unknown, clean: (text: string) => string): Refusal | undefined {
  if (!(thrown instanceof Error) || !('status' in thrown) || !('error' in thrown)) return undefined;
  const { status } = thrown;
  const error = unwrapped(thrown.error);
  if (status === undefined && error === undefined) return undefined;
  const code = isJsonObject(error) ? (error.code ?? error.type) : undefined;
  const headers = 'headers' in thrown && thrown.headers instanceof Headers ? thrown.headers : new Headers();
  const retryAfter = retryAfterOf(headers);
  const params = paramsOf(error);
  return {
    status: typeof status === 'number' ? status : statusOfCode(code),
    ...(typeof code === 'string' ? { code } : {}),
    message: clean(upstreamWords(error) ?? wordsIn(error) ?? thrown.message.replace(/^\d{3} /, '')),
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

/** The code of the underlying system error, such as ECONNREFUSED. */
function systemCodeIn(thrown: unknown, depth = 0): string | undefined {
  if (!(thrown instanceof Error) || depth > 4) return undefined;
  const code = 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' ? code : systemCodeIn(thrown.cause, depth + 1);
}
