// One reader takes JSON values out of answers of models: real ones, mended ones, and hostile ones.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonArray, isJsonObject, type Json, ownProperty } from '../../src/base/json.ts';
import { readValue } from '../../src/model/read-value.ts';
import { whyUnread } from '../../src/model/why-unread.ts';
import { realAnswers } from './model-answers.ts';

const isMap = { fits: isJsonObject };
const hasSteps = { fits: (value: Json) => isJsonArray(ownProperty(value, 'steps')) };

describe('the reader of values', () => {
  it.each(realAnswers)('reads $from', ({ text, value }) => {
    expect(readValue(text)?.value).toEqual(value);
  });

  it('takes the last value that fits, and counts the others', () => {
    const text = 'First {"steps": [1]}, better {"steps": [2]}; rows are like {"id": 7} [see above].';
    expect(readValue(text, hasSteps)).toMatchObject({ value: { steps: [2] }, fits: true, others: 1, place: 'prose' });
    expect(readValue('{"id": 7} and [1]', hasSteps)).toMatchObject({ value: [1], fits: false });
  });

  it.each([
    ['{"a": 1 "b": 2}', { a: 1, b: 2 }],
    ["{“a”: “it isn't”, “b”: [“c”]}", { a: "it isn't", b: ['c'] }],
    ["{'a': True, 'b': None}", { a: true, b: null }],
    ['{"a": [1, 2,], // two\n}', { a: [1, 2] }],
    ['{"a": "he said "hi" there"}', { a: 'he said "hi" there' }],
    ['{a: 1}', { a: 1 }],
    ['{"a": "line\nbreak"}', { a: 'line\nbreak' }],
  ])('mends %j', (text, value) => {
    expect(readValue(`It is ${text}.`, isMap)?.value).toEqual(value);
  });

  it.each(['I would say [see above].', '{name}', '{"steps": [{"name": "a"}, ...]}', 'no value', '', '<think>{"a": 1}'])(
    'finds no value in %j',
    (text) => {
      expect(readValue(text)).toBeUndefined();
    },
  );

  it.each([
    ['[{"steps": [1]}]', { steps: [1] }],
    ['Here: {"response": {"steps": [1]}}', { steps: [1] }],
    ['{"result": {"answer": [{"steps": [1]}]}}', { steps: [1] }],
    [JSON.stringify('{"steps": [1]}'), { steps: [1] }],
  ])('opens the envelope of %j', (text, value) => {
    expect(readValue(text, hasSteps)).toMatchObject({ value, fits: true });
  });

  it.each([
    '[{"steps": [1]}, {"steps": [2]}]',
    '{"error": {"steps": [1]}}',
    '{"result": {"steps": [1]}, "confidence": 1}',
  ])('takes no part out of %j', (text) => {
    expect(readValue(text, hasSteps)).toMatchObject({ value: JSON.parse(text), fits: false });
  });

  it('closes a value only for a caller who lets it, and never one that ends within a text', () => {
    const open = 'Here: {"steps": [{"name": "a"}, {"name": "b"}]';
    expect(readValue(open, hasSteps)).toBeUndefined();
    expect(readValue(open, { ...hasSteps, mayClose: true })?.value).toEqual({ steps: [{ name: 'a' }, { name: 'b' }] });
    expect(readValue('{"steps": [{"name": "a', { ...hasSteps, mayClose: true })).toBeUndefined();
  });

  it('finds a value after brackets that never close', () => {
    expect(readValue('Use { or [ or {" to begin. The answer is {"a": {"b": [1]}}.', isMap)?.value).toEqual({
      a: { b: [1] },
    });
  });

  it('tells why there is no value', () => {
    expect(whyUnread(' ')).toBe('was empty');
    expect(whyUnread('<think>hm')).toBe('was empty after its reasoning');
    expect(whyUnread('Sure, I can.')).toBe('holds no JSON value: it begins "Sure, I can."');
    expect(whyUnread('{"a": 1} {"b": oops}')).toBe('holds JSON that breaks at "oops}", after "{\\"b\\": "');
    expect(whyUnread('{"steps": [{"name": "a"')).toContain('ends before it closes');
  });
});

/** Text as models write it around values: without brackets, as those may be values themselves. */
const prose = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[{}[\]<>|◁▷`]/g, ' '));
const reasoning = fc
  .oneof(fc.string(), fc.json(), fc.string({ unit: 'grapheme' }))
  .map((text) => text.replaceAll('<', ' '));
const holder = fc.oneof(
  fc.dictionary(fc.string(), fc.jsonValue()),
  fc.array(fc.jsonValue(), { minLength: 1 }),
) as fc.Arbitrary<Json>;
const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

describe('the reader of any answer', () => {
  it('reads back any value after any reasoning', () => {
    fc.assert(
      fc.property(fc.jsonValue(), reasoning, fc.boolean(), (value, thought, isOpened) => {
        const json = JSON.stringify(value);
        fc.pre(json !== undefined);
        const text = `${isOpened ? '<think>' : ''}${thought}</think>\n${json}`;
        expect(readValue(text)).toMatchObject({ value: asJson(value), fits: true });
      }),
      { numRuns: 500 },
    );
  });

  it('reads back any object and any list between any words', () => {
    fc.assert(
      fc.property(holder, prose, prose, fc.constantFrom('', '```json\n'), (value, before, after, fence) => {
        const text = `${before}\n${fence}${JSON.stringify(value)}\n${fence === '' ? '' : '```\n'}${after}`;
        expect(readValue(text, { fits: (each) => typeof each === 'object' && each !== null })?.value).toEqual(
          asJson(value),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('never throws', () => {
    const marks = fc.constantFrom(
      ...'{}[]",:\\`<>|\n\'',
      '<think>',
      '</think>',
      '[THINK]',
      '<|channel|>',
      'final',
      '{"a":',
      'analysis',
      'x',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(marks, fc.string()), { maxLength: 60 }), (parts) => {
        const text = parts.join('');
        readValue(text, { mayClose: true });
        whyUnread(text);
      }),
      { numRuns: 2_000 },
    );
  });

  const million = (part: string): string => part.repeat(Math.ceil(1_000_000 / part.length));
  const hostile = [
    ...[
      '[',
      '{',
      '{"',
      '["',
      '{"a":',
      '[{',
      '{]',
      '[}',
      '{"a":1,',
      '[1,',
      '"',
      '\\"',
      '{"\\',
      '{}',
      '[],',
      '{"a":1} ',
      '{"a": x} ',
    ],
    ...[
      '<think>',
      '</think>',
      '<think',
      '<think ',
      '[THINK]',
      '`<think>`',
      '"</think>',
      '</think>"',
      '</think>{"',
      '</think>[',
    ],
    ...[
      '<|channel|>',
      '<|channel|>final',
      '<|channel|>final<|message|>',
      'assistantfinal',
      'analysis',
      '```json\n',
      '```thinking\n',
    ],
    ...[
      " '",
      '{a: ',
      "{'a': '",
      '// ',
      '/* ',
      ', ',
      ',\n',
      '{"a": "b\n',
      '</think> [ "',
      '{"a": "<think>"}',
      '[<think>] ',
      '{ "x" <think> ',
    ],
  ];

  it.each(hostile)('reads a megabyte of %j in the time of a test', (part) => {
    const text = million(part);
    expect(() => readValue(text, { ...hasSteps, mayClose: true })).not.toThrow();
    expect(readValue(`<think>${text}</think> {"steps": []}`, hasSteps)?.value).toEqual({ steps: [] });
    expect(whyUnread(text.slice(0, 10_000))).not.toBe('');
  });
});
