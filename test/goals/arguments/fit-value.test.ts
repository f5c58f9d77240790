// Values as people and models write them, as the contract wants them: the one thing that each stands for, or a misfit.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { good } from '../../../src/base/result.ts';
import { contractOf } from '../../../src/contract/contract.ts';
import { fitTo } from '../../../src/goals/arguments/fit-value.ts';

const texts = { type: 'array', items: { type: 'string' } };
const day = { type: 'string', format: 'date' };
const told = (description: string) => ({ type: 'string', description });
const time = { type: 'string', format: 'date-time' };

describe('a value is converted to its contract', () => {
  it.each<[Json, JsonObject, Json]>([
    ['five', { type: 'integer' }, 5],
    ['twenty-five', { type: 'integer' }, 25],
    ['1,000', { type: 'integer' }, 1000],
    ['#12', { type: 'integer' }, 12],
    ['2.50', { type: 'number' }, 2.5],
    [12, { type: 'string' }, '12'],
    ['on', { type: 'boolean' }, true],
    [0, { type: 'boolean' }, false],
    ['in progress', { enum: ['NEW', 'IN_PROGRESS'] }, 'IN_PROGRESS'],
    ['ascending', { enum: ['asc', 'desc'] }, 'asc'],
    ['Closed', { enum: ['open', 'closed'] }, 'closed'],
    ['bug and urgent', texts, ['bug', 'urgent']],
    ['bug, urgent, and p1', texts, ['bug', 'urgent', 'p1']],
    ['"a b"', texts, ['a b']],
    ['1, 2', { type: 'array', items: { type: 'integer' } }, [1, 2]],
    [['1', '#2'], { type: 'array', items: { type: 'integer' } }, [1, 2]],
    ['in progress, done', { type: 'array', items: { enum: ['in_progress', 'done'] } }, ['in_progress', 'done']],
    ['{"city": "Oslo"}', { type: 'object' }, { city: 'Oslo' }],
    ['1 March 2026', day, '2026-03-01'],
    ['March 1st, 2026', day, '2026-03-01'],
    ['2026-03-01', time, '2026-03-01T00:00:00Z'],
    ['1 March 2026 at 2:30 pm', time, '2026-03-01T14:30:00Z'],
    ['March 1st, 2026', told('Due date (YYYY-MM-DD)'), '2026-03-01'],
    ['2026/03/01', told('ISO 8601 date'), '2026-03-01'],
    ['1 March 2026', told('Start, as an ISO 8601 timestamp'), '2026-03-01T00:00:00Z'],
    ['Sunday, 1 March 2026 14:30', told('YYYY-MM-DDTHH:MM:SSZ'), '2026-03-01T14:30:00Z'],
    ['1 March 2026', told('The title of the page'), '1 March 2026'],
    ['1 March 2026', told('Day as DD/MM/YYYY'), '1 March 2026'],
    ['last 5', { type: 'integer' }, 5],
    ['10 results', { type: 'integer' }, 10],
    ['30 seconds', { type: 'integer', description: 'Timeout in seconds' }, 30],
    ['issue 7', { type: 'integer', description: 'The issue number' }, 7],
  ])('%j', (value, schema, wanted) => {
    expect(fitTo(value, schema)).toEqual(good(wanted));
  });
});

describe('a value stays a misfit', () => {
  it.each<[Json, JsonObject]>([
    ['many', { type: 'integer' }],
    ['yesterday', day],
    ['31 February 2026', day],
    ['maybe', { type: 'boolean' }],
    ['ajar', { enum: ['open', 'closed'] }],
    ['3 days', { type: 'integer', description: 'How many results' }],
    ['issue 7', { type: 'integer', description: 'How many results' }],
    ['2 or 3', { type: 'integer' }],
    ['007', { type: 'integer' }],
    ['500', { type: 'integer', maximum: 100 }],
    [2, { type: 'boolean' }],
  ])('%j', (value, schema) => {
    expect(fitTo(value, schema).ok).toBe(false);
  });
});

it('any value fits its contract when it is said to fit, however deep its lists go', () => {
  const lists = { type: 'array', items: { type: 'array', items: { type: 'integer' } } };
  const schemas = [texts, day, lists, { type: 'integer' }, { type: ['boolean', 'null'] }, { enum: ['a', 'B c'] }, {}];
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom<JsonObject>(...schemas), (value, schema) => {
      const fit = fitTo(value as Json, schema);
      if (fit.ok) expect(contractOf(schema).check(fit.value).ok).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});
