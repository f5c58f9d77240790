// Makes an example value for a contract: from its examples, else the smallest value that fits.
import type { Json } from '../base/json.ts';
import { defined, isJsonArray } from '../base/json.ts';
import { contractOf } from './contract.ts';
import {
  conjuncts,
  namesAt,
  never,
  numberAt,
  propertiesOf,
  type Schema,
  schemaOf,
  typesOf,
  unionsOf,
  valuesOf,
} from './schema.ts';

const DEEPEST = 8;
/** The most schema parts to visit before giving up. */
const MOST_PARTS = 500;

interface Search {
  readonly root: Schema;
  readonly depth: number;
  /** Shared by the whole search for one example. */
  readonly spent: { parts: number };
}

/** Undefined when the search fails, for example for patterns or contradictions. */
export function exampleOf(schema: Schema): Json | undefined {
  const search = { root: schema, depth: 0, spent: { parts: 0 } };
  return candidates(schema, search).find((value) => contractOf(schema).check(value).ok);
}

/** The first candidate that fits; else the first candidate, which may still fit in its place. */
function exampleIn(schemas: readonly Schema[], search: Search): Json | undefined {
  if (schemas.includes(never)) return undefined;
  const { $defs } = search.root;
  const whole: Schema = {
    ...(schemas.length === 0 ? {} : { allOf: schemas }),
    ...defined({ $defs }),
  };
  const found = candidates(whole, { ...search, depth: search.depth + 1 });
  return found.find((value) => contractOf(whole).check(value).ok) ?? found[0];
}

/** Ordered by how much they say about real values. */
function candidates(schema: Schema, search: Search): readonly Json[] {
  const { root, depth, spent } = search;
  spent.parts += 1;
  if (depth > DEEPEST || spent.parts > MOST_PARTS) return [];
  const parts = conjuncts(schema, root);
  const told = parts.flatMap((part) => [
    ...(part.default === undefined ? [] : [part.default]),
    ...(isJsonArray(part.examples) ? part.examples : []),
    ...(valuesOf(part) ?? []),
  ]);
  const branches = parts.flatMap((part) => unionsOf(part).flat());
  const rest = parts.map(ownWords);
  const ofTypes = typesIn(parts).flatMap((type) => made(type, parts, search));
  const ofBranches = branches.flatMap((branch) =>
    candidates({ allOf: [...rest, branch] }, { ...search, depth: depth + 1 }),
  );
  return parts.some((part) => typesOf(part).length > 0)
    ? [...told, ...ofTypes, ...ofBranches]
    : [...told, ...ofBranches, ...ofTypes];
}

/** Leaves out keywords that refer to other schemas, which the caller has collected already. */
function ownWords(part: Schema): Schema {
  return Object.fromEntries(
    Object.entries(part).filter(([keyword]) => !['anyOf', 'oneOf', 'allOf', '$ref', '$defs'].includes(keyword)),
  );
}

function typesIn(parts: readonly Schema[]): readonly string[] {
  const named = parts.map(typesOf).filter((types) => types.length > 0);
  const [first = ['object', 'string', 'integer', 'array', 'boolean', 'null'], ...rest] = named;
  const shared = first.filter((type) => rest.every((types) => types.includes(type)));
  return [...shared.filter((type) => type !== 'null'), ...shared.filter((type) => type === 'null')];
}

function made(type: string, parts: readonly Schema[], search: Search): readonly Json[] {
  switch (type) {
    case 'object':
      return [mapOf(parts, search)];
    case 'array':
      return [listOf(parts, search)];
    case 'string':
      return textsOf(parts);
    case 'integer':
    case 'number':
      return [numberOf(parts), 0];
    case 'boolean':
      return [true];
    default:
      return [null];
  }
}

function mapOf(parts: readonly Schema[], search: Search): Json {
  const names = new Set(parts.flatMap((part) => [...Object.keys(propertiesOf(part)), ...namesAt(part, 'required')]));
  const required = new Set(parts.flatMap((part) => namesAt(part, 'required')));
  const entries = [...names].flatMap((name): [string, Json][] => {
    // Leaves out optional properties in deep schemas, which could nest forever.
    if (!required.has(name) && search.depth > 3) return [];
    const below = parts.flatMap((part) => {
      const declared = propertiesOf(part)[name] ?? part.additionalProperties;
      return declared === undefined ? [] : [schemaOf(declared)];
    });
    const value = exampleIn(below, search);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

function listOf(parts: readonly Schema[], search: Search): Json {
  const least = Math.max(0, ...parts.map((part) => numberAt(part, 'minItems') ?? 0));
  const most = Math.min(100, ...parts.map((part) => numberAt(part, 'maxItems') ?? 100));
  const items = parts.flatMap((part) => (part.items === undefined ? [] : [schemaOf(part.items)]));
  const isUnique = parts.some(({ uniqueItems }) => uniqueItems === true);
  const length = Math.min(most, Math.max(least, search.depth > 3 || isUnique || items.length === 0 ? 0 : 1));
  const listed = Math.max(0, ...parts.map(({ prefixItems }) => (isJsonArray(prefixItems) ? prefixItems.length : 0)));
  const rest = length > listed ? exampleIn(items, search) : null;
  return Array.from({ length }, (_, index) => {
    const own = parts.flatMap(({ prefixItems }) => {
      const item = isJsonArray(prefixItems) ? prefixItems[index] : undefined;
      return item === undefined ? [] : [schemaOf(item)];
    });
    return (own.length > 0 ? exampleIn(own, search) : rest) ?? null;
  });
}

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  time: '12:00:00Z',
  duration: 'PT1H',
  email: 'ada@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

function textsOf(parts: readonly Schema[]): readonly string[] {
  const [format] = parts.flatMap((part) => (typeof part.format === 'string' ? [part.format] : []));
  const least = Math.max(0, ...parts.map((part) => numberAt(part, 'minLength') ?? 0));
  const most = Math.min(1_000, ...parts.map((part) => numberAt(part, 'maxLength') ?? 1_000));
  const known = formats[format ?? ''];
  return [...(known === undefined ? [] : [known]), 'text'.padEnd(Math.min(least, 10_000), '.').slice(0, most)];
}

function numberOf(parts: readonly Schema[]): number {
  const of = (keyword: string) => parts.flatMap((part) => numberAt(part, keyword) ?? []);
  const [step = 1] = of('multipleOf');
  const lowest = Math.max(...of('minimum'), ...of('exclusiveMinimum').map((bound) => bound + step));
  const highest = Math.min(...of('maximum'), ...of('exclusiveMaximum').map((bound) => bound - step));
  const wanted = Number.isFinite(lowest) ? lowest : Math.min(1, highest);
  return Math.ceil(wanted / step) * step;
}
