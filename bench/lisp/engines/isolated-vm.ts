// JavaScript in its own isolate, with the data copied for each evaluation.
import ivm from 'isolated-vm';
import type { Engine, Evaluate } from '../engine.ts';

const MEGABYTES = 32;
const isolate = new ivm.Isolate({ memoryLimit: MEGABYTES });
const context = isolate.createContextSync();
let compiled = 0;

function compile(source: string, timeout: object): Evaluate {
  // V8 caches the same text.
  const script = isolate.compileScriptSync(`(({ result, depends }) => (${source})) // ${++compiled}`, {});
  const evaluate = script.runSync(context, { reference: true });
  const options = { arguments: { copy: true }, result: { copy: true }, ...timeout };
  return (data) => evaluate.applySync(undefined, [data], options);
}

export const engine: Engine = {
  note: `data copied for each evaluation; hostile programs with ${MEGABYTES} MB and \`timeout: 50\``,
  expressions: {
    p1: 'result.price > 0',
    p2: 'result.rows.length === depends.fetch.count',
    p3: 'result.rows.length >= 10 ? true : `expected 10 rows, found ${result.rows.length}`',
    p4: 'result.items.reduce((sum, item) => sum + item.price, 0)',
  },
  compile: (source) => compile(source, {}),
  compileGuarded: (source) => compile(source, { timeout: 50 }),
  hostile: {
    'endless loop': '(() => { for (;;); })()',
    'endless recursion': '(function f(n) { return 1 + f(n + 1); })(0)',
    'endless sequence': '[...(function* () { let n = 0; for (;;) yield n++; })()].length',
    'huge range': '(() => { let sum = 0; for (let i = 0; i < 1e12; i++) sum += i; return sum; })()',
    'nested loops':
      'result.items.every(() => result.items.every(() => result.items.every(() => result.items.every(() => true))))',
    'string growth': '(() => { let s = "aaaaaaaa"; for (;;) s += s; })()',
    'list growth': '(() => { let v = [1]; for (;;) v = [...v, ...v]; })()',
    'nested data': 'JSON.stringify([...Array(20)].reduce((v) => [v, v, v, v, v, v, v, v, v, v], "x"))',
    'deep data': 'JSON.stringify([...Array(10000)].reduce((v) => [v], [])) === ""',
    'deep source': `${'('.repeat(100_000)}1${')'.repeat(100_000)}`,
    'huge number': '9'.repeat(90_000),
    'wide format': '"1".padStart(999999999)',
    'regex backtracking': `/(a+)+b/.test("${'a'.repeat(40)}")`,
    'regex on long text': '/\\w+\\d/.test("a".repeat(2 ** 19))',
    'json bomb': 'JSON.parse("[".repeat(100000))',
    'prototype reach': 'result.constructor.constructor("return typeof process")()',
  },
};
