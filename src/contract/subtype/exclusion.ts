// Whether no value of an alternative fits a schema, as far as kinds, listed values and tags tell.
import type { Json } from '../../base/json.ts';
import { conjuncts, kindsOf, namesAt, propertiesOf, type Schema, schemaOf, unionsOf, valuesOf } from '../schema.ts';
import { type Alternative, alternativesOf, holds } from './alternative.ts';
import { propertyOf, requires } from './map-rules.ts';

interface Roots {
  readonly producer: Schema;
  readonly consumer: Schema;
}

/** Answers false where it cannot tell. */
export function excludes(producer: Alternative, schema: Schema, roots: Roots): boolean {
  return conjuncts(schema, roots.consumer).some((part) => {
    if (!kindsOf(part).has(producer.kind)) return true;
    const wanted = valuesOf(part);
    if (wanted !== undefined && producer.values?.every((value) => !holds(wanted, value))) return true;
    if (producer.kind === 'map' && (lacks(producer, part, roots) || differsInTag(producer, part, roots))) return true;
    return unionsOf(part).some((branches) => branches.every((branch) => excludes(producer, branch, roots)));
  });
}

/** A required property that the producer rules out. */
function lacks(producer: Alternative, part: Schema, roots: Roots): boolean {
  return namesAt(part, 'required').some((name) => valuesBelow(producer, name, roots)?.length === 0);
}

/** A property that the producer always has, with listed values that the schema does not take. */
function differsInTag(producer: Alternative, part: Schema, roots: Roots): boolean {
  return Object.entries(propertiesOf(part)).some(([name, property]) => {
    const wanted = valuesOf(schemaOf(property));
    if (wanted === undefined || !requires(producer, name)) return false;
    return valuesBelow(producer, name, roots)?.every((value) => !holds(wanted, value)) === true;
  });
}

/** What the producer may have under a name; undefined when that is not listed. */
function valuesBelow(producer: Alternative, name: string, roots: Roots): readonly Json[] | undefined {
  const below = alternativesOf(
    producer.parts.map((each) => propertyOf(each, name)),
    roots.producer,
  );
  return below?.every((each) => each.values !== undefined) ? below.flatMap((each) => each.values ?? []) : undefined;
}
