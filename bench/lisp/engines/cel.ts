// CEL: macros are its only loops, and it has no reduction; a function of the host sums.
import { Environment } from '@marcbachmann/cel-js';
import type { Engine, Evaluate } from '../engine.ts';

const environment = new Environment({ unlistedVariablesAreDyn: true });
environment.registerFunction('sum(list): double', (list: readonly number[]) => list.reduce((sum, x) => sum + x, 0));

const nested = (inner: string) => `result.items.map(a, result.items.map(b, result.items.map(c, ${inner})))`;

export const engine: Engine = {
  note: 'compile parses only, types are checked as it runs; p4: `map` in CEL, the sum native',
  expressions: {
    p1: 'result.price > 0',
    p2: 'size(result.rows) == depends.fetch.count',
    p3: 'size(result.rows) >= 10 ? dyn(true) : dyn("expected 10 rows, found " + string(size(result.rows)))',
    p4: 'sum(result.items.map(item, item.price))',
  },
  compile: (source): Evaluate => {
    const program = environment.parse(source);
    return (data) => program(data);
  },
  hostile: {
    'nested loops': 'result.items.all(a, result.items.all(b, result.items.all(c, result.items.all(d, d >= 0))))',
    'list growth': nested('a'),
    'deep source': `${'('.repeat(100_000)}1${')'.repeat(100_000)}`,
    'huge number': '9'.repeat(90_000),
    'regex backtracking': `"${'a'.repeat(40)}".matches("(a+)+b")`,
    'prototype reach': 'result.constructor.name',
  },
};
