// Asks a model until it answers: a request that fails is retried with backoff, and then sent to the fallbacks of the profile.

import { type Failure, failure } from '../../base/failure.ts';
import { defined, isJsonObject, type Json } from '../../base/json.ts';
import type { Duration } from '../../base/quantity.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { ModelProfile } from '../../model/profile.ts';
import type { ModelReply } from '../../model/reply.ts';
import type { ModelRequest } from '../../model/request.ts';
import type { NamedModel } from '../../template/model-use.ts';
import type { Work } from '../record/call.ts';
import type { Purpose } from '../record/step-events.schema.ts';

/** A request to a model, with the prompt it renders and its retries. */
export interface ModelQuery {
  readonly purpose: Purpose;
  readonly request: ModelRequest;
  /** Name, version and digest of the prompt. */
  readonly prompt: string;
  /** The model of the request, with its fallbacks. */
  readonly model: NamedModel;
}

const FIRST_DELAY: Duration = 1_000;
const LONGEST_DELAY: Duration = 30_000;
/** More refusals than any client has features to leave out. A refusal costs nothing and is no try of the step. */
const MOST_REFUSALS = 20;

/**
 * Every try is a call, also of a fallback. A fallback is asked when the retries of the model before it are used up, or
 * when that model may not be asked again.
 */
export function* askModel({ model, ...query }: ModelQuery): Work<Result<ModelReply, Failure>> {
  let asked = yield* askUntilAnswered(query, model.profile);
  for (const { name, profile } of model.fallbacks ?? []) {
    if (asked.ok || !isFaultOfModel(asked.error)) return asked;
    const { temperature: _, ...request } = query.request;
    const { temperature } = profile;
    const same = { ...request, model: name, ...defined({ temperature }) };
    asked = yield* askUntilAnswered({ ...query, request: same }, profile);
  }
  return asked;
}

/** False when the run itself stopped the request, for example because its budget is spent. */
function isFaultOfModel({ code }: Failure): boolean {
  return code.startsWith('MODEL_') && code !== 'MODEL_ABORTED';
}

function* askUntilAnswered(
  { purpose, request, prompt }: Omit<ModelQuery, 'model'>,
  { maxRetries }: ModelProfile,
): Work<Result<ModelReply, Failure>> {
  let after: Duration = 0;
  let tries = 0;
  let refusals = 0;
  for (;;) {
    const outcome = yield { kind: 'model', purpose, request, prompt, ...(after > 0 ? { after } : {}) };
    if (outcome.ok) return readReply(outcome.value);
    const { code, retry } = outcome.error;
    if (code === 'MODEL_FORMAT_UNSUPPORTED') refusals += 1;
    else tries += 1;
    if (retry === 'never' || tries > maxRetries || refusals >= MOST_REFUSALS) return bad(outcome.error);
    after = pauseAfter(tries, outcome.error);
  }
}

/** The wait that the provider asks for, else a wait that doubles with each try. */
export function pauseAfter(tries: number, { retryAfter }: Failure): Duration {
  return retryAfter ?? Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** Math.max(0, tries - 1));
}

/** Reads a recorded answer; a client of the model port wrote it, so only its outline is checked. */
function readReply(value: Json): Result<ModelReply, Failure> {
  if (isJsonObject(value) && typeof value.text === 'string') {
    return good(JSON.parse(JSON.stringify(value)) as ModelReply);
  }
  return bad(
    failure(
      'MODEL_REPLY_INVALID',
      'the reply of the model has no `text`; its client must return one, empty beside tool calls',
    ),
  );
}
