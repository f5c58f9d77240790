// SCI, a Clojure interpreter in JavaScript, from nbb; with and without the conversion of data.
import { loadString } from 'nbb';
import type { Data, Engine, Evaluate } from '../engine.ts';

const toClojure = (await loadString('(fn [data] (js->clj data))')) as (data: Data) => Data;

async function resident(source: string): Promise<Evaluate> {
  return (await loadString(`(fn [{:strs [result depends]}] ${source})`)) as Evaluate;
}

const programs: Pick<Engine, 'expressions' | 'hostile'> = {
  expressions: {
    p1: '(> (get result "price") 0)',
    p2: '(= (count (get result "rows")) (get-in depends ["fetch" "count"]))',
    p3: '(if (>= (count (get result "rows")) 10) true (str "expected 10 rows, found " (count (get result "rows"))))',
    p4: '(reduce (fn [sum item] (+ sum (get item "price"))) 0 (get result "items"))',
  },
  hostile: {
    'endless loop': '(loop [] (recur))',
    'endless recursion': '((fn f [n] (inc (f (inc n)))) 0)',
    'endless sequence': '(count (iterate inc 0))',
    'huge range': '(reduce + (range 1e12))',
    'nested loops':
      '(count (for [a (get result "items") b (get result "items") c (get result "items") d (get result "items")] 1))',
    'string growth': '(loop [s "aaaaaaaa"] (recur (str s s)))',
    'list growth': '(loop [v [1]] (recur (into v v)))',
    'nested data': '(str (reduce (fn [v _] [v v v v v v v v v v]) "x" (range 20)))',
    'deep data': '(let [deep (fn [n] (reduce (fn [v _] [v]) [] (range n)))] (= (deep 10000) (deep 10000)))',
    'deep source': '('.repeat(100_000),
    'huge number': '9'.repeat(90_000),
    'regex backtracking': `(re-matches #"(a+)+b" "${'a'.repeat(40)}")`,
    'regex on long text': '(re-find #"\\w+\\d" (reduce (fn [s _] (str s s)) "a" (range 19)))',
    'json bomb': '(js/JSON.parse (apply str (repeat 100000 "[")))',
    'prototype reach': '(.-name (.-constructor (js-obj)))',
  },
};

/** Converts the data for each evaluation. */
export const engine: Engine = {
  ...programs,
  note: 'data turned into Clojure maps for each evaluation',
  compile: async (source) => {
    const evaluate = await resident(source);
    return (data) => evaluate(toClojure(data));
  },
};

/** Converts the data once, before the measurement. */
export const residentEngine: Engine = {
  ...programs,
  hostile: {},
  note: 'data turned into Clojure maps once, before it is measured',
  prepare: toClojure,
  compile: resident,
};
