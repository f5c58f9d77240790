// Asks a model for a JSON object; undefined when it gives none or the limit of requests is reached.
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Work } from '../../engine/record/call.ts';
import { readValue } from '../../model/read-value.ts';
import type { Message } from '../../model/request.ts';
import { MISSING_ASKS } from '../../template/keys/missing.ts';
import type { NamedModel } from '../../template/model-use.ts';
import { askPlanningModel, type PromptForm } from '../prompt-form.ts';

/** The model, and the number of requests for one proposal so far. */
export interface Asker {
  readonly model: NamedModel | undefined;
  asked: number;
}

export function* askForJson(
  asker: Asker,
  form: PromptForm,
  messages: readonly Message[],
): Work<JsonObject | undefined> {
  if (asker.model === undefined || asker.asked >= MISSING_ASKS) return undefined;
  asker.asked += 1;
  const asked = yield* askPlanningModel(asker.model, form, messages);
  if (!asked.ok || asked.value.finish !== 'stop') return undefined;
  const read = readValue(asked.value.text, { fits: isJsonObject })?.value;
  return isJsonObject(read) ? read : undefined;
}
