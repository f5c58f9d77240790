// A guide: what is known of one place in a result, from its contract and from the step's own settings.
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

/** What holds for a whole result. */
export interface Wishes {
  /** Names of fields, at any depth. */
  readonly keep: ReadonlySet<string>;
  readonly elide: ReadonlySet<string>;
  /** How many items of a list are shown where the contract does not say. */
  readonly sample: number;
}

export interface Guide {
  readonly root: Schema;
  /** All that hold here; empty where nothing is declared. */
  readonly schemas: readonly Schema[];
  readonly hints: Annotations;
  /** The field it stands in; a list's items stand in the field of their list. */
  readonly name: string | undefined;
  readonly wishes: Wishes;
  /** Ways to what comes before all else here, for what it says of this value among its like. */
  readonly leads?: readonly Lead[];
}

/** Names of fields, `*` for a list's items. */
type Lead = readonly string[];

const none = annotationsOf([]);

export function guideOf(value: Json, root: Schema, wishes: Wishes): Guide {
  return guideAt(value, [root], root, undefined, wishes);
}

export function fieldGuide(above: Guide, name: string, value: Json): Guide {
  const schemas = above.schemas.flatMap((schema) => fieldSchemas(schema, name));
  return leading(guideAt(value, schemas, above.root, name, above.wishes), above, name);
}

export function leadsTo({ leads = [] }: Guide, name: string): boolean {
  return leads.some(([first]) => first === name);
}

/** With what of the leads goes on behind a field or an item. */
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
  wishes: Wishes,
): Guide {
  const schemas = declared.length === 0 ? declared : [...holding(value, declared, root)];
  const said = schemas.length === 0 ? none : annotationsOf(schemas);
  const keep = said.keep || (name !== undefined && wishes.keep.has(name));
  const elide = said.elide || (name !== undefined && wishes.elide.has(name));
  const hints = keep === said.keep && elide === said.elide ? said : { ...said, keep, elide };
  return { root, schemas, hints, name, wishes };
}

/** The declared schemas, all that they refer to, and the branches of unions that take this kind of value. */
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

/** How soon a field is let in: required, then declared, then what nobody declared. */
export function rankOf({ schemas }: Guide, name: string): 0 | 1 | 2 {
  if (schemas.some((schema) => namesAt(schema, 'required').includes(name))) return 0;
  return declaresNothing(schemas) || schemas.some((schema) => Object.hasOwn(propertiesOf(schema), name)) ? 1 : 2;
}

function declaresNothing(schemas: readonly Schema[]): boolean {
  return schemas.every((schema) => Object.keys(propertiesOf(schema)).length === 0);
}

/** Whether the contract names the fields of this map, so that it is a record and no table of keys. */
export function namesFields({ schemas }: Guide): boolean {
  return !declaresNothing(schemas);
}
