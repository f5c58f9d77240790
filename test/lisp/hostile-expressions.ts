// Expressions that took seconds, minutes or all memory before each thing that is touched had a price.

const many = (count: number, each: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => each(i)).join(' ');

export const hostileExpressions: readonly string[] = [
  '(reduce (fn [a b] [a a]) [] (range 40))',
  '(repeat 1000 (repeat 1000 (repeat 1000 1)))',
  '(repeat 1000 (repeat 1000 {:a []}))',
  '(repeat 1000 (mapv (fn [i] {:id i :name (str "n" i)}) (range 3000)))',
  '(let [s (reduce (fn [s _] (str s s)) "a" (range 19)) p (str "b" (subs s 0 250000))] (loop [] (string/includes? s p) (recur)))',
  '(let [s (reduce (fn [s _] (str s s)) "a" (range 19)) p (str (subs s 0 250000) "b")] (loop [] (string/last-index-of s p) (recur)))',
  '(let [s (reduce (fn [s _] (str s s)) " " (range 19))] (loop [] (parse-double s) (recur)))',
  '(loop [i 0] (re-pattern (str i "x{999}")) (recur (inc i)))',
  '(re-pattern "(?i)[a-\\\\x{10000}b-\\\\x{10000}c-\\\\x{10000}d-\\\\x{10000}e-\\\\x{10000}f-\\\\x{10000}]")',
  '(re-find #"(a*)*b" (reduce (fn [s _] (str s s)) "a" (range 19)))',
  '(string/split (reduce (fn [s _] (str s s)) "ab," (range 15)) #",")',
  '(let [v (vec (range 40000))] (loop [] (set v) (recur)))',
  '(let [v (vec (range 40000))] (loop [] (drop-while neg? v) (recur)))',
  '(let [a (set (range 20000)) b (set (range 20000))] (loop [] (= a b) (recur)))',
  '(let [m (zipmap (range 9000) (range))] (loop [] (hash-set m) (recur)))',
  '(loop [i 0 m {}] (recur (inc i) (assoc m i [i i])))',
  '(let [m (zipmap (range 9000) (range))] (loop [] (assoc m :a 1) (recur)))',
  '(sort-by (fn [x] (- x)) (range 5000))',
  '(apply sorted-map (range 8000))',
  '(loop [] (json/parse "x") (recur))',
  '(loop [] (json/parse "[[],[],{},{\\"a\\":1},0.1234567890123]") (recur))',
  '(json/parse (reduce (fn [s _] (str s s)) "[" (range 17)))',
  '(loop [] (format "%,.3f %x %e" 1e300 255 1e-300) (recur))',
  '(loop [] (date/diff "2026-01-01" "2027-01-01" :months) (recur))',
  `(loop [] (and ${'true '.repeat(15_000)}) (recur))`,
  `(loop [] (cond ${'false 1 '.repeat(8_000)}) (recur))`,
  `(loop [] (do ${`(do ${'1 '.repeat(15)}) `.repeat(1_500)}) (recur))`,
  many(15_000, (i) => `u${i.toString(36)}`),
  many(40_000, () => 'a').replaceAll(' ', '\n'),
  many(8_000, (i) => `#"${i}x{99}"`),
  `(let [${many(20_000, () => 'a +')}] a)`,
  `${'#{[] '.repeat(99)}"${'x'.repeat(90_000)}"${'}'.repeat(99)}`,
];
