// The contract that a predicate implies for an agent's answer.
import { describe, expect, it } from 'vitest';
import { answerContract } from '../../src/template/answer-contract.ts';

const read = (predicate: string) => {
  const { description: _, ...schema } = answerContract({ verification: { $lisp: predicate } }) ?? {};
  return schema;
};

describe('the answer that a predicate reads', () => {
  it('is an object with the fields that the predicate reads in any way', () => {
    const price = { type: 'object', required: ['price'], properties: { price: {} } };
    expect(read('(> (get data/result "price") 0)')).toEqual(price);
    expect(read('(pos? (:price result))')).toEqual(price);
    expect(read('(let [{:keys [price]} data/result] (pos? price))')).toEqual(price);
  });

  it('has nested fields and list items', () => {
    expect(
      read('(and (pos? (get-in data/result ["owner" "age"])) (string? (:name (first (:rows data/result)))))'),
    ).toEqual({
      type: 'object',
      required: ['owner', 'rows'],
      properties: {
        owner: { type: 'object', required: ['age'], properties: { age: {} } },
        rows: { type: 'array', items: { type: 'object', required: ['name'], properties: { name: {} } } },
      },
    });
  });

  it('is free when the predicate reads no field', () => {
    expect(answerContract({})).toBeUndefined();
    expect(read('(> (count data/result) 10)')).toEqual({});
    expect(read('(= "a" (str (first data/result)))')).toEqual({});
    expect(read('(pos? (:price data/input))')).toEqual({});
  });

  it('describes how the answer is checked', () => {
    expect(answerContract({ verification: { $lisp: '(:price data/result)' } })?.description).toBe(
      'The answer is checked with: (:price data/result)',
    );
  });
});
