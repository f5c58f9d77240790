// How input and budgets are read from words.
import { describe, expect, it } from 'vitest';
import { readBudget, readInput } from '../../src/cli/run-input.ts';

describe('input from words', () => {
  it('reads values as JSON where they are JSON, else as text', () => {
    expect(readInput(['n=1', 'on=true', 'list=[1,2]', 'name=a b', 'empty='], undefined)).toEqual({
      n: 1,
      on: true,
      list: [1, 2],
      name: 'a b',
      empty: '',
    });
  });

  it('leaves text alone where the contract says text', () => {
    const schema = { type: 'object', properties: { zip: { type: 'string' } } };
    expect(readInput(['zip=01234', 'zap=1'], schema)).toEqual({ zip: '01234', zap: 1 });
  });

  it('splits at the first equals sign', () => {
    expect(readInput(['query=a=b'], undefined)).toEqual({ query: 'a=b' });
  });

  it('sets keys that the prototype has like any other', () => {
    const input = readInput(['constructor=1', '{"toString": 2}'], undefined);
    expect(Object.entries(input)).toEqual([
      ['constructor', 1],
      ['toString', 2],
    ]);
  });

  it('refuses a word that is none of these', () => {
    for (const word of ['n', '=1', '{"n"', '{]']) expect(() => readInput([word], undefined)).toThrow();
  });
});

describe('a budget from words', () => {
  it('keeps values as they are written', () => {
    expect(readBudget(['max_cost_budget=$1.50', 'warn_at=90%'])).toEqual({ max_cost_budget: '$1.50', warn_at: '90%' });
  });

  it('refuses a word without a value', () => {
    expect(() => readBudget(['max_total_steps'])).toThrow('key=value');
  });
});
