// All builtins by name, with their namespaces and short names.
import type { Builtin } from './builtin.ts';
import { collectionBuiltins } from './builtins-collection.ts';
import { dataBuiltins } from './builtins-data.ts';
import { dateBuiltins } from './builtins-date.ts';
import { functionBuiltins } from './builtins-function.ts';
import { jsonBuiltins } from './builtins-json.ts';
import { kindBuiltins } from './builtins-kind.ts';
import { numberBuiltins } from './builtins-number.ts';
import { sequenceBuiltins } from './builtins-sequence.ts';
import { setBuiltins } from './builtins-set.ts';
import { stringBuiltins } from './builtins-string.ts';
import { walkBuiltins } from './builtins-walk.ts';

export interface Chapter {
  readonly title: string;
  readonly builtins: readonly Builtin[];
}

/** In the order of the reference page. */
export const chapters: readonly Chapter[] = [
  { title: 'Numbers', builtins: numberBuiltins },
  { title: 'Types of values', builtins: kindBuiltins },
  { title: 'Sequences', builtins: sequenceBuiltins },
  { title: 'Maps, sets and vectors', builtins: collectionBuiltins },
  { title: 'Functions', builtins: functionBuiltins },
  { title: 'Strings and regular expressions', builtins: stringBuiltins },
  { title: 'Sets as relations', builtins: setBuiltins },
  { title: 'Walking nested data', builtins: walkBuiltins },
  { title: 'Lists of records', builtins: dataBuiltins },
  { title: 'JSON', builtins: jsonBuiltins },
  { title: 'Dates', builtins: dateBuiltins },
];

/** Namespaces and their aliases. */
const NAMESPACES: ReadonlyMap<string, string> = new Map([
  ['clojure.string', 'string'],
  ['str', 'string'],
  ['clojure.set', 'set'],
  ['clojure.walk', 'walk'],
]);

const byName: ReadonlyMap<string, Builtin> = new Map(
  chapters.flatMap(({ builtins }) => builtins.map((each) => [each.name, each] as const)),
);

/** A bare name such as `join` also means `string/join`, if clojure.core has no such name. */
const bare: ReadonlyMap<string, Builtin> = new Map(
  ['string', 'set', 'walk']
    .flatMap((home) =>
      chapters.flatMap(({ builtins }) =>
        builtins
          .filter((each) => each.name.startsWith(`${home}/`))
          .map((each) => [each.name.slice(home.length + 1), each] as const),
      ),
    )
    .reverse(),
);

export function findBuiltin(name: string): Builtin | undefined {
  const known = byName.get(name) ?? bare.get(name);
  if (known !== undefined) return known;
  const slash = name.indexOf('/');
  if (slash <= 0) return undefined;
  const [namespace, rest] = [name.slice(0, slash), name.slice(slash + 1)];
  if (namespace === 'clojure.core') return byName.get(rest);
  return byName.get(`${NAMESPACES.get(namespace) ?? namespace}/${rest}`);
}

/** All names of builtins without long namespaces. */
export function builtinNames(): readonly string[] {
  return [...byName.keys(), ...bare.keys()];
}
