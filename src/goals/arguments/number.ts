// Reads numbers as people write them: digits with separators, `#12`, words, and numbers with a unit or noun.
import type { Json } from '../../base/json.ts';
import { stemOf, wordsOfName } from '../match/terms.ts';

const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

const byWord: ReadonlyMap<string, number> = new Map([
  ...UNITS.map((word, at) => [word, at] as const),
  ...TENS.map((word, at) => [word, (at + 2) * 10] as const),
  ['a hundred', 100],
  ['hundred', 100],
  ['one hundred', 100],
  ['a dozen', 12],
  ['a thousand', 1000],
]);

/** A pattern, without groups, for every number that is read. */
export const NUMBER = `(?:#?\\d{1,3}(?:,\\d{3})+|#?\\d+|(?:${TENS.join('|')})[- ](?:${UNITS.slice(1, 10).join('|')})|${[...byWord.keys()].toSorted((one, other) => other.length - one.length).join('|')})`;

/** The number, when the text is a number and nothing else. */
export function numberIn(text: string): readonly number[] {
  const plain = text.trim().toLowerCase();
  const digits = /^#?(\d{1,3}(?:,\d{3})+|\d+)$/.exec(plain)?.[1]?.replaceAll(',', '');
  // A number with leading zeros is a name.
  if (digits !== undefined) return /^(?:0|[1-9]\d{0,14})$/.test(digits) ? [Number(digits)] : [];
  const word = byWord.get(plain);
  if (word !== undefined) return [word];
  const [tens = '', unit = '', another] = plain.split(/[- ]/);
  const [ten, one] = [TENS.indexOf(tens), UNITS.indexOf(unit)];
  return another === undefined && ten >= 0 && one > 0 && one < 10 ? [(ten + 2) * 10 + one] : [];
}

/** Units: a number with a unit is read only for a property that mentions the unit. */
export const UNIT =
  '(?:(?:milli)?seconds?|secs?|ms|minutes?|mins?|hours?|days?|weeks?|months?|years?|quarters?|percent|pixels?|px|bytes?|[kmg]b|met(?:er|re)s?|kilomet(?:er|re)s?|km|miles?|degrees?|dollars?|euros?|cents?|usd|eur|digits?|characters?|chars?|letters?|words?|tokens?|times?)';

const LED =
  '(?:(?:the|only|just|exactly|at most|up to|no more than|max(?:imum)?|maximum of|first|last|latest|top|next|newest|oldest)\\s+)*';
const COUNTED = new RegExp(`^${LED}(${NUMBER})(?:\\s+(\\p{L}+)|\\s+(per|on each|on a|a) page)?$`, 'iu');
const NUMBERED = new RegExp(`^(?:the )?(\\p{L}+(?: \\p{L}+)?) (?:number |no\\.? )?(${NUMBER})$`, 'iu');
const IDENTIFIES = /(?:^|[\s_-])(?:id|number|no|key|iid)$|I[dD]$|Number$/;

/**
 * The number in `the last 5`, `10 results` and `issue 12`. A count is no id, a number with a unit needs a property that
 * mentions the unit, and `issue 12` needs a property about issues. The second argument is the property's name, title and
 * description.
 */
export function measuredIn(
  text: string,
  [name, ...told]: readonly [string, ...(readonly (Json | undefined)[])],
): readonly number[] {
  const about = [name, ...told].flatMap((each) => (typeof each === 'string' ? wordsOfName(each).map(stemOf) : []));
  const plain = text.trim();
  const [, many = '', unit = ''] = COUNTED.exec(plain) ?? [];
  const isCount = many !== '' && (!IDENTIFIES.test(name) || /^num(?:ber)?[\s_-]?of/i.test(name));
  if (isCount && (!new RegExp(`^${UNIT}$`, 'iu').test(unit) || about.includes(stemOf(unit)))) return numberIn(many);
  const [, thing = '', one = ''] = NUMBERED.exec(plain) ?? [];
  return thing !== '' && wordsOfName(thing).every((word) => about.includes(stemOf(word))) ? numberIn(one) : [];
}
