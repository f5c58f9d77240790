// sql.execute: changes a SQLite file in one transaction, once for each piece of work.
import { defineCapability } from '../capability.ts';
import { askSqlite } from '../sqlite/ask.ts';
import { fileProperty, paramsProperty, wantFile } from './sql-words.ts';

export const sqlExecute = defineCapability({
  name: 'sql.execute',
  description: 'Change a SQLite database: statements that all take effect, or none; made where it is missing.',
  input: {
    type: 'object',
    required: ['file', 'statements'],
    additionalProperties: false,
    properties: {
      file: fileProperty,
      statements: {
        type: 'array',
        minItems: 1,
        maxItems: 10_000,
        items: {
          type: 'object',
          required: ['sql'],
          additionalProperties: false,
          properties: {
            sql: { type: 'string', minLength: 1, description: 'INSERT INTO users (name) VALUES (:name)' },
            params: paramsProperty,
          },
        },
      },
    },
  },
  output: {
    type: 'object',
    required: ['changes', 'last_id'],
    properties: {
      changes: { type: 'integer', description: 'Rows that were inserted, changed or deleted.' },
      last_id: { type: ['integer', 'string', 'null'], description: 'Of the row inserted last.' },
    },
  },
  effects: ['filesystem'],
  tags: ['sql', 'data'],
  cost: { seconds: 0.1 },
  repeat: 'keyed',
  async run({ file, statements }, ctx) {
    wantFile(file);
    return askSqlite(
      {
        type: 'execute',
        file: await ctx.files.resolve(file, 'write'),
        statements,
        key: ctx.idempotencyKey,
      },
      ctx.signal,
    );
  },
});
