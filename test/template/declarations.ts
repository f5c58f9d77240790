// The capabilities that the template tests grant.
import type { Declaration } from '../../src/contract/declaration.ts';

const list: readonly Declaration[] = [
  {
    name: 'files.list',
    description: 'List the files of a folder.',
    input: {
      type: 'object',
      required: ['folder'],
      properties: { folder: { type: 'string' }, depth: { type: 'integer' } },
      additionalProperties: false,
    },
    output: {
      type: 'object',
      required: ['files'],
      properties: { files: { type: 'array', items: { type: 'string' } }, note: { type: 'string' } },
      additionalProperties: false,
    },
    effects: ['read'],
    tags: [],
    cost: {},
  },
  {
    name: 'csv.sniff',
    description: 'Guess the columns of a CSV file.',
    input: {
      type: 'object',
      required: ['path'],
      properties: { path: { type: 'string' }, columns: { type: 'array', items: { type: 'string' }, maxItems: 2 } },
    },
    output: {
      type: 'object',
      required: ['columns', 'rows'],
      properties: { columns: { type: 'array' }, rows: { type: 'integer' } },
    },
    effects: ['read'],
    tags: [],
    cost: {},
  },
  { name: 'report.write', description: 'Write a report.', effects: ['output'], tags: [], cost: {} },
];

export const declarations = Object.fromEntries(list.map((each) => [each.name, each]));
