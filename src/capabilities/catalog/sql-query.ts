// sql.query: rows of a SQLite file, which is opened for reading alone.
import { defined } from '../../base/json.ts';
import { defineCapability } from '../capability.ts';
import { askSqlite } from '../sqlite/ask.ts';
import { fileProperty, paramsProperty, wantFile } from './sql-words.ts';

const DEFAULT_ROWS = 1_000;
const MOST_ROWS = 50_000;
const MOST_CHARACTERS = 8_000_000;

export const sqlQuery = defineCapability({
  name: 'sql.query',
  description: 'Read rows from a SQLite database with one SELECT.',
  input: {
    type: 'object',
    required: ['file', 'sql'],
    additionalProperties: false,
    properties: {
      file: fileProperty,
      sql: { type: 'string', minLength: 1, description: 'SELECT name FROM users WHERE id = ?' },
      params: paramsProperty,
      limit: { type: 'integer', minimum: 1, maximum: MOST_ROWS, description: `Rows at most; default ${DEFAULT_ROWS}.` },
    },
  },
  output: {
    type: 'object',
    required: ['columns', 'rows', 'complete'],
    properties: {
      columns: { type: 'array', 'x-keep': true, items: { type: 'string' } },
      rows: {
        type: 'array',
        description: 'By column; bytes are Base64, whole numbers beyond 2^53 text.',
        items: { type: 'object', additionalProperties: { type: ['string', 'number', 'null'] } },
      },
      complete: { type: 'boolean', description: 'False when there are more rows.' },
    },
  },
  effects: ['read'],
  tags: ['sql', 'data'],
  cost: { seconds: 0.1 },
  repeat: 'safe',
  async run({ file, sql, params, limit = DEFAULT_ROWS }, ctx) {
    wantFile(file);
    return askSqlite(
      {
        type: 'query',
        file: await ctx.files.resolve(file, 'read'),
        statement: { sql, ...defined({ params }) },
        limit,
        maxSize: MOST_CHARACTERS,
      },
      ctx.signal,
    );
  },
});
