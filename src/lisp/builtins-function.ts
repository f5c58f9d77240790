// Builtins that make functions from functions.
import { type Builtin, builtin, native, type Shapes } from './builtin.ts';
import { typeError } from './exception.ts';
import { each1, each2, eachN, invoke } from './invoke.ts';
import { handle } from './machine.ts';
import { orderWith } from './order.ts';
import { seq } from './seq.ts';
import { aKind, type Fn, isFn, type Machine, truthy, type Value, vector } from './value.ts';

const ANY = Number.POSITIVE_INFINITY;

function apply(m: Machine, args: readonly Value[]): Value {
  const [f = null, ...given] = args;
  const spread = seq(m, given.at(-1) ?? null, 'apply');
  handle(m, spread.length);
  return invoke(m, f, [...given.slice(0, -1), ...spread]);
}

function partial(f: Value, fixed: readonly Value[]): Value {
  if (fixed.length === 0) return f;
  const [only = null] = fixed;
  const { code } = native('partial', 0, ANY, (m, args) => eachN(m, f, [...fixed, ...args]));
  if (fixed.length > 1) return { kind: 'fn', code, captured: [] };
  return { kind: 'fn', code: { ...code, call1: (m, _, a) => each2(m, f, only, a) }, captured: [] };
}

function comp(fs: readonly Value[]): Value {
  const [only] = fs;
  if (only === undefined) return IDENTITY.fn;
  if (fs.length === 1) return only;
  const outer = fs.slice(0, -1).reverse();
  const inner = fs.at(-1) ?? null;
  return native('comp', 0, ANY, (m, args) =>
    outer.reduce((value, f) => each1(m, f, value), eachN(m, inner, [...args])),
  );
}

/** The first falsy answer of any predicate for any argument, else the last answer. */
function everyPred(predicates: readonly Value[]): Value {
  return native('every-pred', 0, ANY, (m, args) =>
    predicates.every((predicate) => args.every((arg) => truthy(each1(m, predicate, arg)))),
  );
}

function someFn(predicates: readonly Value[]): Value {
  return native('some-fn', 0, ANY, (m, args) => {
    let answer: Value = null;
    for (const arg of args) {
      for (const predicate of predicates) {
        answer = each1(m, predicate, arg);
        if (truthy(answer)) return answer;
      }
    }
    return answer;
  });
}

function fnil(f: Value, defaults: readonly Value[]): Value {
  return native('fnil', defaults.length, ANY, (m, args) =>
    eachN(
      m,
      f,
      args.map((arg, i) => (arg === null ? (defaults[i] ?? null) : arg)),
    ),
  );
}

function trampoline(m: Machine, [f = null, ...args]: readonly Value[]): Value {
  let value = eachN(m, f, args);
  while (isFn(value)) value = eachN(m, value, []);
  return value;
}

/** Picks the largest or smallest by key; the last among equals, as in Clojure. */
function byKey(who: string, better: (a: number, b: number) => boolean): Shapes {
  return {
    rest: (m, [f = null, first = null, ...others]) => {
      let best = first;
      if (others.length === 0) return best;
      let bestKey = amount(each1(m, f, best), who);
      for (const other of others) {
        const key = amount(each1(m, f, other), who);
        if (!better(bestKey, key)) {
          best = other;
          bestKey = key;
        }
      }
      return best;
    },
    min: 2,
  };
}

function amount(value: Value, who: string): number {
  if (typeof value === 'number') return value;
  throw typeError(`${who} needs a function that gives numbers, not ${aKind(value)}`);
}

const IDENTITY = builtin('identity', { one: (_, a) => a }, '1', 'Returns its argument', '(identity 1)', '1');

export const functionBuiltins: readonly Builtin[] = [
  IDENTITY,
  builtin(
    'apply',
    { rest: apply, min: 2 },
    'k + 2n',
    'Calls a function with the elements of a collection as its last arguments',
    '(apply + 1 [2 3])',
    '6',
  ),
  builtin(
    'constantly',
    { one: (_, a) => native('constantly', 0, ANY, () => a) },
    '1',
    'Makes a function that always returns the same value',
    '((constantly 5) 1 2)',
    '5',
  ),
  builtin(
    'partial',
    { rest: (_, [f = null, ...fixed]) => partial(f, fixed), min: 1 },
    'k',
    'Makes a function with its first arguments already given',
    '((partial + 10) 1)',
    '11',
  ),
  builtin(
    'comp',
    { rest: (_, fs) => comp(fs) },
    'k',
    'Makes a function that calls several functions one after the other, the last one first',
    '((comp inc first) [1 2])',
    '2',
  ),
  builtin(
    'juxt',
    {
      rest: (_, fs) => native('juxt', 0, ANY, (m, args) => vector(fs.map((f) => eachN(m, f, [...args])))),
      min: 1,
    },
    'k',
    'Makes a function that returns the results of several functions',
    '((juxt first count) [7 8])',
    '[7 2]',
  ),
  builtin(
    'complement',
    { one: (_, f) => native('complement', 0, ANY, (m, args) => !truthy(eachN(m, f, [...args]))) },
    '1',
    'Makes the opposite of a predicate',
    '((complement nil?) 1)',
    'true',
  ),
  builtin(
    'every-pred',
    { rest: (_, fs) => everyPred(fs), min: 1 },
    'k',
    'Makes a predicate that holds when all given predicates hold',
    '((every-pred pos? even?) 2 4)',
    'true',
  ),
  builtin(
    'some-fn',
    { rest: (_, fs) => someFn(fs), min: 1 },
    'k',
    'Makes a function that returns the first truthy result of several functions',
    '((some-fn :a :b) {:b 2})',
    '2',
  ),
  builtin(
    'fnil',
    { rest: (_, [f = null, ...defaults]) => fnil(f, defaults), min: 2 },
    'k',
    'Makes a function that replaces nil arguments by defaults',
    '((fnil + 0) nil 5)',
    '5',
  ),
  builtin(
    'memoize',
    { one: (_, f) => f },
    '1',
    'Returns the function itself: its result is always the same',
    '((memoize inc) 1)',
    '2',
  ),
  builtin(
    'trampoline',
    { rest: trampoline, min: 1 },
    '1 + 2n',
    'Calls a function, and then its result as long as that is a function',
    '(trampoline (fn [] (fn [] 7)))',
    '7',
  ),
  builtin(
    'comparator',
    {
      one: (_, f) => {
        if (!isFn(f)) throw typeError(`comparator needs a function, not ${aKind(f)}`);
        return comparatorOf(f);
      },
    },
    '1',
    'Makes a comparison function from a predicate such as <',
    '((comparator <) 1 2)',
    '-1',
  ),
  builtin(
    'max-key',
    byKey('max-key', (best, key) => best > key),
    '2k',
    'Returns the argument with the largest result of a function',
    '(max-key count "a" "abc" "ab")',
    '"abc"',
  ),
  builtin(
    'min-key',
    byKey('min-key', (best, key) => best < key),
    '2k',
    'Returns the argument with the smallest result of a function',
    '(min-key count "abc" "a" "ab")',
    '"a"',
  ),
];

function comparatorOf(f: Fn): Value {
  return native('comparator', 2, 2, (m, [a = null, b = null]) => orderWith(m, f, a, b));
}
