// A value as a contract wants it: itself, or what it plainly stands for; never a guess about what was meant.
import { isJsonArray, type Json } from '../../base/json.ts';
import { contractOf } from '../../contract/contract.ts';
import { openKinds, type Schema } from '../../contract/schema.ts';
import { contractWords } from '../../contract/words.ts';

export type Fit = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly expected: string };

/** `root` holds what the property's schema refers to. */
export function fitTo(value: Json, property: Schema, root: Schema = property): Fit {
  const schema = root.$defs === undefined ? property : { ...property, $defs: root.$defs };
  const contract = contractOf(schema);
  for (const candidate of [value, ...readings(value, schema)]) {
    const checked = contract.check(candidate);
    if (checked.ok) return { ok: true, value: checked.value };
  }
  return { ok: false, expected: contractWords(property) };
}

/** What a text, or one thing where many are wanted, may stand for beyond what contracts coerce by themselves. */
function readings(value: Json, schema: Schema): readonly Json[] {
  const kinds = openKinds(schema, schema);
  const read: Json[] = [];
  if (typeof value === 'string') {
    if (kinds.has('boolean')) read.push(...yesOrNo(value));
    if (kinds.has('list') || kinds.has('map')) read.push(...parsed(value));
    if (kinds.has('list')) read.push(...listed(value));
  }
  if (kinds.has('list') && !isJsonArray(value) && value !== null) read.push([value]);
  return read;
}

/** `bug, urgent`, but not a sentence with a comma. */
function listed(text: string): readonly Json[] {
  const parts = text.split(',').map((part) => part.trim());
  return parts.length > 1 && parts.every((part) => /^\S+$/.test(part)) ? [parts] : [];
}

function yesOrNo(text: string): readonly Json[] {
  if (/^\s*(yes|y|on)\s*$/i.test(text)) return [true];
  return /^\s*(no|n|off)\s*$/i.test(text) ? [false] : [];
}

function parsed(text: string): readonly Json[] {
  if (!/^\s*[{[]/.test(text)) return [];
  try {
    return [JSON.parse(text) as Json];
  } catch {
    return [];
  }
}
