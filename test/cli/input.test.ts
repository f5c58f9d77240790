// Reading input and budgets from the words of a call.
import { describe, expect, it } from 'vitest';
import { readBudget, readInput } from '../../src/cli/run-input.ts';

describe('input from words', () => {
  it('parses values as JSON if possible, otherwise as text', () => {
    expect(readInput(['n=1', 'on=true', 'list=[1,2]', 'name=a b', 'empty='], undefined)).toEqual({
      n: 1,
      on: true,
      list: [1, 2],
      name: 'a b',
      empty: '',
    });
  });

  it('keeps text as text if the contract asks for text', () => {
    const schema = { type: 'object', properties: { zip: { type: 'string' } } };
    expect(readInput(['zip=01234', 'zap=1'], schema)).toEqual({ zip: '01234', zap: 1 });
  });

  it('splits at the first equals sign', () => {
    expect(readInput(['query=a=b'], undefined)).toEqual({ query: 'a=b' });
  });

  it('can set keys that exist on the prototype', () => {
    const input = readInput(['constructor=1', '{"toString": 2}'], undefined);
    expect(Object.entries(input)).toEqual([
      ['constructor', 1],
      ['toString', 2],
    ]);
  });

  it('refuses a word in any other form', () => {
    for (const word of ['n', '=1', '{"n"', '{]']) expect(() => readInput([word], undefined)).toThrow();
  });
});

describe('a budget from words', () => {
  it('keeps values as written', () => {
    expect(readBudget(['max_cost_budget=$1.50', 'warn_at=90%'])).toEqual({ max_cost_budget: '$1.50', warn_at: '90%' });
  });

  it('refuses a word without a value', () => {
    expect(() => readBudget(['max_total_steps'])).toThrow('key=value');
  });
});
