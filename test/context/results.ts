// Sample results of capabilities: records, lists, tables of keys and long text, with and without a contract.
import fc from 'fast-check';
import type { Json, JsonObject } from '../../src/base/json.ts';
import type { StepRecord } from '../../src/context/request.ts';

const word = fc.constantFrom('ok', 'failed', 'id', 'é漢字', 'a "quoted" word', 'tab\there', '$count');
const sentence = fc.array(word, { minLength: 3, maxLength: 12 }).map((words) => `${words.join(' ')}.`);
const prose = fc.array(sentence, { maxLength: 30 }).map((sentences) => sentences.join(' '));
const scalar: fc.Arbitrary<Json> = fc.oneof(
  fc.integer({ min: -1_000, max: 1_000 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.parse(JSON.stringify(value)) as number),
  fc.boolean(),
  fc.constant(null),
  word,
  fc.string({ maxLength: 90, unit: 'grapheme' }),
);
const fieldName = fc.constantFrom('id', 'state', 'total', 'at', 'note', 'raw', 'size', '__proto__', 'constructor');
const row = fc.dictionary(fieldName, scalar, { maxKeys: 6 });
const inside = fc.oneof(row, fc.array(row, { maxLength: 5 }), fc.array(scalar, { maxLength: 5 }));
const nested = fc.dictionary(fieldName, fc.oneof(scalar, inside), { maxKeys: 6 });

const result: fc.Arbitrary<Json> = fc
  .letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      scalar,
      prose,
      fc.array(row, { maxLength: 40 }),
      fc.array(nested, { maxLength: 20 }),
      fc.array(scalar, { maxLength: 40 }),
      fc.array(tie('value'), { maxLength: 8 }),
      fc.dictionary(fc.string({ maxLength: 6 }), scalar, { maxKeys: 40 }),
      fc.dictionary(fc.string({ minLength: 1, maxLength: 6 }), row, { minKeys: 25, maxKeys: 40 }),
      fc
        .uniqueArray(word, { maxLength: 7 })
        .map((names) => names.map((name, at) => ({ name, size: at, note: 'n'.repeat(at) }))),
      fc.dictionary(fieldName, tie('value'), { maxKeys: 8 }),
    ),
  }))
  .value.map((value) => JSON.parse(JSON.stringify(value)) as Json);

const hints = fc.record(
  {
    'x-keep': fc.boolean(),
    'x-sample': fc.nat(6),
    'x-summary': fc.constantFrom('count', 'range', 'top', 'distinct'),
    'x-weight': fc.double({ min: 0.1, max: 9, noNaN: true }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

const fields = fc.dictionary(fieldName, hints, { maxKeys: 6 });
const schema: fc.Arbitrary<JsonObject> = fc
  .tuple(hints, fields, fields, fc.subarray(['id', 'state', 'total', 'note']))
  .map(([own, properties, columns, required]) => ({
    ...own,
    properties,
    required,
    items: { properties: columns, required },
  }));

export const record: fc.Arbitrary<StepRecord> = fc.record(
  {
    id: fc.constant('plan.1/fetch'),
    name: fc.constant('fetch'),
    attempt: fc.constant(1),
    status: fc.constant('completed'),
    result,
    schema,
    keep: fc.subarray(['id', 'note'], { minLength: 1 }),
    sample: fc.nat(9),
  },
  { requiredKeys: ['id', 'name', 'attempt', 'status', 'result'] },
);
