// What a planner asks to see, as a template or a planner's reply writes it: a list of maps, or of texts such as `ingest.files`.
import { isJsonObject, type Json } from '../../base/json.ts';
import { defined, flagAt, textAt } from '../keys/readers.ts';
import type { Need } from '../step-spec.ts';

/** One need counts as a list of it. */
export function readNeeds(written: Json | undefined): readonly Need[] {
  if (written === undefined || written === null) return [];
  const items: readonly Json[] = Array.isArray(written) ? written : [written];
  return items.flatMap((each) => readNeed(each) ?? []);
}

function readNeed(written: Json): Need | undefined {
  if (typeof written === 'string') return fromText(written);
  const step = isJsonObject(written) ? textAt(written, 'step') : undefined;
  if (!isJsonObject(written) || step === undefined) return undefined;
  const full = flagAt(written, 'full') === true ? true : undefined;
  return defined<Need>({ step, path: textAt(written, 'path'), as: textAt(written, 'as'), full });
}

/** `plan_recon.1/sniff.columns`: behind the last slash, what follows the first dot is a path. */
function fromText(written: string): Need {
  const dot = written.indexOf('.', written.lastIndexOf('/') + 1);
  if (dot <= 0 || dot === written.length - 1) return { step: written };
  return { step: written.slice(0, dot), path: written.slice(dot + 1) };
}
