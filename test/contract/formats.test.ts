// Contracts support exactly the formats of the validator.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, it } from 'vitest';
import { formatNames } from '../../src/contract/formats.ts';

it('formatNames lists every format of the validator, and no other', () => {
  const ajv = new Ajv2020();
  addFormats.default(ajv);
  expect([...formatNames].sort()).toEqual(Object.keys(ajv.formats).sort());
});
