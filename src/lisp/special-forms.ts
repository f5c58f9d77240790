// The special forms for the reference page: shape, one line, and an example that runs as a test.

export interface SpecialForm {
  readonly name: string;
  readonly shape: string;
  readonly doc: string;
  readonly example: string;
  readonly gives: string;
}

function row(name: string, shape: string, doc: string, example: string, gives: string): SpecialForm {
  return { name, shape, doc, example, gives };
}

export const specialForms: readonly SpecialForm[] = [
  row(
    'let',
    '(let [pattern value …] body …)',
    'Names for values; patterns take values apart',
    '(let [[a & more] [1 2 3] {:keys [b] :or {b 9}} {}] [a more b])',
    '[1 [2 3] 9]',
  ),
  row('if', '(if test then else?)', 'nil and false are false, all else is true', '(if 0 :yes :no)', ':yes'),
  row('if-not', '(if-not test then else?)', 'if, the other way round', '(if-not nil :yes :no)', ':yes'),
  row('when', '(when test body …)', 'The body, or nil', '(when true 1 2)', '2'),
  row('when-not', '(when-not test body …)', 'when, the other way round', '(when-not false 1)', '1'),
  row(
    'cond',
    '(cond test value … :else value)',
    'The value of the first test that holds',
    '(cond (> 1 2) :a :else :b)',
    ':b',
  ),
  row(
    'condp',
    '(condp pred x constant value … default?)',
    'The value of the first constant for which (pred constant x) holds; `constant :>> f` hands the answer to f',
    '(condp = 2 1 :one 2 :two :other)',
    ':two',
  ),
  row(
    'case',
    '(case x constant value … default?)',
    'By constant, in constant time; a list of constants shares a value',
    '(case :b (:a :b) 1 :c 2 3)',
    '1',
  ),
  row('and', '(and part …)', 'The first false part, or the last', '(and 1 nil 2)', 'nil'),
  row('or', '(or part …)', 'The first true part, or the last', '(or nil false :ok)', ':ok'),
  row(
    'if-let',
    '(if-let [pattern test] then else?)',
    'if, with a name for what was tested',
    '(if-let [x (get {:a 1} :a)] x :none)',
    '1',
  ),
  row(
    'when-let',
    '(when-let [pattern test] body …)',
    'when, with a name for what was tested',
    '(when-let [x nil] x)',
    'nil',
  ),
  row(
    'if-some',
    '(if-some [pattern test] then else?)',
    'if-let for what is not nil',
    '(if-some [x false] x :none)',
    'false',
  ),
  row(
    'when-some',
    '(when-some [pattern test] body …)',
    'when-let for what is not nil',
    '(when-some [x 1] (inc x))',
    '2',
  ),
  row(
    'when-first',
    '(when-first [pattern coll] body …)',
    'With the first element, when there is one',
    '(when-first [x [7 8]] x)',
    '7',
  ),
  row('do', '(do body …)', 'One after the other; the value of the last', '(do 1 2)', '2'),
  row(
    'fn',
    '(fn name? [a & rest] body …)',
    'A function; several arities as ([a] …) ([a b] …); #(+ % 1) for short',
    '((fn [a & more] [a (count more)]) 1 2 3)',
    '[1 2]',
  ),
  row('def', '(def name doc? value)', 'A name for the rest of the program', '(def x 42)', "#'x"),
  row('defn', '(defn name doc? [a] body …)', 'A named function', '(do (defn twice [x] (* 2 x)) (twice 21))', '42'),
  row('defn-', '(defn- name doc? [a] body …)', 'The same as defn', '(do (defn- f [x] x) (f 1))', '1'),
  row('defonce', '(defonce name value)', 'The same as def', '(do (defonce x 1) x)', '1'),
  row(
    'declare',
    '(declare name …)',
    'Names that are defined further down',
    '(do (declare g) (defn f [] (g)) (defn g [] 1) (f))',
    '1',
  ),
  row(
    'letfn',
    '(letfn [(name [a] body …) …] body …)',
    'Functions that may call each other',
    '(letfn [(ev? [n] (if (= n 0) true (od? (dec n)))) (od? [n] (if (= n 0) false (ev? (dec n))))] (ev? 10))',
    'true',
  ),
  row(
    'loop',
    '(loop [pattern value …] body …)',
    'Where recur comes back to',
    '(loop [i 0 sum 0] (if (< i 4) (recur (inc i) (+ sum i)) sum))',
    '6',
  ),
  row(
    'recur',
    '(recur value …)',
    'Once more, from the loop or function around; last position only; costs no depth',
    '((fn [n] (if (pos? n) (recur (dec n)) :done)) 9)',
    ':done',
  ),
  row(
    'for',
    '(for [pattern coll … :when t :while t :let [a b]] body)',
    'A value for each element, nested from left to right',
    '(for [x [1 2] y [10 20] :when (odd? x)] (+ x y))',
    '[11 21]',
  ),
  row('doseq', '(doseq [pattern coll …] body …)', 'for, without values', '(doseq [x [1 2]] x)', 'nil'),
  row('dotimes', '(dotimes [i n] body …)', 'n times, without values', '(dotimes [i 3] i)', 'nil'),
  row('->', '(-> value step …)', 'Threads a value through as the first argument', '(-> {:a 1} (assoc :b 2) :b)', '2'),
  row(
    '->>',
    '(->> value step …)',
    'Threads a value through as the last argument',
    '(->> [1 2 3] (map inc) (reduce +))',
    '9',
  ),
  row(
    'as->',
    '(as-> value name step …)',
    'Threads a value through where the name stands',
    '(as-> 2 x (* x x) (- 10 x))',
    '6',
  ),
  row(
    'cond->',
    '(cond-> value test step …)',
    '->, only the steps whose test holds',
    '(cond-> 1 true inc false (* 10))',
    '2',
  ),
  row(
    'cond->>',
    '(cond->> value test step …)',
    '->>, only the steps whose test holds',
    '(cond->> [1 2] true (map inc))',
    '[2 3]',
  ),
  row('some->', '(some-> value step …)', '->, until a step gives nil', '(some-> {:a nil} :a inc)', 'nil'),
  row('some->>', '(some->> value step …)', '->>, until a step gives nil', '(some->> [1] (map inc) first)', '2'),
  row(
    'doto',
    '(doto value step …)',
    'Runs steps on a value for their checks, and gives the value',
    '(doto 1 inc)',
    '1',
  ),
  row('quote', "(quote form), 'form", 'The form as a value: symbols, vectors', "(map name '[a b])", '["a" "b"]'),
  row('comment', '(comment …)', 'Nothing; #_ leaves out the next form', '[1 #_2 3]', '[1 3]'),
  row(
    'fail',
    '(fail "reason"?)',
    'Ends the program: LISP_FAILED with the reason; a predicate fails with it as its diagnosis',
    '(fail "too few rows")',
    'error fail',
  ),
];
