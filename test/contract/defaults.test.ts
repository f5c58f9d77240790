// Defaults of a schema in a value that leaves properties out.
import { expect, test } from 'vitest';
import { withDefaults } from '../../src/contract/defaults.ts';

const schema = {
  type: 'object',
  properties: {
    folder: { type: 'string', default: 'data' },
    limit: { type: 'integer' },
    sort: { type: 'object', default: {}, properties: { by: { type: 'string', default: 'name' } } },
  },
};

test('fills in what is left out, within objects as well', () => {
  expect(withDefaults(schema, {})).toEqual({ folder: 'data', sort: { by: 'name' } });
});

test('leaves what is said, null included, and what the schema does not know', () => {
  const value = { folder: null, sort: { by: 'size' }, other: [1] };
  expect(withDefaults(schema, value)).toEqual(value);
});

test('leaves a value that is no object to the contract', () => {
  expect(withDefaults(schema, [1])).toEqual([1]);
});
