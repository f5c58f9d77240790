// Defaults of a schema fill in missing properties.
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

test('defaults fill in missing properties, in nested objects too', () => {
  expect(withDefaults(schema, {})).toEqual({ folder: 'data', sort: { by: 'name' } });
});

test('defaults never replace given values, not even null', () => {
  const value = { folder: null, sort: { by: 'size' }, other: [1] };
  expect(withDefaults(schema, value)).toEqual(value);
});

test('a value that is no object stays unchanged', () => {
  expect(withDefaults(schema, [1])).toEqual([1]);
});
