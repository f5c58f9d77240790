// Numbers as people write them: in digits with separators, as `#12`, and in words.

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

/** A pattern of every number that is read; without groups. */
export const NUMBER = `(?:#?\\d{1,3}(?:,\\d{3})+|#?\\d+|(?:${TENS.join('|')})[- ](?:${UNITS.slice(1, 10).join('|')})|${[...byWord.keys()].toSorted((one, other) => other.length - one.length).join('|')})`;

/** The number that a text is, and nothing else. */
export function numberIn(text: string): readonly number[] {
  const plain = text.trim().toLowerCase();
  const digits = /^#?(\d{1,3}(?:,\d{3})+|\d+)$/.exec(plain)?.[1]?.replaceAll(',', '');
  // Leading zeros are part of a name.
  if (digits !== undefined) return /^(?:0|[1-9]\d{0,14})$/.test(digits) ? [Number(digits)] : [];
  const word = byWord.get(plain);
  if (word !== undefined) return [word];
  const [tens = '', unit = '', another] = plain.split(/[- ]/);
  const [ten, one] = [TENS.indexOf(tens), UNITS.indexOf(unit)];
  return another === undefined && ten >= 0 && one > 0 && one < 10 ? [(ten + 2) * 10 + one] : [];
}
