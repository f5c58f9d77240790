// How an ask of a model ends when it does not succeed: the codes, what each says, and which are worth another try.
import { type Failure, failure } from '../base/failure.ts';
import type { Duration } from '../base/quantity.ts';

/** What a server said when it did not answer. */
export interface Refusal {
  /** Of HTTP. */
  readonly status: number;
  /** The server's own word for it, such as `insufficient_quota`. */
  readonly code?: string;
  /** The server's own words; without secrets. */
  readonly message?: string;
  readonly retryAfter?: Duration;
}

/** Characters of a server's own words that are kept. */
const LONGEST_WORDS = 400;

const TOO_LONG =
  /context_length_exceeded|context[ _-]?(?:length|window|size)|maximum (?:context|prompt)|prompt is too long|input is too long|too many (?:input )?tokens/i;

/** `who`: the model as messages name it. */
export function refusalFailure(who: string, refusal: Refusal): Failure {
  const { status, retryAfter } = refusal;
  const said = wordsOf(refusal.message);
  const heard = `${refusal.code ?? ''} ${refusal.message ?? ''}`;
  if (status === 402 || (status === 429 && /insufficient_quota|billing/i.test(heard))) {
    return failure('MODEL_ACCESS_REFUSED', `${who} has no credit left (${status})${said}`, { retry: 'never' });
  }
  // What a server says about a key may hold parts of it.
  if (status === 401) {
    const message = `${who} did not accept the key (401); check OPENAI_API_KEY, or \`api_key\` of the model`;
    return failure('MODEL_ACCESS_REFUSED', message, { retry: 'never' });
  }
  if (status === 403) {
    return failure('MODEL_ACCESS_REFUSED', `${who} may not be used with this key (403)${said}`, { retry: 'never' });
  }
  if (status === 429) {
    return failure('MODEL_RATE_LIMITED', `${who} has had too many requests (429)${said}`, { retryAfter });
  }
  if (status === 413 || (status < 500 && TOO_LONG.test(heard))) {
    return failure('MODEL_CONTEXT_EXCEEDED', `the request is longer than ${who} can read (${status})${said}`, {
      retry: 'never',
    });
  }
  if (status >= 500 || status === 408 || status === 409 || status === 425) {
    return failure('MODEL_UNAVAILABLE', `${who} could not answer (${status})${said}`, { retryAfter });
  }
  if (status === 404) {
    const message = `${who} is not there (404): check \`model\` and \`base_url\`${said}`;
    return failure('MODEL_REQUEST_REFUSED', message, { retry: 'never' });
  }
  return failure('MODEL_REQUEST_REFUSED', `${who} refused the request (${status})${said}`, { retry: 'never' });
}

export function stopped(who: string): Failure {
  return failure('MODEL_ABORTED', `${who} was stopped before it answered`);
}

/** `when`: what the time was. */
export function tooSlow(who: string, when: string): Failure {
  return failure('MODEL_TIMEOUT', `${who} did not answer ${when}`);
}

/** `why`: a system's code such as ECONNREFUSED. */
export function unreachableServer(who: string, why?: string): Failure {
  return failure('MODEL_UNAVAILABLE', `${who} cannot be reached${why === undefined ? '' : ` (${why})`}`);
}

export function cutOff(who: string, why?: string): Failure {
  const reason = why === undefined ? '' : ` (${why})`;
  return failure('MODEL_UNAVAILABLE', `the connection to ${who} was cut before the answer was whole${reason}`);
}

export function noReply(who: string, what: string): Failure {
  return failure('MODEL_REPLY_INVALID', `${who} answered ${what}; check \`base_url\``);
}

export function tooMuch(who: string, most: number): Failure {
  return failure('MODEL_REPLY_TOO_LARGE', `${who} answered more than ${most} bytes`, { retry: 'never' });
}

/** The next ask is made without it, so it may be made at once. */
export function unsupported(who: string, feature: string): Failure {
  const message = `${who} does not support ${feature}; it is asked without from now on`;
  return failure('MODEL_FORMAT_UNSUPPORTED', message, { retryAfter: 0 });
}

/** One line, and no page of HTML. */
function wordsOf(text: string | undefined): string {
  const line = (text ?? '').replace(/[\s\p{Cc}]+/gu, ' ').trim();
  if (line === '' || line.startsWith('<')) return '';
  const { length } = line;
  return `: ${length <= LONGEST_WORDS ? line : `${line.slice(0, LONGEST_WORDS).replace(/[\uD800-\uDBFF]$/, '')}…`}`;
}
