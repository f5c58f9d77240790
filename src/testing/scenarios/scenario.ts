// Recorded scenarios: what a run of a template is given, what people answer in it, and how it must end.
import { isJsonObject, type Json } from '../../base/json.ts';
import { type KeyValues, readKeys } from '../../template/keys/key.ts';
import { type Scenarios, type scenarioKeys, scenariosKeys } from '../../template/schema/scenarios.ts';

export type { ExpectedOutcome, PersonsAnswer, Scenarios } from '../../template/schema/scenarios.ts';

/** One recorded run of a template. `schemas/scenarios.schema.json` describes its keys: name, input, environment, cassette, budget, raise, answers and expect. */
export type Scenario = KeyValues<typeof scenarioKeys>;

/** Reads a document whose shape has been checked. */
export function scenariosOf(document: Json): Scenarios {
  return readKeys(scenariosKeys, isJsonObject(document) ? document : {});
}
