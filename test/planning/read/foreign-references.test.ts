// Foreign references: the spellings of other systems are read where they are certain, and reported where they are not.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/base/json.ts';
import { readFragment } from '../../../src/planning/read-fragment.ts';
import { interpolate } from '../../../src/template/interpolate.ts';
import { declaration, frame, judged, marks, read } from '../given-frame.ts';
import { evaluateNothing, lookUpNothing } from './look-up-nothing.ts';

const texts = readFileSync(new URL('plain-texts.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n===\n');

const fetch = { name: 'fetch_a', capability: 'files.read', input: { path: 'a' } };
const use = (text: Json, more: Record<string, Json> = {}): Json => ({
  name: 'use',
  capability: 'text.show',
  input: { text },
  ...more,
});
const declarations = {
  'text.show': declaration('text.show', {
    input: {
      type: 'object',
      properties: {
        text: { type: 'string' },
        blocks: { type: 'array', items: { type: 'object', properties: { text: { type: 'string' } } } },
        body: {},
      },
    },
  }),
};

function planned(steps: readonly Json[]) {
  const result = readFragment({ steps }, declarations);
  if (!result.ok) return { issues: result.error.issues, input: undefined };
  if (!('steps' in result.value)) throw new Error('no plan');
  return { issues: result.warnings, input: result.value.steps.at(-1)?.input, fragment: result.value };
}

describe('a reference in the spelling of another system', () => {
  test.each<[string, string]>([
    ['${results.fetch_a.price}', '{{ results.fetch_a.price }}'],
    ['${fetch_a.rows[0].price}', '{{ results.fetch_a.rows.0.price }}'],
    ['$fetch_a.price', '{{ results.fetch_a.price }}'],
    ['$fetch_a', '{{ results.fetch_a }}'],
    ['$fetch_a.price$', '{{ results.fetch_a.price }}'],
    ['{fetch_a.price}', '{{ results.fetch_a.price }}'],
    ['{fetchA}', '{{ results.fetch_a }}'],
    ['{{fetch_a}}', '{{ results.fetch_a }}'],
    ['{{ fetch_a.price }}', '{{ results.fetch_a.price }}'],
    ['{{ steps.fetch_a.price }}', '{{ results.fetch_a.price }}'],
    ['${{ steps.fetch_a.price }}', '{{ results.fetch_a.price }}'],
    ['It is ${results.fetch_a.price} today.', 'It is {{ results.fetch_a.price }} today.'],
    ['It is {{fetch_a.price}} for {{ name }}.', 'It is {{ results.fetch_a.price }} for {{ "{{" }} name }}.'],
  ])('%s is read as %s', (written, meant) => {
    expect(planned([fetch, use(written)])).toMatchObject({ issues: [], input: { text: meant } });
  });

  test.each<[string, Json, string]>([
    ['<node-0>', 0, '{{ results.step_0 }}'],
    ['<GENERATED>-0', 0, '{{ results.step_0 }}'],
    ['Describe <GENERATED>-0 in words', 0, 'Describe {{ results.step_0 }} in words'],
    ['#E1', 'E1', '{{ results.e1 }}'],
    ['Who wrote #E1?', '#E1', 'Who wrote {{ results.e1 }}?'],
    ['$var1.field$', 'var1', '{{ results.var1.field }}'],
    ['Both $var1.field$ and more', '$var1', 'Both {{ results.var1.field }} and more'],
  ])('%s is read when a step has the name %j', (written, name, meant) => {
    const { issues, input } = planned([{ id: name, capability: 'files.read' }, use(written)]);
    expect(issues).toEqual([]);
    expect(input).toEqual({ text: meant });
  });

  test.each<[string, string]>([
    ['The price is $fetch_a.price today.', '{{ results.fetch_a.price }}'],
    ['The price is {fetch_a.price} today.', '{{ results.fetch_a.price }}'],
    ['The price is ${fetch_a.price} today.', '{{ results.fetch_a.price }}'],
    ['${fetch_a.output.price}', '{{ results.fetch_a.price }}'],
    ['{{ fetch_a.rows | length }}', '{{ results.fetch_a }}'],
    ['<node-0>', '{{ results.fetch_a }}'],
    ['<GENERATED>-0', '{{ results.fetch_a }}'],
    ['<GENERATED>-7', '{{ results.STEP }}, where STEP is one of "fetch_a", "use"'],
    ['$var1.field$', '{{ results.STEP }}, where STEP is one of "fetch_a", "use"'],
  ])('%s causes an issue with our spelling', (written, reference) => {
    const { issues } = planned([fetch, use(written)]);
    expect(issues.map(({ code, path }) => `${code} ${path.join('.')}`)).toEqual([
      'REFERENCE_FOREIGN steps.1.input.text',
    ]);
    expect(issues[0]?.hint).toBe(
      `write ${reference} to refer to a result; where the text is meant as it stands, write {"text": "…"} in its place`,
    );
  });

  test('stays unchanged when it names no step of the plan', () => {
    const text = '${a.price} $a.price {a.price} {{ a }} #E1 \\${fetch_a} in {{ fetch }}';
    const { issues, input } = planned([fetch, use(text)]);
    expect(issues).toEqual([]);
    expect(shown(input)).toEqual({ text });
  });

  test('is read in the task of an agent, and not in remarks', () => {
    const agent = { name: 'sum', agent: 'default', description: 'Sum up ${results.fetch_a.rows}.' };
    const [, told] = read([fetch, agent]).steps;
    expect(told).toMatchObject({
      description: 'Sum up fetch_a.rows.',
      input: { 'fetch_a.rows': '{{ results.fetch_a.rows }}' },
      dependencies: ['fetch_a'],
    });
    const remarked = { ...fetch, name: 'other', description: 'Runs beside $fetch_a.' };
    expect(read([fetch, remarked]).steps[1]?.description).toBe('Runs beside $fetch_a.');
  });

  test('is read in a dependency', () => {
    expect(
      read([fetch, { ...fetch, name: 'b', depends_on: ['$fetch_a', '{{ results.fetch_a }}'] }]).steps[1],
    ).toMatchObject({ dependencies: ['fetch_a'] });
  });

  test('is checked against the contract of the step that it refers to', () => {
    const sniff = { name: 'sniff', capability: 'csv.sniff', input: { path: 'x.csv' } };
    expect(
      marks(judged([sniff, { name: 'b', capability: 'files.read', input: { n: '${sniff.rwos}' } }], frame)),
    ).toEqual(['REFERENCE_PATH_UNKNOWN steps.1.input.n']);
  });
});

describe('a `{text: …}` literal', () => {
  const literal = (text: string) => planned([fetch, use({ text })]);

  test.each(['The price is $fetch_a.price today.', '{{fetch_a}} and {{ results.fetch_a }}', 'a }} b', '${fetch_a}'])(
    'stands as it is written: %s',
    (text) => {
      const { issues, input } = literal(text);
      expect(issues).toEqual([]);
      expect(shown(input)).toEqual({ text });
    },
  );

  test('stays a map when the contract takes a map', () => {
    const blocks = [{ text: 'See {{ results.fetch_a }}' }];
    expect(planned([fetch, { name: 'use', capability: 'text.show', input: { blocks } }]).input).toEqual({ blocks });
  });

  test('stays a map when the contract takes anything and the text holds no reference', () => {
    const body = { text: 'Hello, it costs $5' };
    expect(planned([fetch, { name: 'use', capability: 'text.show', input: { body } }]).input).toEqual({ body });
  });

  test('is read the same when it is read again', () => {
    const { fragment } = literal('The price is ${fetch_a.price} for {{ name }}.');
    if (fragment === undefined) throw new Error('no plan');
    const again = readFragment(fragment.raw, declarations);
    expect(again.ok && 'steps' in again.value && again.value.digest).toBe(fragment.digest);
  });
});

describe('prompts, code and Markdown without references', () => {
  test('include two hundred different texts', () => {
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.length).toBeGreaterThanOrEqual(200);
  });

  test.each(texts)('stay unchanged: %s', (text) => {
    const { issues, input } = planned([fetch, { ...fetch, name: 'parse_rows' }, use(text)]);
    expect(issues).toEqual([]);
    expect(shown(input)).toEqual({ text });
    expect(planned([fetch, { name: 'think', agent: 'default', description: text }]).issues).toEqual([]);
    expect(planned([fetch, { name: 'think', agent: 'default', input: `Do this: ${text}` }]).issues).toEqual([]);
  });
});

/** The input that a capability would get. */
function shown(input: Json | undefined): Json {
  const filled = interpolate(input ?? null, lookUpNothing, evaluateNothing);
  if (!filled.ok) throw new Error(JSON.stringify(filled.error));
  return filled.value;
}
