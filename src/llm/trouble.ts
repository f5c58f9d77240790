// What went wrong with a try, read from what the client threw.
import type { Failure } from '../base/failure.ts';
import { defined, isJsonObject } from '../base/json.ts';
import type { Duration } from '../base/quantity.ts';
import { ReplyTooLarge } from './bounded-fetch.ts';
import { cutOff, noReply, type Refusal, refusalFailure, tooMuch, tooSlow, unreachableServer } from './model-failure.ts';

export interface Trouble {
  readonly failure: Failure;
  /** What the server said, when it said something. */
  readonly refusal?: Refusal;
  /** It was sent, and no word came of it: what it used is not known, and its prompt may well have been read. */
  readonly isLost?: true;
}

/** The connection was there, and ended before anything came. */
const HUNG_UP: readonly (string | undefined)[] = ['ECONNRESET', 'UND_ERR_SOCKET'];

export interface TroubleContext {
  /** The model as messages name it. */
  readonly who: string;
  readonly mostBytes: number;
  /** Takes secrets out. */
  readonly clean: (text: string) => string;
}

export function troubleOf(thrown: unknown, { who, mostBytes, clean }: TroubleContext): Trouble {
  if (thrown instanceof ReplyTooLarge) return { failure: tooMuch(who, mostBytes) };
  if (thrown instanceof SyntaxError) return { failure: noReply(who, 'broken JSON') };
  const refusal = refusalOf(thrown, clean);
  if (refusal !== undefined) return { failure: refusalFailure(who, refusal), refusal };
  const why = systemCodeIn(thrown);
  if (why === 'UND_ERR_HEADERS_TIMEOUT' || why === 'UND_ERR_BODY_TIMEOUT') {
    return { failure: tooSlow(who, `for so long that Node gave it up (${why})`), isLost: true };
  }
  // What is thrown while an answer is read comes from Node itself, not from the client.
  if (thrown instanceof TypeError) return { failure: cutOff(who, why), isLost: true };
  return { failure: unreachableServer(who, why), ...(HUNG_UP.includes(why) ? { isLost: true } : {}) };
}

/** What the client throws for an answer that is none, or for one that a stream brought. */
function refusalOf(thrown: unknown, clean: (text: string) => string): Refusal | undefined {
  if (!(thrown instanceof Error) || !('status' in thrown) || !('error' in thrown)) return undefined;
  const { status, error } = thrown;
  if (status === undefined && error === undefined) return undefined;
  const code = isJsonObject(error) ? (error.code ?? error.type) : undefined;
  const headers = 'headers' in thrown && thrown.headers instanceof Headers ? thrown.headers : new Headers();
  const retryAfter = retryAfterOf(headers);
  return {
    status: typeof status === 'number' ? status : statusOfCode(code),
    ...(typeof code === 'string' ? { code } : {}),
    message: clean(thrown.message.replace(/^\d{3} /, '')),
    ...defined({ retryAfter }),
  };
}

/** Of an error within an answer that began well. */
function statusOfCode(code: unknown): number {
  if (typeof code === 'number' && code >= 400 && code < 600) return code;
  return typeof code === 'string' && /rate_?limit/i.test(code) ? 429 : 500;
}

function retryAfterOf(headers: Headers): Duration | undefined {
  const inMs = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (inMs >= 0) return Math.ceil(inMs);
  const text = headers.get('retry-after') ?? '';
  if (/^\s*\d+(?:\.\d+)?\s*$/.test(text)) return Math.ceil(Number(text) * 1_000);
  const until = Date.parse(text);
  if (Number.isNaN(until)) return undefined;
  // The server's clock says how long that is from now, where it tells.
  const now = Date.parse(headers.get('date') ?? '');
  return Math.max(0, until - (Number.isNaN(now) ? Date.now() : now));
}

/** The code of the system error that something thrown goes back to, such as ECONNREFUSED. */
function systemCodeIn(thrown: unknown, depth = 0): string | undefined {
  if (!(thrown instanceof Error) || depth > 4) return undefined;
  const code = 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' ? code : systemCodeIn(thrown.cause, depth + 1);
}
