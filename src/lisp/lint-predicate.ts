// Warns about predicates that run without error but probably do not mean what their author intended.
import { type Issue, issue, type PathPart, pathText } from '../base/issue.ts';
import { isJsonArray, isJsonObject, type Json } from '../base/json.ts';
import { children, type Node } from './analyze/node.ts';
import type { Program } from './program.ts';
import { referencedPaths } from './referenced-paths.ts';
import { locate } from './source-place.ts';

/** The caller's knowledge about the data of a predicate. */
export interface PredicateKnowledge {
  /** True when a binding's contract has a path; undefined when unknown. */
  readonly hasPath?: (binding: string, path: readonly PathPart[]) => boolean | undefined;
  /** True when the value at a path may be a string; undefined when unknown. */
  readonly mayBeText?: (binding: string, path: readonly PathPart[]) => boolean | undefined;
  /** The input of the predicate, to find values that were copied from it. */
  readonly input?: Json;
}

type Rule = (program: Program, knowledge: PredicateKnowledge) => readonly Issue[];

const RULES: readonly Rule[] = [mayBeText, neverFails, hardCoded, unknownPaths];

/** Warnings LISP_PREDICATE_TEXT, LISP_PREDICATE_CERTAIN, LISP_PREDICATE_HARDCODED and LISP_PATH_UNKNOWN, without data values. */
export function lintPredicate(program: Program, knowledge: PredicateKnowledge = {}): readonly Issue[] {
  return RULES.flatMap((rule) => rule(program, knowledge));
}

function warning(program: Program, code: string, at: number, message: string, hint: string): Issue {
  return issue(code, message, { severity: 'warning', place: locate(program.source, at, at, program.place), hint });
}

/** The nodes that may provide the program's value. */
function results(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'if':
      return [...results(node.then), ...results(node.else)];
    case 'do':
      return node.body.slice(-1).flatMap(results);
    case 'let':
    case 'loop':
    case 'letfn':
      return results(node.body);
    case 'and':
      return [...node.parts.slice(0, -1).map(onlyFalse), ...node.parts.slice(-1).flatMap(results)];
    case 'or':
      return node.parts.flatMap(results);
    case 'case':
      return [...node.table.values(), ...(node.otherwise === undefined ? [] : [node.otherwise])].flatMap(results);
    default:
      return [node];
  }
}

/** Every part of `and` except the last provides the value only when it is nil or false. */
function onlyFalse(part: Node): Node {
  return { kind: 'const', value: false, at: part.at };
}

/** Builtins that return part of their argument unchanged. */
const PICKS = new Set([
  'get',
  'get-in',
  'first',
  'second',
  'last',
  'nth',
  'peek',
  'ffirst',
  'fnext',
  'val',
  'key',
  'some',
  'identity',
  'min-by',
  'max-by',
]);

function mayBeText(program: Program, knowledge: PredicateKnowledge): readonly Issue[] {
  const known = knowledge.mayBeText;
  const plain = new Set(
    known === undefined
      ? []
      : referencedPaths(program)
          .filter(({ binding, path }) => known(binding, path) === false)
          .map(({ place }) => `${place.line}:${place.column}`),
  );
  return results(program.body).flatMap((node) => {
    const picks =
      node.kind === 'data' ||
      (node.kind === 'invoke' && PICKS.has(node.builtin.name)) ||
      (node.kind === 'call' && node.head.kind === 'const');
    const place = locate(program.source, node.at, node.at, program.place);
    if (!picks || plain.has(`${place.line}:${place.column}`)) return [];
    return [
      warning(
        program,
        'LISP_PREDICATE_TEXT',
        node.at,
        'the value may be a string taken from the data, and a string fails as a diagnosis',
        'write (some? …) or (boolean …) around it',
      ),
    ];
  });
}

/** Builtins that never return nil, false or a string. */
const ALWAYS_TRUE = new Set(
  'count + - * / inc dec quot rem mod max min abs floor ceil round map mapv filter filterv remove keep mapcat vec vector list set hash-set hash-map sort sort-by reverse concat distinct rest take drop range partition group-by frequencies zipmap select-keys flatten where pluck sum sum-by assoc into conj keyword juxt comp partial'.split(
    ' ',
  ),
);

function neverFails(program: Program): readonly Issue[] {
  const never = results(program.body).every((node) => {
    if (node.kind === 'const') return node.value !== null && node.value !== false && typeof node.value !== 'string';
    if (node.kind === 'invoke') return ALWAYS_TRUE.has(node.builtin.name);
    return (
      node.kind === 'vector' || node.kind === 'map' || node.kind === 'set' || node.kind === 'fn' || node.kind === 'def'
    );
  });
  if (!never || some(program.body, (node) => node.kind === 'fail')) return [];
  return [
    warning(
      program,
      'LISP_PREDICATE_CERTAIN',
      program.body.at,
      'the predicate can never fail: its value is never nil, false or a string',
      'compare the value, such as (empty? (filter …)) or (> (count …) 0): an empty list is truthy',
    ),
  ];
}

function some(node: Node, test: (node: Node) => boolean): boolean {
  return test(node) || children(node).some((child) => some(child, test));
}

/** Shorter values may be equal by chance. */
const SHORTEST_COPY = 3;
const MOST_VALUES = 1_000;

function hardCoded(program: Program, { input }: PredicateKnowledge): readonly Issue[] {
  if (input === undefined) return [];
  const places = new Map<string | number, readonly PathPart[]>();
  collect(input, [], places);
  const found: Issue[] = [];
  const look = (node: Node): void => {
    const compared =
      node.kind === 'invoke' &&
      (node.builtin.name === '=' || node.builtin.name === 'not=' || node.builtin.name === '==');
    for (const child of children(node)) {
      const path =
        compared && child.kind === 'const' && (typeof child.value === 'string' || typeof child.value === 'number')
          ? places.get(child.value)
          : undefined;
      if (path !== undefined) {
        const where = pathText(path);
        found.push(
          warning(
            program,
            'LISP_PREDICATE_HARDCODED',
            child.at,
            `this value is copied from the input (${where})`,
            `compare with (get-in data/input [${path.map((part) => JSON.stringify(part)).join(' ')}])`,
          ),
        );
      }
      look(child);
    }
  };
  look(program.body);
  return found;
}

function collect(value: Json, path: readonly PathPart[], places: Map<string | number, readonly PathPart[]>): void {
  if (places.size >= MOST_VALUES || path.length > 20) return;
  if (
    (typeof value === 'string' || typeof value === 'number') &&
    String(value).length >= SHORTEST_COPY &&
    !places.has(value)
  )
    places.set(value, path);
  else if (isJsonArray(value)) value.forEach((item, i) => void collect(item, [...path, i], places));
  else if (isJsonObject(value))
    for (const key of Object.keys(value)) collect(value[key] ?? null, [...path, key], places);
}

function unknownPaths(program: Program, { hasPath }: PredicateKnowledge): readonly Issue[] {
  if (hasPath === undefined) return [];
  return referencedPaths(program)
    .filter(({ binding, path }) => path.length > 0 && hasPath(binding, path) === false)
    .map(({ binding, path, place }) =>
      issue('LISP_PATH_UNKNOWN', `data/${binding} has no "${pathText(path)}" in its contract`, {
        severity: 'warning',
        place,
        hint: 'look up the names in the contract',
      }),
    );
}
