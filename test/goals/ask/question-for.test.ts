// Questions in plain words for properties of contracts, and replies read by those contracts.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { bad, good } from '../../../src/base/result.ts';
import { contractOf } from '../../../src/contract/contract.ts';
import { questionFor } from '../../../src/goals/ask/question-for.ts';
import { readAnswer } from '../../../src/goals/ask/read-answer.ts';

describe('a question', () => {
  it.each<readonly [string, JsonObject, string]>([
    ['perPage', { type: 'integer' }, 'How many items per page? (for example 10, 25, 50)'],
    ['per_page', { type: 'integer', maximum: 20 }, 'How many items per page? (for example 10; 20 at most)'],
    [
      'max_results',
      { type: 'integer', default: 30 },
      'How many results at most? (for example 10, 25, 50; default: 30)',
    ],
    ['retry_count', { type: 'integer', minimum: 0, maximum: 5 }, 'How many retries? (from 0 to 5)'],
    ['year', { type: 'integer', minimum: 1900, maximum: 2100 }, 'What is the year? (from 1900 to 2100)'],
    ['issue_number', { type: 'integer' }, 'What is the issue number?'],
    ['state', { enum: ['open', 'closed'], default: 'open' }, 'Which state? (1 open, 2 closed; default: open)'],
    ['draft', { type: 'boolean' }, 'Draft, yes or no?'],
    ['labels', { type: 'array', items: { type: 'string' } }, 'Which labels? (several with commas between)'],
    ['since', { type: 'string', format: 'date' }, 'Since when? (for example 2026-01-31)'],
    ['base', { type: 'string', title: 'Base branch' }, 'What is the base branch?'],
    [
      'head',
      { type: 'string', description: 'The branch with the changes. Must exist.' },
      'What is the head? The branch with the changes.',
    ],
    ['q', { type: 'string', description: 'What shall be searched for?' }, 'What shall be searched for?'],
    ['city', { type: 'string', examples: ['Oslo', 'Bergen'] }, 'What is the city? (for example Oslo, Bergen)'],
    ['recipients', { type: 'string' }, 'What are the recipients?'],
  ])('for %s of %j', (name, schema, question) => {
    expect(questionFor(name, schema)).toBe(question);
  });
});

describe('a reply', () => {
  const states = { enum: ['open', 'closed', 'all'] };

  it.each<readonly [string, JsonObject, unknown]>([
    ['Closed', states, 'closed'],
    ['2', states, 'closed'],
    ['cl', states, 'closed'],
    ['close', { enum: ['closed', 'close'] }, 'close'],
    ['3', { enum: [1, 2, 3] }, 3],
    ['y', { enum: [true, false] }, true],
    ['No', { type: 'boolean' }, false],
    [' 25 ', { type: 'integer' }, 25],
    ['42', { type: 'string' }, '42'],
    ['bug, urgent', { type: 'array', items: { type: 'string' } }, ['bug', 'urgent']],
    ['{"a": 1}', { type: 'object' }, { a: 1 }],
  ])('%j to %j', (text, schema, value) => {
    expect(readAnswer(text, schema)).toEqual(good(value));
  });

  it.each<readonly [string, JsonObject, string]>([
    ['ajar', states, '"ajar" is none of 1 open, 2 closed, 3 all'],
    ['4', states, '"4" is none of 1 open, 2 closed, 3 all'],
    ['c', { enum: ['closed', 'close'] }, '"c" may be closed or close'],
    ['many', { type: 'integer', minimum: 1 }, '"many" is not a whole number from 1'],
    ['abc', { type: 'string', minLength: 5 }, '"abc" does not fit: the value must have at least 5 characters'],
    ['', { type: 'string' }, 'an answer is needed'],
  ])('%j to %j says why not', (text, schema, why) => {
    expect(readAnswer(text, schema)).toEqual(bad(why));
  });

  it('that is accepted fits its contract, for any text', () => {
    const schema = fc.constantFrom<JsonObject>(
      states,
      { type: 'integer', minimum: 0 },
      { type: 'boolean' },
      { type: 'array', items: { type: 'number' } },
      { type: 'string', maxLength: 3 },
      { anyOf: [{ type: 'null' }, { type: 'number' }] },
    );
    fc.assert(
      fc.property(schema, fc.oneof(fc.string(), fc.json()), (contract, text) => {
        const answer = readAnswer(text, contract);
        if (answer.ok) expect(contractOf(contract).check(answer.value).ok).toBe(true);
      }),
    );
  });
});
