// JsonLogic: rules as JSON, interpreted at each evaluation; compiling parses the JSON.
import jsonLogic from 'json-logic-js';
import type { Engine, Evaluate } from '../engine.ts';

const rows = { var: 'result.rows.length' };
const items = { var: 'result.items' };
const text = (rule: unknown): string => JSON.stringify(rule);

/** Each turn uses its own list, so that the inner data must be looked up again. */
function nestedAll(depth: number): unknown {
  const numbers = Array.from({ length: 1_000 }, (_, i) => i);
  return depth === 0 ? { '>=': [{ var: '' }, 0] } : { all: [numbers, nestedAll(depth - 1)] };
}

export const engine: Engine = {
  note: 'compile is `JSON.parse`',
  expressions: {
    p1: text({ '>': [{ var: 'result.price' }, 0] }),
    p2: text({ '===': [rows, { var: 'depends.fetch.count' }] }),
    p3: text({ if: [{ '>=': [rows, 10] }, true, { cat: ['expected 10 rows, found ', rows] }] }),
    p4: text({ reduce: [items, { '+': [{ var: 'accumulator' }, { var: 'current.price' }] }, 0] }),
  },
  compile: (source): Evaluate => {
    const rule: unknown = JSON.parse(source);
    return (data) => jsonLogic.apply(rule, data);
  },
  hostile: {
    'nested loops': text(nestedAll(4)),
    'deep source': `${'{"!":['.repeat(100_000)}1${']}'.repeat(100_000)}`,
    'huge number': '9'.repeat(90_000),
    'prototype reach': text({ var: 'result.constructor.name' }),
  },
};
