// A value as a contract wants it: itself, or the one thing that it plainly stands for; never a guess about what was meant.
import { isJsonArray, type Json } from '../../base/json.ts';
import { contractOf } from '../../contract/contract.ts';
import { openKinds, type Schema, schemaOf, valuesOf } from '../../contract/schema.ts';
import { contractWords } from '../../contract/words.ts';
import { stemOf, wordsOfName } from '../match/terms.ts';
import { dateIn, wantsDate } from './date.ts';
import { measuredIn, numberIn } from './number.ts';

export type Fit = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly expected: string };

/** `root` holds what the property's schema refers to; `name`: of the property, which may say what a number counts. */
export function fitTo(value: Json, property: Schema, root: Schema = property, name = ''): Fit {
  return fitAt(value, property, root, true, name);
}

/** `isOuter`: only there one thing stands for a list of it, else a list of lists of lists would be tried. */
function fitAt(value: Json, property: Schema, root: Schema, isOuter: boolean, name = ''): Fit {
  const schema = root.$defs === undefined ? property : { ...property, $defs: root.$defs };
  const contract = contractOf(schema);
  // A text that is said to be a date in some form takes any other text too.
  const dates = typeof value === 'string' && wantsDate(schema) ? dateIn(unquoted(value), schema) : [];
  for (const candidate of [...dates, value, ...readings(value, schema, isOuter, name)]) {
    const checked = contract.check(candidate);
    if (checked.ok) return { ok: true, value: checked.value };
  }
  return { ok: false, expected: contractWords(property) };
}

/** What a value may stand for beyond what contracts coerce by themselves, the likeliest first. */
function readings(value: Json, schema: Schema, isOuter: boolean, name: string): readonly Json[] {
  const kinds = openKinds(schema, schema);
  const read: Json[] = [];
  if (typeof value === 'string') {
    const text = unquoted(value);
    if (text !== value) read.push(text);
    read.push(...amongListed(text, valuesOf(schema) ?? []));
    if (kinds.has('boolean')) read.push(...yesOrNo(text));
    if (kinds.has('number'))
      read.push(...numberIn(text), ...measuredIn(text, [name, schema.title, schema.description]));
    if (kinds.has('string')) read.push(...dateIn(text, schema));
    if (kinds.has('list') || kinds.has('map')) read.push(...parsed(text));
    if (kinds.has('list')) read.push(...listed(text, schemaOf(schema.items)));
  }
  // An id that looks like a number is one only where the contract takes numbers.
  if (typeof value === 'number' && kinds.has('string')) read.push(String(value));
  if ((value === 0 || value === 1) && kinds.has('boolean')) read.push(value === 1);
  if (kinds.has('list') && isJsonArray(value)) read.push(...eachFitted(value, schemaOf(schema.items)));
  if (isOuter && kinds.has('list') && !isJsonArray(value) && value !== null) {
    const one = typeof value === 'string' ? unquoted(value) : value;
    read.push([one], ...eachFitted([one], schemaOf(schema.items)));
  }
  return read;
}

function unquoted(text: string): string {
  return /^(["'`])([^"'`]*)\1$/.exec(text.trim())?.[2] ?? text.trim();
}

/** `in progress` is `IN_PROGRESS`, and `ascending` is `asc`, where no other listed value may be meant. */
function amongListed(text: string, values: readonly Json[]): readonly Json[] {
  const said = stemmed(text);
  const texts = values.filter((value) => typeof value === 'string');
  for (const isMeant of [(one: string) => one === said, (one: string) => isShort(one, said)]) {
    const [only, another] = texts.filter((value) => isMeant(stemmed(value)));
    if (only !== undefined) return another === undefined ? [only] : [];
  }
  return [];
}

function stemmed(text: string): string {
  return wordsOfName(text).map(stemOf).join(' ');
}

const SHORTEST = 3;

function isShort(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length >= SHORTEST && !long.includes(' ') && long.startsWith(short) && SHORT_FORMS.has(short);
}

/** Other beginnings are words of their own. */
const SHORT_FORMS: ReadonlySet<string> = new Set(['asc', 'desc', 'min', 'max', 'info', 'crit', 'med', 'prod', 'dev']);

/** `bug, urgent` and `bug and urgent`, but not a sentence with a comma. */
function listed(text: string, items: Schema): readonly Json[] {
  const parts = text.split(/\s*[,;]\s*(?:and\s+)?|\s+and\s+/).filter((part) => part !== '');
  const isListed = valuesOf(items) !== undefined;
  const isList = parts.length > 1 && (isListed || parts.every((part) => /^(?:\S+|"[^"]*")$/.test(part)));
  return isList ? [parts, ...eachFitted(parts, items)] : [];
}

function eachFitted(values: readonly Json[], items: Schema): readonly Json[] {
  const fitted = values.flatMap((value) => {
    const fit = fitAt(value, items, items, false);
    return fit.ok ? [fit.value] : [];
  });
  return fitted.length === values.length ? [fitted] : [];
}

function yesOrNo(text: string): readonly Json[] {
  if (/^(?:yes|y|on|enabled)$/i.test(text)) return [true];
  return /^(?:no|n|off|disabled)$/i.test(text) ? [false] : [];
}

function parsed(text: string): readonly Json[] {
  if (!/^[{[]/.test(text)) return [];
  try {
    return [JSON.parse(text) as Json];
  } catch {
    return [];
  }
}
