// The deliberate differences from Clojure, each with a reason and examples that run as tests.

export interface Departure {
  readonly title: string;
  readonly reason: string;
  /** An expression, and its value here as EDN or `error FAMILY`. */
  readonly examples: readonly (readonly [expression: string, here: string])[];
}

export const departures: readonly Departure[] = [
  {
    title: 'There is one kind of number',
    reason:
      'JSON has one kind of number. `5.0` is `5`; there are no ratios and no decimals, `/` gives a double, numbers are equal by amount, and `double?` asks whether a number is not whole',
    examples: [
      ['(/ 1 4)', '0.25'],
      ['(= 1 1.0)', 'true'],
      ['(str 5.0)', '"5"'],
      ['(+ 1/2 1/2)', '1'],
      ['(float? 0.0)', 'false'],
      ['(double? 0.0)', 'false'],
      ['(decimal? 1.0M)', 'false'],
      ['(update-keys {1 "a" 1.0 "b"} int)', 'error parse'],
    ],
  },
  {
    title: 'Whole numbers are exact to 2^53',
    reason:
      'Larger doubles lose digits, so a larger result is an arithmetic error, and parse-long returns nil for a larger number',
    examples: [
      ['(inc 9007199254740991)', 'error arithmetic'],
      ['(* 10000000000 10000000000)', 'error arithmetic'],
      ['(bit-flip 1 -1)', 'error arithmetic'],
      ['(parse-long "9223372036854775807")', 'nil'],
      ['[(max 1) (max 1 2 3) (round -1.5) (ceil 1.2) (abs -9223372036854775808)]', 'error arithmetic'],
    ],
  },
  {
    title: 'Division by zero is an error for all numbers',
    reason: 'Doubles and whole numbers are one kind of number',
    examples: [
      ['(/ 1 0)', 'error arithmetic'],
      ['(/ 1.0 0.0)', 'error arithmetic'],
    ],
  },
  {
    title: 'Keys are read in either spelling',
    reason:
      'Data from outside has strings as keys, expressions are written with keywords: `:a` also finds `"a"`, `"a"` also `:a`, and `:a-b` also `a_b`; the exact spelling comes first',
    examples: [
      ['(get {"a" 1} :a)', '1'],
      ['(:a-b {"a_b" 1})', '1'],
      ['({:a 1} "a")', '1'],
      ['(contains? {"a" 1} :a)', 'true'],
      ['(get {:a 1 "a" 2} "a")', '2'],
    ],
  },
  {
    title: 'Writes use the spelling that reads find',
    reason: 'Otherwise an update would leave two spellings of one key',
    examples: [
      ['(assoc {"a" 1} :a 2)', '{"a" 2}'],
      ['(update {"n" 1} :n inc)', '{"n" 2}'],
      ['(dissoc {"a" 1} :a)', '{}'],
    ],
  },
  {
    title: 'Sequences are eager vectors',
    reason:
      'There are no lists and no lazy sequences, because fuel could not measure lazy work. `conj` adds at the end, map entries are vectors of two, all print with `[ ]`',
    examples: [
      ['(conj (list 1 2) 3)', '[1 2 3]'],
      ['(vector? (map inc [1]))', 'true'],
      ['(list? (list 1))', 'false'],
      ['(str (list 1 2))', '"[1 2]"'],
      ['(key (list :a 1))', ':a'],
      ['(clojure.walk/walk reverse identity {:a [1 2]})', '{[1 2] :a}'],
    ],
  },
  {
    title: 'Infinite sequences cannot be read to their end',
    reason:
      '`(range)`, `repeat`, `cycle` and `iterate` work with `take`, `nth`, `first`, `take-while`, `zipmap` and beside a finite collection in `map`; reading one to its end is an error at once',
    examples: [
      ['(take 3 (range))', '[0 1 2]'],
      ['(map vector [:a :b] (range))', '[[:a 0] [:b 1]]'],
      ['(take 3 (map inc (range)))', 'error limit'],
    ],
  },
  {
    title: 'Characters are strings of one character',
    reason: 'JSON has no characters. Strings count code points',
    examples: [
      ['(= \\a "a")', 'true'],
      ['(count "👍")', '1'],
      ['(name \\a)', '"a"'],
      ['(name \\newline)', '"\\n"'],
      ['(re-seq #"a" \\a)', '["a"]'],
      ['(clojure.set/difference #{"a" "b"} "ab")', '#{}'],
    ],
  },
  {
    title: 'Maps and sets keep their order of insertion',
    reason: 'A program prints the same text on every machine',
    examples: [['(vec #{3 1 2})', '[3 1 2]']],
  },
  {
    title: 'Set operations need a set first',
    reason: 'A map as the first argument is nearly always a mistake',
    examples: [['(clojure.set/intersection {:a 1} #{[:a 1]})', 'error type']],
  },
  {
    title: 'Regular expressions are RE2',
    reason: 'They match in linear time; there are no back-references and no look-around',
    examples: [['(re-find #"(?=a)b" "ab")', 'error parse']],
  },
  {
    title: 'Unknown names are found before anything runs',
    reason: 'A predicate with a misspelled name must not pass because a branch was not evaluated',
    examples: [
      ['(or my-var 42)', 'error unbound'],
      ['(cheshire.core/parse-string "{}")', 'error unbound'],
      ['(json/foo "x")', 'error unbound'],
    ],
  },
  {
    title: 'The wrong number of parts is an arity error',
    reason: 'Builtins and special forms follow the same rule',
    examples: [
      ['(partial)', 'error arity'],
      ['(as-> 42)', 'error arity'],
      ['(if)', 'error arity'],
    ],
  },
  {
    title: 'Keywords become strings in JSON',
    reason: 'JSON has no keywords; sets become lists',
    examples: [
      ['(json/generate-string {"server" :fs})', '"{\\"server\\":\\"fs\\"}"'],
      ['(json/write #{1})', '"[1]"'],
    ],
  },
  {
    title: 'Some parts of Clojure are missing',
    reason:
      'Macros, eval, namespaces, atoms, transducers, try and catch, input and output, interop, a clock, random numbers: an expression computes over its data and nothing else',
    examples: [
      ['(defmacro m [] 1)', 'error unbound'],
      ['(atom 1)', 'error unbound'],
      ['(rand)', 'error unbound'],
      ['(map inc)', 'error arity'],
      ['(.toString 1)', 'error unbound'],
    ],
  },
  {
    title: 'Small differences',
    reason: '`memoize` returns the function itself, `type` a keyword, and `def` a symbol that prints like a var',
    examples: [
      ['((memoize inc) 1)', '2'],
      ['(type "a")', ':string'],
      ['(def x 1)', "#'x"],
    ],
  },
];
