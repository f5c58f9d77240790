// Recorded scenarios: what a run of a template is given, what people answer in it, and how it must end.
import { isJsonObject, type Json } from '../../base/json.ts';
import { readKeys } from '../../template/keys/key.ts';
import { type Scenarios, scenariosKeys } from '../../template/schema/scenarios.ts';

export type { ExpectedOutcome, PersonsAnswer, Scenario, Scenarios } from '../../template/schema/scenarios.ts';

/** Reads a document whose shape has been checked. */
export function scenariosOf(document: Json): Scenarios {
  return readKeys(scenariosKeys, isJsonObject(document) ? document : {});
}
