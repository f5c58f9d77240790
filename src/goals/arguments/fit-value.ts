// Fits a value to a contract: the value itself, or the only reading that the contract accepts, without guessing.
import { isJsonArray, type Json } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { contractOf } from '../../contract/contract.ts';
import { contractWords } from '../../contract/describe-contract.ts';
import { openKinds, type Schema, schemaOf, valuesOf } from '../../contract/schema.ts';
import { stemOf, wordsOfName } from '../match/terms.ts';
import { dateIn, wantsDate } from './date.ts';
import { measuredIn, numberIn } from './number.ts';

/** `root` holds the `$defs` of the property's schema; `name` is the property's name, which may tell the unit of a number. The error says what fits. */
export function fitTo(value: Json, property: Schema, root: Schema = property, name = ''): Result<Json, string> {
  return fitAt(value, property, root, true, name);
}

/** A single value is only wrapped into a list when `isOuter`, otherwise nested lists would be tried without end. */
function fitAt(value: Json, property: Schema, root: Schema, isOuter: boolean, name = ''): Result<Json, string> {
  const schema = root.$defs === undefined ? property : { ...property, $defs: root.$defs };
  const contract = contractOf(schema);
  // A string property with a date form in its description accepts any text, so dates are converted first.
  const dates = typeof value === 'string' && wantsDate(schema) ? dateIn(unquoted(value), schema) : [];
  for (const candidate of [...dates, value, ...readings(value, schema, isOuter, name)]) {
    const checked = contract.check(candidate);
    if (checked.ok) return good(checked.value);
  }
  return bad(contractWords(property));
}

/** Readings of a value beyond the contract's own coercion, likeliest first. */
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
  // A numeric id becomes a text when the contract takes texts.
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

/** Only these abbreviations match by prefix; other prefixes are words of their own. */
const SHORT_FORMS: ReadonlySet<string> = new Set(['asc', 'desc', 'min', 'max', 'info', 'crit', 'med', 'prod', 'dev']);

/** Splits `bug, urgent` and `bug and urgent`, but not a sentence with a comma. */
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
