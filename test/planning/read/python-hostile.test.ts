// Properties of the reader of calls in Python: it reads what it should, never throws, and takes time in proportion to the text.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonArray, isJsonObject, type Json } from '../../../src/base/json.ts';
import { readPython } from '../../../src/planning/read/python/python-plan.ts';
import { pythonInReply } from '../../../src/planning/read/python/python-reply.ts';
import { readFragment } from '../../../src/planning/read-fragment.ts';

function read(text: string) {
  return readPython([{ text, at: [] }]);
}

/** Texts without a spelling of references. */
const plainText = fc.string({ unit: 'binary', maxLength: 12 }).filter((text) => !/[$<%[({]|output|result/i.test(text));
const key = fc.string({ maxLength: 6 });
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((each) => Math.abs(each) < 1e15),
    plainText,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3 }),
  ),
}));

const ESCAPED: Readonly<Record<string, string>> = { "'": "\\'", '\\': '\\\\', '\n': '\\n', '\r': '\\r' };

/** A value as Python prints it. */
function python(given: Json): string {
  if (given === null) return 'None';
  if (typeof given === 'boolean') return given ? 'True' : 'False';
  if (typeof given === 'number') return String(given);
  if (typeof given === 'string') return `'${given.replace(/['\\\n\r]/g, (each) => ESCAPED[each] ?? each)}'`;
  if (isJsonArray(given)) return `[${given.map(python).join(', ')}]`;
  return isJsonObject(given)
    ? `{${Object.entries(given)
        .map(([name, each]) => `${python(name)}: ${python(each)}`)
        .join(', ')}}`
    : '';
}

describe('the reader of calls in Python', () => {
  test('reads each value as it was printed', () => {
    fc.assert(
      fc.property(value, (given) => {
        const { steps, issues } = read(`call(x=${python(given)})`);
        expect(issues).toEqual([]);
        // Python and JSON write the negative zero differently.
        expect(JSON.stringify(steps[0]?.value)).toBe(
          JSON.stringify({ name: 'call', capability: 'call', input: { x: given } }),
        );
      }),
    );
  });

  test('gives each variable the result of the last call before it', () => {
    const line = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 }));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const bound = new Map<string, number>();
        const expected = lines.map(([target, uses], index) => {
          const known = uses.filter((name) => bound.has(name));
          const wanted = known.map((name) => bound.get(name) ?? -1);
          bound.set(target, index);
          return { text: `${target} = call(x=[${known.join(', ')}])`, wanted };
        });
        const { steps, issues } = read(expected.map(({ text }) => text).join('\n'));
        expect(issues).toEqual([]);
        const names = steps.map((step) => (isJsonObject(step.value) ? String(step.value.name) : ''));
        expect(new Set(names).size).toBe(lines.length);
        steps.forEach((step, index) => {
          const used = expected[index]?.wanted.map((each) => `{{ results.${names[each]} }}`);
          expect(step.value).toMatchObject({ input: { x: used } });
        });
      }),
    );
  });

  const pieces = fc.constantFrom(
    ...['a', 'f(', ')', '[', ']', '{', '}', '=', ',', ':', '.', '\n', ' ', '"', "'", '"""', 'f"', "r'", '\\', '#', '1'],
    ...[
      '-',
      '...',
      'for ',
      'if ',
      'x',
      '\r\n',
      '{{',
      '}}',
      '$a$',
      '<node-0>',
      '```',
      '```python\n',
      'print(',
      '\u{1F600}',
    ],
  );

  test('never throws, and answers with calls or with issues that have places', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const text = parts.join('');
        const lines = text.split('\n');
        for (const { place, hint } of read(text).issues) {
          expect(place?.line).toBeGreaterThanOrEqual(1);
          expect(place?.column).toBeLessThanOrEqual((lines[(place?.line ?? 0) - 1] ?? '').length + 1);
          expect(hint).toBeTruthy();
        }
        readFragment(text);
        pythonInReply(text);
      }),
      { numRuns: 2_000 },
    );
  });
});

/** A reader that reads parts of the text again and again would need hours for so long a text. */
const LENGTH = 400_000;

describe('a hostile text', () => {
  test.each<[string, (size: number) => string]>([
    ['open brackets', (size) => `f(${'['.repeat(size)}`],
    ['calls in calls', (size) => 'f('.repeat(size) + ')'.repeat(size)],
    ['lines with open brackets', (size) => 'f(x=[\n'.repeat(size / 6)],
    ['unclosed texts', (size) => "f(x='\n".repeat(size / 6)],
    ['an unclosed long text', (size) => `f(x="""${'a"'.repeat(size / 2)}`],
    ['backslashes', (size) => `f(x="${'\\'.repeat(size)}`],
    ['hyphens', (size) => `f(x=${'a-'.repeat(size / 2)}b)`],
    ['dots', (size) => `a = f()\ng(x=a${'.b'.repeat(size / 2)})`],
    ['blanks and comments', (size) => `f(${' # a\n'.repeat(size / 5)}`],
    ['fences', (size) => '```py\nf()\n'.repeat(size / 10)],
    ['open fences', (size) => `f()\n${'```'.repeat(size / 3)}`],
    ['commas', (size) => `f(${','.repeat(size)})`],
    ['many calls', (size) => 'f(x=1)\n'.repeat(size / 7)],
    ['many variables', (size) => Array.from({ length: size / 12 }, (_, at) => `a${at} = f(a${at - 1})`).join('\n')],
    ['parts of parts', (size) => `a = f()\n${'a = a.b\n'.repeat(size / 8)}g(a)`],
    ['texts that grow', (size) => `a = f()\nb = f"{a}"\n${'b = f"{b}{a}"\n'.repeat(size / 14)}g(b)`],
    ['braces in texts', (size) => `f(x=f"${'{'.repeat(size)}")`],
    ['words of blocks', (size) => 'if x:\n'.repeat(size / 6)],
  ])('with %s is read in one pass', (_, make) => {
    const { plan } = pythonInReply(make(LENGTH)) ?? {};
    expect(plan === undefined || plan.steps.length + plan.issues.length > 0).toBe(true);
  });

  test('is refused when lists hold themselves many times', () => {
    const lines = Array.from({ length: 40 }, (_, at) => `a${at + 1} = [a${at}, a${at}]`);
    const codes = read(`a0 = [1]\n${lines.join('\n')}\nf(x=a40)`).issues.map(({ code }) => code);
    expect(codes).toEqual(['SOURCE_TOO_LARGE']);
    const texts = Array.from({ length: 40 }, (_, at) => `a${at + 1} = f"{a${at}}{a${at}}"`);
    expect(read(`a0 = "x"\n${texts.join('\n')}\nf(x=a40)`).issues.map(({ code }) => code)).toContain(
      'SOURCE_TOO_LARGE',
    );
  });

  test('is refused when lists or brackets nest too deep', () => {
    const lines = Array.from({ length: 5_000 }, (_, at) => `a${at + 1} = [a${at}]`);
    const { issues } = read(`a0 = f()\n${lines.join('\n')}`);
    expect(issues[0]?.code).toBe('SOURCE_TOO_DEEP');
    expect(read('f('.repeat(101)).issues.map(({ code }) => code)).toEqual(['SOURCE_TOO_DEEP']);
    expect(read('f('.repeat(99) + ')'.repeat(99)).issues).toEqual([]);
  });
});
