// A guide: the contract and the step's settings for one place in a result.
import { type Json, ownProperty } from '../../base/json.ts';
import { type Annotations, annotationsOf } from '../../contract/annotations.ts';
import {
  conjuncts,
  kindOf,
  kindsOf,
  namesAt,
  propertiesOf,
  type Schema,
  schemaOf,
  schemasOf,
  unionsOf,
} from '../../contract/schema.ts';
import type { View } from './view.ts';

/** The settings of a step for its whole result. */
export interface ShowSettings {
  /** Names of fields, at any depth. */
  readonly keep: ReadonlySet<string>;
  readonly elide: ReadonlySet<string>;
  /** The number of list items shown; the contract's `x-sample` wins. */
  readonly sample: number;
}

export interface Guide {
  readonly root: Schema;
  /** All schemas that apply here; empty when none is declared. */
  readonly schemas: readonly Schema[];
  readonly hints: Annotations;
  /** The field that holds the value; list items have the name of their list's field. */
  readonly name: string | undefined;
  readonly wishes: ShowSettings;
  /** Paths to the fields that are shown first, because they set this item apart from the others. */
  readonly leads?: readonly Lead[];
}

/** A path of field names, with `*` for list items. */
type Lead = readonly string[];

const none = annotationsOf([]);

export function guideOf(value: Json, root: Schema, wishes: ShowSettings): Guide {
  return guideAt(value, [root], root, undefined, wishes);
}

export function fieldGuide(above: Guide, name: string, value: Json): Guide {
  const schemas = above.schemas.flatMap((schema) => fieldSchemas(schema, name));
  return leading(guideAt(value, schemas, above.root, name, above.wishes), above, name);
}

export function leadsTo({ leads = [] }: Guide, name: string): boolean {
  return leads.some(([first]) => first === name);
}

/** Adds the rest of each lead that passes through this field or item. */
function leading(guide: Guide, { leads }: Guide, name: string): Guide {
  if (leads === undefined) return guide;
  return { ...guide, leads: leads.flatMap(([first, ...rest]) => (first === name && rest.length > 0 ? [rest] : [])) };
}

export function itemGuide(above: Guide, index: number, value: Json): Guide {
  const schemas = above.schemas.flatMap((schema) => {
    const found = schemasOf(schema.prefixItems)[index] ?? schema.items;
    return found === undefined ? [] : [schemaOf(found)];
  });
  return leading(guideAt(value, schemas, above.root, above.name, above.wishes), above, '*');
}

function guideAt(
  value: Json,
  declared: readonly Schema[],
  root: Schema,
  name: string | undefined,
  wishes: ShowSettings,
): Guide {
  const schemas = declared.length === 0 ? declared : [...holding(value, declared, root)];
  const said = schemas.length === 0 ? none : annotationsOf(schemas);
  const keep = said.keep || (name !== undefined && wishes.keep.has(name));
  const elide = said.elide || (name !== undefined && wishes.elide.has(name));
  const hints = keep === said.keep && elide === said.elide ? said : { ...said, keep, elide };
  return { root, schemas, hints, name, wishes };
}

/** The declared schemas, the schemas they refer to, and the union branches that accept this kind of value. */
function holding(value: Json, declared: readonly Schema[], root: Schema): ReadonlySet<Schema> {
  const found = new Set<Schema>();
  const visit = (schema: Schema): void => {
    for (const part of conjuncts(schema, root)) {
      if (found.has(part)) continue;
      found.add(part);
      for (const branch of unionsOf(part).flat()) {
        if (kindsOf(branch).has(kindOf(value))) visit(branch);
      }
    }
  };
  declared.forEach(visit);
  return found;
}

function fieldSchemas(schema: Schema, name: string): readonly Schema[] {
  const found = ownProperty(schema.properties, name) ?? schema.additionalProperties;
  return found === undefined || typeof found === 'boolean' ? [] : [schemaOf(found)];
}

/** The order in which fields get room: required (0), declared (1), undeclared (2). */
export function rankOf({ schemas }: Guide, name: string): 0 | 1 | 2 {
  if (schemas.some((schema) => namesAt(schema, 'required').includes(name))) return 0;
  return declaresNothing(schemas) || schemas.some((schema) => Object.hasOwn(propertiesOf(schema), name)) ? 1 : 2;
}

function declaresNothing(schemas: readonly Schema[]): boolean {
  return schemas.every((schema) => Object.keys(propertiesOf(schema)).length === 0);
}

/** Tells whether the contract names the fields of this map; then it is a record and no table of keys. */
export function namesFields({ schemas }: Guide): boolean {
  return !declaresNothing(schemas);
}

export type ViewFactory = (value: Json, guide: Guide) => View;
