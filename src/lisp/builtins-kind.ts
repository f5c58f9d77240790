// Builtins that test the type of a value, and builtins for names.
import { type Builtin, builtin, type Shapes } from './builtin.ts';
import { typeError } from './exception.ts';
import { isCallable } from './invoke.ts';
import { burn, grow, scan } from './machine.ts';
import {
  aKind,
  isFn,
  isKeyword,
  isMap,
  isRegex,
  isSet,
  isSymbol,
  isVector,
  keyword,
  kindOf,
  type Machine,
  symbol,
  truthy,
  type Value,
} from './value.ts';

/** Pays for making or splitting a name, by its length. */
function named(m: Machine, name: string): string {
  burn(m, name.length >> 4);
  return name;
}

function is(test: (value: Value) => boolean): Shapes {
  return { one: (_, a) => test(a) };
}

/** Tests for a name, with or without a namespace. */
function isName(test: (value: Value) => boolean, withNamespace: boolean): Shapes {
  return { one: (m, a) => test(a) && qualified(m, a) === withNamespace };
}

function isCollection(value: Value): boolean {
  return isVector(value) || isMap(value) || isSet(value);
}

function isNamed(value: Value): boolean {
  return isKeyword(value) || isSymbol(value);
}

function nameOf(value: Value, who: string): string {
  if (typeof value === 'string') return value;
  if (isKeyword(value) || isSymbol(value)) return value.name;
  throw typeError(`${who} needs a keyword, a symbol or a string, not ${aKind(value)}`);
}

function bareName(m: Machine, value: Value): string {
  if (typeof value === 'string') return value;
  const whole = named(m, nameOf(value, 'name'));
  const slash = whole.indexOf('/');
  return slash > 0 && whole.length > 1 ? whole.slice(slash + 1) : whole;
}

function namespaceOf(m: Machine, value: Value): Value {
  if (typeof value === 'string') throw typeError('namespace needs a keyword or a symbol, not a string');
  const whole = named(m, nameOf(value, 'namespace'));
  const slash = whole.indexOf('/');
  return slash > 0 && whole.length > 1 ? whole.slice(0, slash) : null;
}

function qualified(m: Machine, value: Value): boolean {
  return isNamed(value) && namespaceOf(m, value) !== null;
}

/** Accepts a string, a keyword or a symbol; anything else gives nil, as in Clojure. */
function makeKeyword(m: Machine, value: Value): Value {
  if (isKeyword(value)) return value;
  if (typeof value === 'string') return keyword(named(m, value));
  return isSymbol(value) ? keyword(named(m, value.name)) : null;
}

function joined(m: Machine, namespace: Value, name: Value, who: string): string {
  if (typeof name !== 'string' || (namespace !== null && typeof namespace !== 'string'))
    throw typeError(`${who} needs strings for namespace and name`);
  const whole = namespace === null ? name : `${namespace}/${name}`;
  grow(m, whole.length);
  return named(m, whole);
}

const SEQUENTIAL = is(isVector);
const KEYWORD = is(isKeyword);
const NEVER = is(() => false);

export const kindBuiltins: readonly Builtin[] = [
  builtin(
    'not',
    is((a) => !truthy(a)),
    '1',
    'Returns true for nil and false, and false for all other values',
    '(not nil)',
    'true',
  ),
  builtin(
    'boolean',
    is(truthy),
    '1',
    'Returns false for nil and false, and true for all other values',
    '(boolean 0)',
    'true',
  ),
  builtin(
    'nil?',
    is((a) => a === null),
    '1',
    'Tests whether a value is nil',
    '(nil? nil)',
    'true',
  ),
  builtin(
    'some?',
    is((a) => a !== null),
    '1',
    'Tests whether a value is not nil',
    '(some? false)',
    'true',
  ),
  builtin(
    'any?',
    is(() => true),
    '1',
    'Returns true for every value',
    '(any? nil)',
    'true',
  ),
  builtin(
    'true?',
    is((a) => a === true),
    '1',
    'Tests whether a value is true, and not only truthy',
    '(true? 1)',
    'false',
  ),
  builtin(
    'false?',
    is((a) => a === false),
    '1',
    'Tests whether a value is false, and not nil',
    '(false? nil)',
    'false',
  ),
  builtin(
    'boolean?',
    is((a) => typeof a === 'boolean'),
    '1',
    'Tests whether a value is true or false',
    '(boolean? nil)',
    'false',
  ),
  builtin(
    'string?',
    is((a) => typeof a === 'string'),
    '1',
    'Tests whether a value is a string',
    '(string? "x")',
    'true',
  ),
  builtin(
    'char?',
    is((a) => typeof a === 'string' && [...a.slice(0, 3)].length === 1),
    '1',
    'Tests whether a value is a string of one character',
    '(char? \\a)',
    'true',
  ),
  builtin('keyword?', KEYWORD, '1', 'Tests whether a value is a keyword', '(keyword? :a)', 'true'),
  builtin('symbol?', is(isSymbol), '1', 'Tests whether a value is a symbol', "(symbol? 'a)", 'true'),
  builtin('ident?', is(isNamed), '1', 'Tests whether a value is a keyword or a symbol', '(ident? :a)', 'true'),
  builtin(
    'simple-keyword?',
    isName(isKeyword, false),
    '1',
    'Tests whether a value is a keyword without a namespace',
    '(simple-keyword? :a)',
    'true',
  ),
  builtin(
    'qualified-keyword?',
    isName(isKeyword, true),
    '1',
    'Tests whether a value is a keyword with a namespace',
    '(qualified-keyword? :a/b)',
    'true',
  ),
  builtin(
    'simple-symbol?',
    isName(isSymbol, false),
    '1',
    'Tests whether a value is a symbol without a namespace',
    "(simple-symbol? 'a)",
    'true',
  ),
  builtin(
    'qualified-symbol?',
    isName(isSymbol, true),
    '1',
    'Tests whether a value is a symbol with a namespace',
    "(qualified-symbol? 'a/b)",
    'true',
  ),
  builtin(
    'simple-ident?',
    isName(isNamed, false),
    '1',
    'Tests whether a value is a name without a namespace',
    '(simple-ident? :a)',
    'true',
  ),
  builtin(
    'qualified-ident?',
    isName(isNamed, true),
    '1',
    'Tests whether a value is a name with a namespace',
    '(qualified-ident? :a/b)',
    'true',
  ),
  builtin('vector?', is(isVector), '1', 'Tests whether a value is a vector', '(vector? [1])', 'true'),
  builtin('map?', is(isMap), '1', 'Tests whether a value is a map', '(map? {:a 1})', 'true'),
  builtin('set?', is(isSet), '1', 'Tests whether a value is a set', '(set? #{1})', 'true'),
  builtin(
    'map-entry?',
    NEVER,
    '1',
    'Returns false: entries are vectors of two elements',
    '(map-entry? [1 2])',
    'false',
  ),
  builtin('record?', NEVER, '1', 'Returns false: there are no records', '(record? {})', 'false'),
  builtin('list?', NEVER, '1', 'Returns false: lists are vectors', '(list? [1])', 'false'),
  builtin('seq?', NEVER, '1', 'Returns false: sequences are vectors', '(seq? [1])', 'false'),
  builtin('sequential?', SEQUENTIAL, '1', 'Tests whether a value is a vector', '(sequential? [1])', 'true'),
  builtin('coll?', is(isCollection), '1', 'Tests whether a value is a vector, a map or a set', '(coll? {})', 'true'),
  builtin(
    'associative?',
    is((a) => isVector(a) || isMap(a)),
    '1',
    'Tests whether a value is a vector or a map',
    '(associative? [1])',
    'true',
  ),
  builtin('indexed?', is(isVector), '1', 'Tests whether a value is a vector', '(indexed? [1])', 'true'),
  builtin(
    'counted?',
    is(isCollection),
    '1',
    'Tests whether a value is a vector, a map or a set',
    '(counted? [1])',
    'true',
  ),
  builtin(
    'reversible?',
    is((a) => isVector(a) || isSorted(a)),
    '1',
    'Tests whether rseq accepts a value',
    '(reversible? [1])',
    'true',
  ),
  builtin(
    'seqable?',
    is((a) => a === null || typeof a === 'string' || isCollection(a)),
    '1',
    'Tests whether a value has elements',
    '(seqable? "ab")',
    'true',
  ),
  builtin(
    'sorted?',
    is(isSorted),
    '1',
    'Tests whether a value is a sorted map or set',
    '(sorted? (sorted-set 1))',
    'true',
  ),
  builtin('fn?', is(isFn), '1', 'Tests whether a value is a function', '(fn? inc)', 'true'),
  builtin(
    'ifn?',
    is(isCallable),
    '1',
    'Tests whether a value can be called, as functions, keywords, maps, sets and vectors can',
    '(ifn? :a)',
    'true',
  ),
  builtin('regex?', is(isRegex), '1', 'Tests whether a value is a regular expression', '(regex? #"a")', 'true'),
  builtin(
    'identical?',
    { two: identical },
    '1 + c/64',
    'Tests whether two values are the same value, not only equal ones',
    '(identical? :a :a)',
    'true',
  ),
  builtin(
    'type',
    { one: (_, a) => (a === null ? null : keyword(kindOf(a))) },
    '1',
    'Returns the type of a value as a keyword, and nil for nil',
    '(type 1)',
    ':number',
  ),
  builtin(
    'name',
    { one: bareName },
    '1 + c/16',
    'Returns the name of a keyword, a symbol or a string',
    '(name :a/b)',
    '"b"',
  ),
  builtin(
    'namespace',
    { one: namespaceOf },
    '1 + c/16',
    'Returns the namespace of a keyword or a symbol, or nil',
    '(namespace :a/b)',
    '"a"',
  ),
  builtin(
    'keyword',
    { one: makeKeyword, two: (m, a, b) => keyword(joined(m, a, b, 'keyword')) },
    '1 + c/16',
    'Makes a keyword from a name',
    '(keyword "a")',
    ':a',
  ),
  builtin(
    'symbol',
    { one: (_, a) => symbol(nameOf(a, 'symbol')), two: (m, a, b) => symbol(joined(m, a, b, 'symbol')) },
    '1 + c/16',
    'Makes a symbol from a name',
    '(name (symbol "a"))',
    '"a"',
  ),
];

function identical(m: Machine, a: Value, b: Value): boolean {
  if (typeof a === 'string') scan(m, a);
  if (!isKeyword(a) || !isKeyword(b)) return Object.is(a, b);
  scan(m, a.name);
  return a.name === b.name;
}

function isSorted(value: Value): boolean {
  return (isMap(value) && value.order !== undefined) || (isSet(value) && value.map.order !== undefined);
}
