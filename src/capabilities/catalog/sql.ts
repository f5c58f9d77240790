// sql.query and sql.execute: read and change SQLite files.
import { defined } from '../../base/json.ts';
import { defineCapability } from '../capability.ts';
import { CapabilityError } from '../capability-error.ts';
import { askSqlite } from '../sqlite/ask-sqlite.ts';

const fileProperty = {
  type: 'string',
  description: 'SQLite file under one of the granted roots.',
} as const;

const paramsProperty = {
  description: 'Values for ? in order, or for :name by name. Never write values into the SQL itself.',
  anyOf: [
    { type: 'array', items: { type: ['string', 'number', 'boolean', 'null'] } },
    { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } },
  ],
} as const;

/** @throws CapabilityError SQL_ENGINE_UNAVAILABLE for the address of a database server */
function wantFile(file: string): void {
  if (!/^[a-z][a-z0-9+]*:\/\//i.test(file)) return;
  throw new CapabilityError(
    'SQL_ENGINE_UNAVAILABLE',
    'database servers such as PostgreSQL are not supported; name a SQLite file',
    { retry: 'never' },
  );
}

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
      limit: { type: 'integer', minimum: 1, maximum: MOST_ROWS, description: `Most rows; default ${DEFAULT_ROWS}.` },
    },
  },
  output: {
    type: 'object',
    required: ['columns', 'rows', 'complete'],
    properties: {
      columns: { type: 'array', 'x-keep': true, items: { type: 'string' } },
      rows: {
        type: 'array',
        description: 'Records by column; bytes are Base64, and integers beyond 2^53 are text.',
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

export const sqlExecute = defineCapability({
  name: 'sql.execute',
  description: 'Change a SQLite database with statements in one transaction; a missing database is created.',
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
      changes: { type: 'integer', description: 'Number of rows that were inserted, changed or deleted.' },
      last_id: { type: ['integer', 'string', 'null'], description: 'Id of the row inserted last.' },
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
