// Runs the cases in test/lisp/cases: expressions, each followed by `;=>` and its value.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evaluate, expected } from './evaluate.ts';

const folder = join(import.meta.dirname, 'cases');

function casesIn(file: string): readonly (readonly [expression: string, gives: string])[] {
  const text = readFileSync(join(folder, file), 'utf8').replace(/^;;.*\n/gm, '');
  return [...text.matchAll(/([\s\S]*?)\n;=> (.*)\n/g)].map(([, expression = '', gives = '']) => [
    expression.trim(),
    gives,
  ]);
}

describe.each(readdirSync(folder))('%s', (file) => {
  const cases = casesIn(file);

  it('has a value for every expression', () => {
    expect(cases.length).toBeGreaterThan(20);
    expect(readFileSync(join(folder, file), 'utf8').trimEnd().split('\n').at(-1)).toMatch(/^;=> /);
  });

  it.each(cases)('%s', (expression, gives) => {
    expect(evaluate(expression)).toBe(expected(gives));
  });
});
