// Jexl: expressions without loops; a transform of the host sums.
import jexl from 'jexl';
import type { Engine, Evaluate } from '../engine.ts';

const language = new jexl.Jexl();
language.addTransform('size', (list: readonly unknown[]) => list.length);
language.addTransform('sum', (list: readonly Record<string, number>[], key: string) =>
  list.reduce((sum, item) => sum + (item[key] ?? 0), 0),
);

export const engine: Engine = {
  note: 'sizes and p4 are host functions: the language cannot reduce',
  expressions: {
    p1: 'result.price > 0',
    p2: 'result.rows|size == depends.fetch.count',
    p3: 'result.rows|size >= 10 ? true : "expected 10 rows, found " + result.rows|size',
    p4: 'result.items|sum("price")',
  },
  compile: (source): Evaluate => {
    const expression = language.compile(source);
    return (data) => expression.evalSync(data);
  },
  hostile: {
    'deep source': `${'('.repeat(100_000)}1${')'.repeat(100_000)}`,
    'huge number': '9'.repeat(90_000),
    'prototype reach': 'result.constructor.name',
  },
};
