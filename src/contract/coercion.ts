// Coercion: converts values to the type that a contract wants, when nothing is lost.

import type { PathPart } from '../base/issue.ts';
import { canonicalJson, isJsonArray, isJsonObject, type Json, ownProperty } from '../base/json.ts';
import {
  conjuncts,
  kindOf,
  kindsOf,
  namesAt,
  openKinds,
  propertiesOf,
  type Schema,
  schemaOf,
  schemasOf,
  typesOf,
  unionsOf,
  valuesOf,
} from './schema.ts';

export interface Coercion {
  readonly path: readonly PathPart[];
  /** Names of types, never values. `to` is `absent` when a null stood for an optional property. */
  readonly from: string;
  readonly to: string;
}

interface CoercedValue {
  readonly value: Json;
  readonly coercions: readonly Coercion[];
}

/** Applies every lossless coercion that the schema asks for. The result may still break the contract elsewhere. */
export function coerce(value: Json, schema: Schema): CoercedValue {
  const coercions: Coercion[] = [];
  return { value: coerceAt(value, schema, { root: schema, path: [], coercions }), coercions };
}

interface ValuePlace {
  readonly root: Schema;
  readonly path: readonly PathPart[];
  readonly coercions: Coercion[];
}

function coerceAt(value: Json, schema: Schema, spot: ValuePlace): Json {
  const parts = conjuncts(schema, spot.root);
  if (isJsonArray(value)) return inList(value, parts, spot);
  if (isJsonObject(value)) return inMap(value, parts, spot);
  return typeof value === 'string' ? ofText(value, parts, spot) : value;
}

/** Adds the parts of a union's branch when exactly one branch allows this kind of value. */
function withBranch(value: Json, parts: readonly Schema[], root: Schema): readonly Schema[] {
  const chosen = parts.flatMap(unionsOf).flatMap((branches) => {
    const fitting = branches.filter((branch) => mayTake(value, conjuncts(branch, root)));
    const [only, another] = fitting;
    return only === undefined || another !== undefined ? [] : withBranch(value, conjuncts(only, root), root);
  });
  return [...parts, ...chosen];
}

/** Compares only the kind, listed values, and listed values of properties, which tell branches apart. */
export function mayTake(value: Json, parts: readonly Schema[]): boolean {
  return parts.every((part) => {
    if (!kindsOf(part).has(kindOf(value))) return false;
    return Object.entries(propertiesOf(part)).every(([name, property]) => {
      const listed = valuesOf(schemaOf(property));
      const found = ownProperty(value, name);
      return listed === undefined || found === undefined || listed.includes(found);
    });
  });
}

function inList(value: readonly Json[], own: readonly Schema[], spot: ValuePlace): Json {
  const parts = withBranch(value, own, spot.root);
  const before = spot.coercions.length;
  const items = value.map((item, index) =>
    parts.reduce((now, part) => {
      const schema = schemasOf(part.prefixItems)[index] ?? schemaOf(part.items);
      return coerceAt(now, schema, { ...spot, path: [...spot.path, index] });
    }, item),
  );
  return spot.coercions.length === before ? value : items;
}

function inMap(value: { readonly [key: string]: Json }, own: readonly Schema[], spot: ValuePlace): Json {
  const parts = withBranch(value, own, spot.root);
  const before = spot.coercions.length;
  const entries = Object.entries(value).flatMap(([name, given]): ReadonlyArray<readonly [string, Json]> => {
    const path = [...spot.path, name];
    const schemas = parts.map((part) => schemaOf(ownProperty(part.properties, name) ?? part.additionalProperties));
    if (given === null && mayDrop(name, schemas, parts, spot.root)) {
      spot.coercions.push({ path, from: 'null', to: 'absent' });
      return [];
    }
    return [[name, schemas.reduce((now, schema) => coerceAt(now, schema, { ...spot, path }), given)]];
  });
  return spot.coercions.length === before ? value : Object.fromEntries(entries);
}

/** A null may be dropped for a declared property that is optional and not nullable. */
function mayDrop(name: string, schemas: readonly Schema[], parts: readonly Schema[], root: Schema): boolean {
  if (parts.some((part) => namesAt(part, 'required').includes(name))) return false;
  if (!parts.some((part) => Object.hasOwn(propertiesOf(part), name))) return false;
  return schemas.some((schema) => !openKinds(schema, root).has('null'));
}

/** Converts text when exactly one conversion fits the schema. */
function ofText(text: string, parts: readonly Schema[], spot: ValuePlace): Json {
  const found = candidates(text, parts, spot.root);
  if (found.some((candidate) => candidate === text)) return text;
  const [only, another] = new Map(found.map((candidate) => [canonicalJson(candidate), candidate])).values();
  if (only === undefined || another !== undefined) return text;
  spot.coercions.push({ path: spot.path, from: 'string', to: typeof only === 'string' ? 'choice' : kindOf(only) });
  return only;
}

/** All values that the text may stand for, including the text itself if the schema allows text. */
function candidates(text: string, parts: readonly Schema[], root: Schema): readonly Json[] {
  const wanted = parts.map((part): readonly Json[] | undefined => {
    const listed = valuesOf(part);
    if (listed !== undefined) return amongListed(text, listed);
    const types = typesOf(part);
    if (types.length > 0) return types.flatMap((type) => readers[type]?.(text) ?? []);
    const branches = unionsOf(part).flat();
    if (branches.length > 0) return branches.flatMap((branch) => candidates(text, conjuncts(branch, root), root));
    return undefined;
  });
  const [first, ...rest] = wanted.filter((each) => each !== undefined);
  if (first === undefined) return [text];
  return first.filter((candidate) => rest.every((others) => others.includes(candidate)));
}

function amongListed(text: string, listed: readonly Json[]): readonly Json[] {
  if (listed.includes(text)) return [text];
  const lower = text.toLowerCase();
  return listed.filter((each) =>
    typeof each === 'string' ? each.toLowerCase() === lower : typeof each !== 'object' && String(each) === text,
  );
}

const readers: Readonly<Record<string, (text: string) => readonly Json[]>> = {
  string: (text) => [text],
  integer: (text) => numberIn(text).filter(Number.isSafeInteger),
  number: (text) => numberIn(text),
  boolean: (text) => (/^(true|false)$/i.test(text) ? [text.toLowerCase() === 'true'] : []),
  null: (text) => (text === 'null' ? [null] : []),
};

/** The number in a text, if a double holds it exactly: `10`, `-2.50`, `1e3`, but not `007` or twenty digits. */
function numberIn(text: string): number[] {
  const match = /^-?(0|[1-9]\d*)(?:\.(\d+))?(?:[eE][+-]?\d{1,3})?$/.exec(text);
  if (match === null) return [];
  const value = Number(text);
  const digits = `${match[1]}${match[2] ?? ''}`.replace(/^0+/, '').replace(/0+$/, '').length;
  const held =
    digits <= 15 && Math.abs(value) < 1e300 && (digits === 0 ? !text.startsWith('-') : Math.abs(value) > 1e-300);
  return held || String(value) === text ? [value] : [];
}
