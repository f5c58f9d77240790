// Asks a model for a JSON object; undefined when it gives none or the limit of requests is reached.
import { defined, isJsonObject, type JsonObject } from '../../base/json.ts';
import { askModel } from '../../engine/agent/model-tries.ts';
import type { Prompt } from '../../engine/agent/prompt.ts';
import type { Work } from '../../engine/record/call.ts';
import type { AnswerShape, Message } from '../../model/request.ts';
import { readReplyText } from '../../planning/read/reply-text.ts';
import { MISSING_ASKS } from '../../template/keys/missing.ts';
import type { NamedModel } from '../../template/model-named.ts';

/** The model, and the number of requests for one proposal so far. */
export interface Asker {
  readonly model: NamedModel | undefined;
  asked: number;
}

export function* askForJson(
  asker: Asker,
  rules: Prompt,
  answer: AnswerShape,
  said: readonly Message[],
): Work<JsonObject | undefined> {
  if (asker.model === undefined || asker.asked >= MISSING_ASKS) return undefined;
  asker.asked += 1;
  const { name, profile } = asker.model;
  const { temperature, maxRetries } = profile;
  const request = {
    model: name,
    messages: [{ role: 'system' as const, content: rules.text }, ...said],
    answer,
    ...defined({ temperature }),
  };
  const asked = yield* askModel({ purpose: 'plan', request, prompt: rules.stamp, maxRetries });
  if (!asked.ok || asked.value.finish !== 'stop') return undefined;
  const read = readReplyText(asked.value.text)?.value;
  return isJsonObject(read) ? read : undefined;
}
