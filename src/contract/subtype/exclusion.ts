// Tests whether no value of an alternative can fit a schema, by kinds, listed values and tags.
import type { Json } from '../../base/json.ts';
import { conjuncts, kindsOf, namesAt, propertiesOf, type Schema, schemaOf, unionsOf, valuesOf } from '../schema.ts';
import { type Alternative, alternativesOf, holds } from './alternative.ts';
import { propertyOf, requires } from './map-rules.ts';

interface Roots {
  readonly producer: Schema;
  readonly consumer: Schema;
}

/** Returns false when in doubt. */
export function excludes(producer: Alternative, schema: Schema, roots: Roots): boolean {
  return conjuncts(schema, roots.consumer).some((part) => {
    if (!kindsOf(part).has(producer.kind)) return true;
    const wanted = valuesOf(part);
    if (wanted !== undefined && producer.values?.every((value) => !holds(wanted, value))) return true;
    if (producer.kind === 'map' && (lacks(producer, part, roots) || differsInTag(producer, part, roots))) return true;
    return unionsOf(part).some((branches) => branches.every((branch) => excludes(producer, branch, roots)));
  });
}

/** The schema requires a property that the producer excludes. */
function lacks(producer: Alternative, part: Schema, roots: Roots): boolean {
  return namesAt(part, 'required').some((name) => valuesBelow(producer, name, roots)?.length === 0);
}

/** The producer always has a property whose listed values the schema refuses. */
function differsInTag(producer: Alternative, part: Schema, roots: Roots): boolean {
  return Object.entries(propertiesOf(part)).some(([name, property]) => {
    const wanted = valuesOf(schemaOf(property));
    if (wanted === undefined || !requires(producer, name)) return false;
    return valuesBelow(producer, name, roots)?.every((value) => !holds(wanted, value)) === true;
  });
}

/** The producer's listed values for a property; undefined when they are not listed. */
function valuesBelow(producer: Alternative, name: string, roots: Roots): readonly Json[] | undefined {
  const below = alternativesOf(
    producer.parts.map((each) => propertyOf(each, name)),
    roots.producer,
  );
  return below?.every((each) => each.values !== undefined) ? below.flatMap((each) => each.values ?? []) : undefined;
}
