// Rules for sizes: characters of text, items of lists, properties of maps.
import { isJsonArray, isJsonObject, type Json } from '../../base/json.ts';
import { type Kind, namesAt, numberAt, propertiesOf, type Schema, schemasOf } from '../schema.ts';
import type { Alternative } from './alternative.ts';
import type { Rule } from './rule.ts';

interface Size {
  readonly kind: Kind;
  readonly min: string;
  readonly max: string;
  readonly noun: string;
  readonly of: (value: Json) => number;
  /** The size that other keywords of a schema imply. */
  readonly least: (part: Schema) => number;
  readonly most: (part: Schema) => number;
}

const sizes: readonly Size[] = [
  {
    kind: 'string',
    min: 'minLength',
    max: 'maxLength',
    noun: 'characters',
    of: (value) => (typeof value === 'string' ? [...value].length : 0),
    least: () => 0,
    most: () => Number.POSITIVE_INFINITY,
  },
  {
    kind: 'list',
    min: 'minItems',
    max: 'maxItems',
    noun: 'items',
    of: (value) => (isJsonArray(value) ? value.length : 0),
    least: () => 0,
    most: (part) => (part.items === false ? schemasOf(part.prefixItems).length : Number.POSITIVE_INFINITY),
  },
  {
    kind: 'map',
    min: 'minProperties',
    max: 'maxProperties',
    noun: 'properties',
    of: (value) => (isJsonObject(value) ? Object.keys(value).length : 0),
    least: (part) => namesAt(part, 'required').length,
    most: (part) =>
      part.additionalProperties === false ? Object.keys(propertiesOf(part)).length : Number.POSITIVE_INFINITY,
  },
];

/** The largest possible size of the producer's value. */
function most(producer: Alternative, size: Size): number {
  const known = producer.values?.map(size.of) ?? [Number.POSITIVE_INFINITY];
  const stated = producer.parts.flatMap((part) => [
    numberAt(part, size.max) ?? Number.POSITIVE_INFINITY,
    size.most(part),
  ]);
  return Math.min(Math.max(...known), ...stated);
}

function least(producer: Alternative, size: Size): number {
  const known = producer.values?.map(size.of) ?? [0];
  const stated = producer.parts.flatMap((part) => [numberAt(part, size.min) ?? 0, size.least(part)]);
  return Math.max(Math.min(...known), ...stated);
}

/** The largest number of items or properties that the producer's value can have. */
export function mostOf(producer: Alternative): number {
  const size = sizes.find((each) => each.kind === producer.kind);
  return size === undefined ? 0 : most(producer, size);
}

export const sizeRules: readonly Rule[] = sizes.map(
  (size): Rule =>
    ({ producer, consumer, path }) => {
      if (producer.kind !== size.kind) return [];
      const [atLeast, atMost] = [numberAt(consumer, size.min), numberAt(consumer, size.max)];
      const tooFew = atLeast !== undefined && least(producer, size) < atLeast;
      const tooMany = atMost !== undefined && most(producer, size) > atMost;
      return [
        ...(tooFew ? [{ path, message: `may have fewer than ${atLeast} ${size.noun}` }] : []),
        ...(tooMany ? [{ path, message: `may have more than ${atMost} ${size.noun}` }] : []),
      ];
    },
);
