// Rules for the items of a list.
import { canonicalJson, isJsonArray } from '../../base/json.ts';
import { type Schema, schemaOf, schemasOf } from '../schema.ts';
import type { Rule } from './rule.ts';
import { mostOf } from './size-rules.ts';

function itemAt(part: Schema, index: number): Schema {
  return schemasOf(part.prefixItems)[index] ?? schemaOf(part.items);
}

export const itemsRule: Rule = ({ producer, consumer, path: _, below }) => {
  if (producer.kind !== 'list' || (consumer.items === undefined && consumer.prefixItems === undefined)) return [];
  const length = mostOf(producer);
  const named = Math.max(...[consumer, ...producer.parts].map((part) => schemasOf(part.prefixItems).length));
  const first = Array.from({ length: Math.min(named, length) }, (_each, index) =>
    below(
      index,
      producer.parts.map((part) => itemAt(part, index)),
      itemAt(consumer, index),
    ),
  );
  const rest =
    length > named
      ? below(
          '*',
          producer.parts.map((part) => schemaOf(part.items)),
          schemaOf(consumer.items),
        )
      : [];
  return [...first.flat(), ...rest];
};

export const uniqueRule: Rule = ({ producer, consumer, path }) => {
  if (consumer.uniqueItems !== true || producer.kind !== 'list' || mostOf(producer) <= 1) return [];
  if (producer.parts.some((part) => part.uniqueItems === true)) return [];
  const unique = producer.values?.every(
    (value) => isJsonArray(value) && new Set(value.map(canonicalJson)).size === value.length,
  );
  return unique === true ? [] : [{ path, message: 'may repeat an item' }];
};
