// Reconverge's Lisp with all limits, including the deadline.
import { compile } from '../../../src/lisp/program.ts';
import { run } from '../../../src/lisp/run.ts';
import { toJson } from '../../../src/lisp/to-json.ts';
import type { Engine, Evaluate } from '../engine.ts';

const bindings = ['result', 'depends'];
const options = { now: () => performance.now() };

function compiled(source: string): Evaluate {
  const program = compile(source, { bindings });
  if (!program.ok) throw new Error(program.error[0]?.code);
  return (data) => {
    const outcome = run(program.value, { result: data.result, depends: data.depends }, options);
    if (!outcome.ok) throw new Error(outcome.error.code);
    const { value } = outcome;
    if (typeof value !== 'object' || value === null) return value;
    const json = toJson(value);
    if (!json.ok) throw new Error(json.error.code);
    return json.value;
  };
}

export const engine: Engine = {
  note: 'all limits on: fuel, cells, depth, text and the deadline',
  expressions: {
    p1: '(> (get data/result "price") 0)',
    p2: '(= (count (get data/result "rows")) (get-in data/depends ["fetch" "count"]))',
    p3: '(if (>= (count (:rows data/result)) 10) true (str "expected 10 rows, found " (count (:rows data/result))))',
    p4: '(reduce (fn [sum item] (+ sum (get item "price"))) 0 (get data/result "items"))',
  },
  compile: compiled,
  hostile: {
    'endless loop': '(loop [] (recur))',
    'endless recursion': '((fn f [n] (inc (f (inc n)))) 0)',
    'endless sequence': '(count (iterate inc 0))',
    'huge range': '(reduce + (range 1e9))',
    'nested loops':
      '(count (for [a (:items data/result) b (:items data/result) c (:items data/result) d (:items data/result)] 1))',
    'string growth': '(loop [s "aaaaaaaa"] (recur (str s s)))',
    'list growth': '(loop [v [1]] (recur (into v v)))',
    'nested data': '(str (reduce (fn [v _] [v v v v v v v v v v]) "x" (range 20)))',
    'deep data': '(let [deep (fn [n] (reduce (fn [v _] [v]) [] (range n)))] (= (deep 10000) (deep 10000)))',
    'deep source': '('.repeat(100_000),
    'huge number': '9'.repeat(90_000),
    'wide format': '(format "%999999999d" 1)',
    'regex backtracking': '(re-matches #"(a+)+b" (apply str (repeat 10000 "a")))',
    'regex on long text': '(re-find #"\\w+\\d" (reduce (fn [s _] (str s s)) "a" (range 19)))',
    'json bomb': '(json/parse (reduce (fn [s _] (str s s)) "[" (range 17)))',
    'prototype reach': '(get-in data/result ["constructor" "name"])',
  },
};
