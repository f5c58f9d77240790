// The names of formats that contracts may use are those that the judge knows.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, it } from 'vitest';
import { formatNames } from '../../src/contract/formats.ts';

it('names every format that the judge knows, and no other', () => {
  const ajv = new Ajv2020();
  addFormats.default(ajv);
  expect([...formatNames].sort()).toEqual(Object.keys(ajv.formats).sort());
});
