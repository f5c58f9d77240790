// Asks a model until it answers: what does not get through is asked again, after a while, as often as its profile allows.
import { type Failure, failure } from '../../base/failure.ts';
import { isJsonObject, type Json } from '../../base/json.ts';
import type { Duration } from '../../base/quantity.ts';
import type { ModelProfile } from '../../model/profile.ts';
import type { ModelReply } from '../../model/reply.ts';
import type { ModelRequest } from '../../model/request.ts';
import type { Work } from '../record/call.ts';
import type { Purpose } from '../record/step-events.schema.ts';

export interface Asking {
  readonly purpose: Purpose;
  readonly request: ModelRequest;
  /** Name, version and digest of the prompt. */
  readonly prompt: string;
  readonly maxRetries: number;
}

export type Answered =
  | { readonly ok: true; readonly reply: ModelReply }
  | { readonly ok: false; readonly failure: Failure };

const FIRST_DELAY: Duration = 1_000;
const LONGEST_DELAY: Duration = 30_000;
/** What a server does not speak is left out the next time; so much there is to leave out. */
const FORMATS = 5;

/** How often an ask is tried at most. */
export function mostTries({ maxRetries }: Pick<ModelProfile, 'maxRetries'>): number {
  return maxRetries + FORMATS;
}

/** Every try is a call of its own. */
export function* askModel({ purpose, request, prompt, maxRetries }: Asking): Work<Answered> {
  let after: Duration = 0;
  let tries = 0;
  let formats = 0;
  for (;;) {
    const outcome = yield { kind: 'model', purpose, request, prompt, ...(after > 0 ? { after } : {}) };
    if (outcome.ok) return readReply(outcome.value);
    const { code, retry } = outcome.failure;
    if (code === 'MODEL_FORMAT_UNSUPPORTED') formats += 1;
    else tries += 1;
    if (retry === 'never' || tries > maxRetries || formats >= FORMATS) return outcome;
    after = pauseAfter(tries, outcome.failure);
  }
}

/** As long as the provider says, else longer with each try. */
export function pauseAfter(tries: number, { retryAfter }: Failure): Duration {
  return retryAfter ?? Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** Math.max(0, tries - 1));
}

/** What is recorded as a model's answer was written by a client of the port. */
function readReply(value: Json): Answered {
  if (isJsonObject(value) && typeof value.text === 'string') {
    return { ok: true, reply: JSON.parse(JSON.stringify(value)) as ModelReply };
  }
  return { ok: false, failure: failure('MODEL_REPLY_INVALID', 'what came back is no answer of a model') };
}
