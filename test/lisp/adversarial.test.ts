// Hostile programs and data: each ends in a value or a coded error within its limits, never in an exception.
import { describe, expect, it } from 'vitest';
import type { Issue } from '../../src/base/issue.ts';
import { defaultLimits, type Limits } from '../../src/lisp/limits.ts';
import { compile } from '../../src/lisp/program.ts';
import { run } from '../../src/lisp/run.ts';
import { toEdn, toJson } from '../../src/lisp/to-json.ts';
import { evaluate, outcomeOf } from './evaluate.ts';

/** The error code of a program, from compilation or the run; `value` without an error. */
function endOf(source: string, data: Readonly<Record<string, unknown>> = {}, limits: Partial<Limits> = {}): string {
  const program = compile(source, { limits });
  if (!program.ok) return program.error[0]?.code ?? '';
  const outcome = run(program.value, data);
  if (!outcome.ok) return outcome.error.code;
  expect(outcome.fuel).toBeLessThanOrEqual(defaultLimits.fuel);
  return 'value';
}

const doubling = '(loop [v [1] i 0] (if (< i 60) (recur [v v] (inc i)) v))';
const long = '(loop [s "ab" i 0] (if (< i 17) (recur (str s s) (inc i)) s))';

describe('endless work runs out of fuel', () => {
  it.each([
    '(reduce + (range 1e9))',
    '(range 1e15)',
    '(repeat 1e9 1)',
    '(loop [] (recur))',
    '((fn [] (recur)))',
    '(trampoline (fn f [] f))',
    '(nth (iterate inc 0) 1e9)',
    '(take-while (fn [_] true) (range))',
    '(doseq [x (range 1000) y (range 1000)] x)',
    '(combinations (range 100) 50)',
    '(partition 10000 1 (range 20000))',
    '(reductions conj [] (range 100000))',
    `(str ${doubling})`,
    `(= ${doubling} ${doubling})`,
    `(hash-set ${doubling})`,
    `(flatten ${doubling})`,
    `(walk/postwalk identity ${doubling})`,
    `(json/write ${doubling})`,
    '(let [v (vec (range 20000))] (loop [] (conj v 1) (assoc v 0 1) (recur)))',
    '(let [m (zipmap (range 20000) (range))] (loop [] (keys m) (assoc m 1 2) (recur)))',
    '(sort-by (fn [x] (- x)) (range 90000))',
    '(re-find #"(a*)*b" (apply str (repeat 100000 "a")))',
    '(re-seq #"x*?y|x" (apply str (repeat 10000 "x")))',
    `(let [s ${long}] (loop [] (subs s 1 2) (nth s 3) (recur)))`,
    `(let [s ${long}] (loop [] (= s (str s "")) (compare s (str s "a")) (recur)))`,
    `(let [s ${long}] (loop [] (string/trimr s) (parse-double s) (re-find #"^b" s) (recur)))`,
  ])('%s', (source) => {
    expect(endOf(source)).toBe('LISP_OUT_OF_FUEL');
  });
});

describe('a single call with much work runs out of fuel', () => {
  const long = (letter: string) => `(reduce (fn [s _] (str s s)) "${letter}" (range 15))`;
  const wide = '(vec (range 20000))';
  it.each([
    `(let [s ${long(' ')}] (loop [] (parse-double s) (parse-long s) (recur)))`,
    '(loop [i 0] (re-pattern (str i "x{999}")) (recur (inc i)))',
    `(let [v (vec (repeat 50000 1))] (loop [] (set v) (recur)))`,
    `(let [v (vec (repeat 50000 1))] (loop [] (distinct v) (recur)))`,
    `(let [v ${wide}] (loop [] (drop-while neg? v) (recur)))`,
    `(let [v ${wide}] (loop [] (all-of {} v) (recur)))`,
    `(let [v ${wide}] (loop [] (select-keys {} v) (recur)))`,
    '(let [a (set (range 5000)) b (set (range 5000))] (loop [] (= a b) (recur)))',
    `(let [s ${long('a')}] (loop [] (format s) (recur)))`,
    '(loop [] (json/parse "x") (recur))',
    '(loop [] (date/diff "2026-01-01" "2027-01-01" :months) (recur))',
    '(let [s (apply str (repeat 10000 "$1"))] (loop [] (string/replace "b" #"(a*)b" s) (recur)))',
    `(let [k (keyword ${long('a')}) m {k 1}] (loop [] (get m k) (= k k) (recur)))`,
    `(loop [] (and ${'true '.repeat(5_000)}) (recur))`,
    `(loop [] [${'1 nil '.repeat(5_000)} (inc 1)] (recur))`,
    `(let [f (fn [] (let [${Array.from({ length: 3_000 }, (_, i) => `a${i} 1`).join(' ')}] 1))] (loop [] (f) (recur)))`,
  ])('%s', (source) => {
    const program = compile(source);
    const outcome = program.ok ? run(program.value, {}) : undefined;
    expect(outcome).toMatchObject({ ok: false, error: { code: 'LISP_OUT_OF_FUEL' } });
    // Each turn burns fuel for the elements it touches; with a flat price there would be tens of thousands of turns.
    expect(turnsOf(source)).toBeLessThan(8_000);
  });

  /** The number of turns, counted by a getter in the data that each turn reads. */
  function turnsOf(source: string): number {
    let turns = 0;
    const counter = {
      get turn() {
        turns += 1;
        return null;
      },
    };
    const program = compile(source.replace(/\(loop \[(i 0|)\] /, '(loop [$1] (get data/counter "turn") '));
    if (program.ok) run(program.value, { counter });
    expect(turns).toBeGreaterThan(0);
    return turns;
  }

  it('searches text in linear time', () => {
    const source = `(let [s (apply str (repeat 9000 "aaaaaaaaaa")) p (str "b" (subs s 0 45000)) q (str (subs s 0 45000) "b")]
      [(string/includes? s p) (string/index-of s p) (string/last-index-of s q) (= s (string/replace s p "x"))])`;
    expect(evaluate(source)).toBe('[false nil nil true]');
    expect(
      evaluate('(string/last-index-of (apply str (repeat 5 "abcdefghijklmnopqrst")) "abcdefghijklmnopqrst")'),
    ).toBe('80');
  });

  it('copies a map without the entries of later versions', () => {
    expect(
      evaluate('(let [a {:x 1 :y 2} b (assoc a :z 3)] [(dissoc a :x) (assoc (dissoc a :y) :z 4) (assoc a :w 5) a b])'),
    ).toBe('[{:y 2} {:x 1 :z 4} {:w 5 :x 1 :y 2} {:x 1 :y 2} {:x 1 :y 2 :z 3}]');
  });

  it('finds numbers whose hashes collide in the host as fast as others', () => {
    const alike: number[] = [];
    for (let i = 0; alike.length < 4_000; i++) if ((hostHash(i) & 0xfff) === 0) alike.push(i);
    expect(evaluate('(count (set data/alike))', { alike })).toBe('4000');
  });

  /** V8's hash of a small number, which is public, so that data can be made to collide. */
  function hostHash(key: number): number {
    let hash = (~key + (key << 15)) | 0;
    hash ^= hash >>> 12;
    hash = (hash + (hash << 2)) | 0;
    hash ^= hash >>> 4;
    hash = Math.imul(hash, 2057);
    return (hash ^ (hash >>> 16)) & 0x3fffffff;
  }
});

describe('a program that takes long to compile', () => {
  function issuesOf(source: string): readonly Issue[] {
    const compiled = compile(source);
    return compiled.ok ? [] : compiled.error;
  }

  const many = (count: number, each: (i: number) => string): string =>
    Array.from({ length: count }, (_, i) => each(i)).join(' ');

  it('lists the first hundred problems and counts the rest', () => {
    const issues = issuesOf(many(15_000, (i) => `u${i.toString(36)}`));
    expect(issues).toHaveLength(101);
    expect(issues.at(-1)).toMatchObject({ code: 'LISP_LIMIT', message: '14900 more problems are not listed' });
  });

  it('has suggestions for its first unknown names only', () => {
    const hinted = issuesOf(many(200, () => 'reduc')).filter(({ hint }) => hint === 'did you mean "reduce"?');
    expect(hinted).toHaveLength(20);
  });

  it.each([
    ['regexes by the size they compile to', many(400, (i) => `#"${i}x{500}"`)],
    ['names that are looked for among thousands of others', `(let [${many(20_000, () => 'a +')}] a)`],
  ])('runs out of fuel: %s', (_, source) => {
    expect(endOf(source)).toBe('LISP_OUT_OF_FUEL');
  });

  it.each(['(re-pattern "(x{500}){500}")', '(re-pattern "\\\\pL{12}")', `(re-pattern "${'x{999}|y{999}|z{999}'}")`])(
    'refuses a regex that is too large: %s',
    (source) => {
      expect(endOf(source)).toBe('LISP_LIMIT');
    },
  );
});

describe('endless growth meets a limit', () => {
  it.each([
    '(loop [s "x"] (recur (str s s)))',
    '(format "%999999d %999999d" 1 1)',
    '(string/replace (apply str (repeat 10000 "a")) "a" (apply str (repeat 10000 "b")))',
    '(string/join (apply str (repeat 2000 "a")) (range 1000))',
    '(defn f [x] (inc (f x))) (f 1)',
    '(defn f [x] (map f [x])) (f 1)',
    '(defn f [x] (let [a (if true (when true (do (or nil (and true (f x))))))] a)) (f 1)',
    '(defn f [x] (walk/postwalk (fn [y] (f y)) [x])) (f 1)',
    '((reduce comp (repeat 20000 inc)) 1)',
    '(str (loop [v [] i 0] (if (< i 5000) (recur [v] (inc i)) v)))',
    '(walk/prewalk (fn [x] [x]) 1)',
    '(tree-seq (fn [_] true) (fn [x] [x]) 1)',
    '(assoc-in {} (range 5000) 1)',
    '(count (range))',
    '(into [] (repeat 1))',
    '(= (range) (range))',
    '(range)',
    '('.repeat(50_000),
    `${'['.repeat(101)}${']'.repeat(101)}`,
    `${"'".repeat(50_000)}a`,
    `(-> 1 ${'inc '.repeat(20_000)})`,
    ' '.repeat(100_001),
  ])('%s', (source) => {
    expect(endOf(source)).toBe('LISP_LIMIT');
  });

  it('names the limit on memory', () => {
    expect(endOf('(loop [m {} i 0] (recur (assoc m i [i]) (inc i)))', {}, { cells: 1_000 })).toBe('LISP_LIMIT');
  });

  it('stops at the deadline when there is a clock', () => {
    let time = 0;
    const program = compile('(loop [i 0] (recur (inc i)))', { limits: { fuel: 1e9, deadline: 50 } });
    if (!program.ok) throw new Error('compiles');
    const outcome = run(program.value, {}, { now: () => (time += 1) });
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'LISP_LIMIT', message: expect.stringContaining('50 ms') },
    });
  });

  it('stops at the same point each time', () => {
    const program = compile('(defn f [x] (inc (f x))) (f 1)');
    if (!program.ok) throw new Error('compiles');
    expect(run(program.value, {})).toEqual(run(program.value, {}));
  });
});

describe('long programs', () => {
  it.each([
    `(cond ${'false 1 '.repeat(8_000)})`,
    `(and ${'true '.repeat(15_000)})`,
    `(let [a 1 ${'a (inc a) '.repeat(5_000)}] a)`,
    `(condp = 1 ${Array.from({ length: 8_000 }, (_, i) => `${i} ${i}`).join(' ')})`,
    `(case 7 ${Array.from({ length: 8_000 }, (_, i) => `${i} ${i}`).join(' ')})`,
    `(str ${'"a" '.repeat(20_000)})`,
    `(some-> 1 ${'inc '.repeat(15_000)})`,
  ])('%.30s …', (source) => {
    expect(endOf(source)).toBe('value');
  });
});

describe('the host environment', () => {
  it.each([
    '(get data/x "__proto__")',
    '(get data/x "constructor")',
    '(:toString data/x)',
    '(data/x "hasOwnProperty")',
    '(get-in data/x ["constructor" "constructor"])',
    '(get {} :__proto__)',
    '(get [] "length")',
    '(get "abc" "length")',
    '(get inc "name")',
    '(:kind data/x)',
    '(:raw data/x)',
  ])('cannot be reached by %s', (source) => {
    expect(evaluate(source, { x: { a: 1 } })).toBe('nil');
  });

  it.each(['(.toString 1)', '(js/eval "1")', '(eval 1)', '(Function "x")', 'globalThis', 'process', 'this'])(
    'is not named by %s',
    (source) => {
      expect(endOf(source)).toBe('LISP_UNBOUND');
    },
  );

  it('keeps hostile keys as plain data', () => {
    const hostile = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 2}');
    expect(evaluate('data/x', { x: hostile })).toBe('{"__proto__" {"polluted" 1} "constructor" 2}');
    const outcome = outcomeOf('(assoc data/x "toString" 3)', { x: hostile });
    const json = outcome.ok ? toJson(outcome.value) : undefined;
    expect(JSON.stringify(json?.ok && json.value)).toBe('{"__proto__":{"polluted":1},"constructor":2,"toString":3}');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('hostile data', () => {
  const cyclic: Record<string, unknown> = { name: 'loop' };
  cyclic.self = cyclic;
  cyclic.list = [cyclic];
  const thrower = {
    get price(): number {
      throw new Error('secret');
    },
  };
  const proxy = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new TypeError('secret');
      },
      getOwnPropertyDescriptor: () => {
        throw new TypeError('secret');
      },
    },
  );
  const endless = new Proxy([], { get: (target, key) => (key === 'length' ? 2 ** 40 : Reflect.get(target, key)) });

  it('is read only where the program looks, even with a cycle', () => {
    expect(evaluateHost('(get-in data/x [:self :self :list 0 :name])', cyclic)).toBe('"loop"');
  });

  it.each([
    '(str data/x)',
    '(= data/x (assoc data/x :a 1))',
    '(json/write data/x)',
    '(hash-set data/x)',
    '(walk/postwalk identity data/x)',
    '(tree-seq map? vals data/x)',
  ])('ends when %s walks a cycle', (source) => {
    expect(evaluateHost(source, cyclic)).toMatch(/^error (limit)|^true$|^false$/);
  });

  it('with a cycle cannot be written as a result', () => {
    const outcome = outcomeOf('data/x', { x: cyclic });
    expect(outcome.ok && toJson(outcome.value)).toMatchObject({ ok: false, error: { code: 'LISP_LIMIT' } });
    expect(outcome.ok && toEdn(outcome.value)).toBe('#unreadable');
  });

  it.each([
    ['a getter that throws', '(:price data/x)', thrower],
    ['a getter that throws, walked', '(vals data/x)', thrower],
    ['a proxy that throws', '(get data/x "a")', proxy],
    ['a proxy that throws, walked', '(count data/x)', proxy],
    ['a function', '(get data/x "f")', { f: () => 1 }],
    ['a symbol', '(first data/x)', [Symbol('s')]],
    ['a bigint', '(reduce + data/x)', [1n]],
  ])('reports %s without its message', (_, source, x) => {
    const outcome = outcomeOf(source, { x });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'LISP_TYPE' } });
    expect(JSON.stringify(outcome)).not.toContain('secret');
  });

  it('costs fuel by the length that a list claims', () => {
    expect(evaluateHost('(reduce + data/x)', endless)).toBe('error limit');
  });

  it('may throw values that cannot be inspected', () => {
    const untouchable = new Proxy(
      {},
      {
        getOwnPropertyDescriptor: () => {
          throw new Proxy(
            {},
            {
              getOwnPropertyDescriptor: () => {
                throw 1;
              },
              getPrototypeOf: () => {
                throw 2;
              },
            },
          );
        },
      },
    );
    expect(outcomeOf('(:a data/x)', { x: untouchable })).toMatchObject({ ok: false, error: { code: 'LISP_TYPE' } });
  });

  it('may have missing and undefined values, which count as nil', () => {
    expect(evaluateHost('[(:a data/x) (:b data/x) data/y (first [(:a data/x)])]', { a: undefined })).toBe(
      '[nil nil nil nil]',
    );
  });

  it('is never changed', () => {
    const x = Object.freeze({ list: Object.freeze([1, 2]), map: Object.freeze({ a: 1 }) });
    expect(
      evaluateHost('(do (conj (:list data/x) 3) (assoc-in data/x [:map :a] 2) (sort > (:list data/x)) data/x)', x),
    ).toBe('{"list" [1 2] "map" {"a" 1}}');
  });

  function evaluateHost(source: string, x: unknown): string {
    const outcome = outcomeOf(source, { x });
    return outcome.ok ? toEdn(outcome.value) : `error ${outcome.error.family}`;
  }
});

describe('older versions of a value', () => {
  it.each([
    ['(let [a (conj [] 1) b (conj a 2) c (conj a 3)] [a b c])', '[[1] [1 2] [1 3]]'],
    ['(let [a (conj [] 1)] [(map (fn [x] (conj a x)) a) a])', '[[[1 1]] [1]]'],
    ['(let [a (assoc {} :x 1) b (assoc a :y 2) c (assoc a :z 3)] [a b c])', '[{:x 1} {:x 1 :y 2} {:x 1 :z 3}]'],
    [
      '(let [a {:x 1} b (assoc a :x 2) c (assoc b :y 3) d (assoc a :y 4)] [a b c d])',
      '[{:x 1} {:x 2} {:x 2 :y 3} {:x 1 :y 4}]',
    ],
    ['(let [m (assoc {} :a 1) ks (keys m)] [(assoc m :b 2) (conj ks :z) m ks])', '[{:a 1 :b 2} [:a :z] {:a 1} [:a]]'],
    [
      '(let [v (conj [1 2] 3) t (rest v)] [(conj t 9) (conj v 4) t v (pop v) (conj (pop v) 7)])',
      '[[2 3 9] [1 2 3 4] [2 3] [1 2 3] [1 2] [1 2 7]]',
    ],
    ['(let [s (conj #{} 1) t (conj s 2) u (conj s 3)] [s t u (disj t 1)])', '[#{1} #{1 2} #{1 3} #{2}]'],
  ])('do not change: %s', (source, gives) => {
    expect(evaluate(source)).toBe(gives);
  });

  it('are not kept by literals between runs', () => {
    const program = compile('(conj [] data/x)');
    if (!program.ok) throw new Error('compiles');
    for (const x of [1, 2]) {
      const outcome = run(program.value, { x });
      expect(outcome.ok && toEdn(outcome.value)).toBe(`[${x}]`);
    }
  });
});
