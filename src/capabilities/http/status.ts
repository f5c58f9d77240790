// Turns unwanted HTTP statuses into failures, with the wait that the server asked for.
import { defined } from '../../base/json.ts';
import type { Duration, Instant } from '../../base/quantity.ts';
import { CapabilityError } from '../capability-error.ts';
import type { HttpAnswer } from './access.ts';

/** A retry may help: the server was busy or down. */
const PASSING = [408, 425, 429, 500, 502, 503, 504];
const SHOWN = 300;

/** @throws CapabilityError HTTP_STATUS for a status other than 2xx and those of `also` */
export function wantStatus(answer: HttpAnswer, also: readonly number[], now: Instant): HttpAnswer {
  const { status, url, body, headers } = answer;
  if ((status >= 200 && status < 300) || also.includes(status)) return answer;
  const said = body.includes(0) ? '' : body.subarray(0, SHOWN).toString().replace(/\s+/g, ' ').trim();
  const wait = waitFor(headers['retry-after'], now);
  throw new CapabilityError('HTTP_STATUS', `${new URL(url).host} answers ${status}${said === '' ? '' : `: ${said}`}`, {
    retry: PASSING.includes(status) ? 'may' : 'never',
    ...defined({ retryAfter: wait }),
  });
}

/** Reads seconds or a date. */
function waitFor(said: string | undefined, now: Instant): Duration | undefined {
  if (said === undefined) return undefined;
  const wait = /^\d+$/.test(said) ? Number(said) * 1_000 : Date.parse(said) - now;
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}
