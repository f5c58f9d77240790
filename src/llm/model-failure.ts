// The failures of model requests: their codes, messages, and whether a retry may help.
import { type Failure, failure } from '../base/failure.ts';
import { missingText } from '../base/missing-package.ts';
import { type Duration, durationText } from '../base/quantity.ts';

/** The error response of a server. */
export interface Refusal {
  /** The HTTP status. */
  readonly status: number;
  /** The server's own code, such as `insufficient_quota`. */
  readonly code?: string;
  /** The server's own message, without secrets. */
  readonly message?: string;
  /** The parameters that the server names, such as `temperature` or `messages.2.content`. */
  readonly params?: readonly string[];
  readonly retryAfter?: Duration;
}

/** A program without the client of model servers cannot ask them. */
export function withoutClient(who: string): Failure {
  return failure('PACKAGE_MISSING', missingText(who, 'openai'), { retry: 'never' });
}

/** Characters to keep of a server's message. */
const LONGEST_WORDS = 400;

const TOO_LONG =
  /context_length_exceeded|context[ _-]?(?:length|window|size)|maximum (?:context|prompt)|prompt is too long|input is too long|too many (?:input )?tokens/i;

/** @param who the model as messages name it @param hasKey false when no key was sent */
export function refusalFailure(who: string, refusal: Refusal, hasKey = true): Failure {
  const { status, retryAfter } = refusal;
  const said = wordsOf(refusal.message);
  const heard = `${refusal.code ?? ''} ${refusal.message ?? ''}`;
  if (status === 402 || (status === 429 && /insufficient_quota|billing/i.test(heard))) {
    return failure('MODEL_ACCESS_REFUSED', `${who} has no credit left (${status})${said}`, { retry: 'never' });
  }
  // The server's message may quote parts of the key.
  if (status === 401) {
    const message = hasKey
      ? `${who} did not accept the key (401); check OPENAI_API_KEY, or \`api_key\` of the model`
      : `${who} wants a key (401), and got none: OPENAI_API_KEY goes to OPENAI_BASE_URL alone; give the model \`api_key: \${secret.NAME}\``;
    return failure('MODEL_ACCESS_REFUSED', message, { retry: 'never' });
  }
  if (status === 403) {
    return failure('MODEL_ACCESS_REFUSED', `${who} may not be used with this key (403)${said}`, { retry: 'never' });
  }
  if (status === 429) {
    return failure('MODEL_RATE_LIMITED', `${who} has had too many requests (429)${said}`, { retryAfter });
  }
  if (/tool_use_failed/i.test(refusal.code ?? '')) {
    return failure('MODEL_REPLY_INVALID', `${who} wrote a tool call that its server cannot read (${status})${said}`);
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

/** @param when the time limit in words */
export function tooSlow(who: string, when: string): Failure {
  return failure('MODEL_TIMEOUT', `${who} did not answer ${when}`);
}

/** @param why a system error code such as ECONNREFUSED */
export function unreachableServer(who: string, why?: string): Failure {
  return failure('MODEL_UNAVAILABLE', `${who} cannot be reached${why === undefined ? '' : ` (${why})`}`);
}

export function cutOff(who: string, why?: string): Failure {
  const reason = why === undefined ? '' : ` (${why})`;
  return failure('MODEL_UNAVAILABLE', `the connection to ${who} was cut before the answer was whole${reason}`);
}

/** Ends the retries when the server asks for a longer wait than the profile allows. */
export function withinPatience(failed: Failure, longest: Duration): Failure {
  const { retryAfter, message } = failed;
  if (retryAfter === undefined || retryAfter <= longest) return failed;
  const asked = `it asks to wait ${durationText(retryAfter)}, longer than max_retry_after (${durationText(longest)})`;
  return { ...failed, message: `${message}; ${asked}`, retry: 'never' };
}

export function noReply(who: string, what: string): Failure {
  return failure('MODEL_REPLY_INVALID', `${who} answered ${what}; check \`base_url\``);
}

export function tooMuch(who: string, most: number): Failure {
  return failure('MODEL_REPLY_TOO_LARGE', `${who} answered more than ${most} bytes`, { retry: 'never' });
}

/**
 * The next request goes without what was refused, so it may be sent at once.
 * @param refusal follows the name of the model
 */
export function unsupported(who: string, refusal: string): Failure {
  return failure('MODEL_FORMAT_UNSUPPORTED', `${who} ${refusal}`, { retryAfter: 0 });
}

/** For a profile that names the Responses API, and a server that seems to have none. */
export function withoutResponses(failed: Failure): Failure {
  return { ...failed, message: `${failed.message}; a server without the Responses API needs \`api: chat\`` };
}

/** The text in one line; nothing for a page of HTML. */
function wordsOf(text: string | undefined): string {
  const line = (text ?? '').replace(/[\s\p{Cc}]+/gu, ' ').trim();
  if (line === '' || line.startsWith('<')) return '';
  const { length } = line;
  return `: ${length <= LONGEST_WORDS ? line : `${line.slice(0, LONGEST_WORDS).replace(/[\uD800-\uDBFF]$/, '')}…`}`;
}
