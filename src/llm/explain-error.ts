// Explains errors that the OpenAI client throws.
import type { Failure } from '../base/failure.ts';
import { ReplyTooLarge } from './bounded-fetch.ts';
import { cutOff, noReply, type Refusal, refusalFailure, tooMuch, tooSlow, unreachableServer } from './model-failure.ts';
import { readRefusal } from './read-refusal.ts';

export interface RequestError {
  readonly failure: Failure;
  /** The server's error response, if there was one. */
  readonly refusal?: Refusal;
  /** The request was sent, but no response arrived: its usage is unknown, and the server may have read the prompt. */
  readonly isLost?: true;
  /** No connection came about, so nothing was sent. */
  readonly isUnsent?: true;
}

/** The connection was open and closed without a response. */
export const HUNG_UP: readonly (string | undefined)[] = ['ECONNRESET', 'UND_ERR_SOCKET'];

/** A refused connection, an unknown host, or a TLS handshake that failed. */
export const NEVER_CONNECTED =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EPROTO|UND_ERR_CONNECT_TIMEOUT|EBADPORT|(?:ERR_TLS|ERR_SSL|CERT|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO)_\w+)$/;

export interface ErrorContext {
  /** The model as messages name it. */
  readonly who: string;
  readonly mostBytes: number;
  /** Removes secrets. */
  readonly clean: (text: string) => string;
  /** False when no key was sent. */
  readonly hasKey?: boolean;
}

export function explainError(thrown: unknown, { who, mostBytes, clean, hasKey = true }: ErrorContext): RequestError {
  if (thrown instanceof ReplyTooLarge) return { failure: tooMuch(who, mostBytes) };
  if (thrown instanceof SyntaxError) return { failure: noReply(who, 'broken JSON') };
  const refusal = refusalOf(thrown, clean);
  if (refusal !== undefined) return { failure: refusalFailure(who, refusal, hasKey), refusal };
  const why = systemCodeIn(thrown);
  if (why === 'UND_ERR_HEADERS_TIMEOUT' || why === 'UND_ERR_BODY_TIMEOUT') {
    return { failure: tooSlow(who, `for so long that Node gave it up (${why})`), isLost: true };
  }
  // Node throws a TypeError when the connection breaks while a response is being read.
  if (thrown instanceof TypeError) return { failure: cutOff(who, why), isLost: true };
  if (HUNG_UP.includes(why)) return { failure: cutOff(who, why), isLost: true };
  const failure = unreachableServer(who, why);
  return NEVER_CONNECTED.test(why ?? '') ? { failure, isUnsent: true } : { failure };
}

/** The client's error for an error response, or for an error inside a stream. */
function refusalOf(thrown: unknown, clean: (text: string) => string): Refusal | undefined {
  if (!(thrown instanceof Error) || !('status' in thrown) || !('error' in thrown)) return undefined;
  const { status, error } = thrown;
  if (status === undefined && error === undefined) return undefined;
  const headers = 'headers' in thrown && thrown.headers instanceof Headers ? thrown.headers : new Headers();
  const message = thrown.message.replace(/^\d{3} /, '');
  return readRefusal({ error, message, headers, ...(typeof status === 'number' ? { status } : {}) }, clean);
}

/** The code of the underlying system error, such as ECONNREFUSED. */
export function systemCodeIn(thrown: unknown, depth = 0): string | undefined {
  if (!(thrown instanceof Error) || depth > 4) return undefined;
  // Node connects to no port of certain other services, such as 9, and gives this error no code.
  if (thrown.message === 'bad port') return 'EBADPORT';
  const code = 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' ? code : systemCodeIn(thrown.cause, depth + 1);
}
