// Rules for the properties of a map.
import { ownProperty } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { namesAt, propertiesOf, type Schema, schemaOf, takesAnything } from '../schema.ts';
import type { Alternative } from './alternative.ts';
import type { Reason, Rule } from './rule.ts';

export function propertyOf(part: Schema, name: string): Schema {
  return schemaOf(ownProperty(part.properties, name) ?? part.additionalProperties);
}

function declared(producer: Alternative): readonly string[] {
  return [...new Set(producer.parts.flatMap((part) => Object.keys(propertiesOf(part))))];
}

export function requires(producer: Alternative, name: string): boolean {
  return producer.parts.some((part) => namesAt(part, 'required').includes(name));
}

export const requiredRule: Rule = ({ producer, consumer, path }) => {
  if (producer.kind !== 'map') return [];
  const names = declared(producer);
  return namesAt(consumer, 'required')
    .filter((name) => !requires(producer, name))
    .map((name): Reason => {
      const here = [...path, name];
      if (names.includes(name)) return { path: here, message: `"${name}" is optional, but the contract requires it` };
      const near = didYouMean(name, names);
      return { path: here, message: `"${name}" is required, but not declared${near === undefined ? '' : `; ${near}`}` };
    });
};

export const propertiesRule: Rule = ({ producer, consumer, path, below }) => {
  if (producer.kind !== 'map') return [];
  const names = declared(producer);
  const wanted = Object.keys(propertiesOf(consumer));
  const required = namesAt(consumer, 'required');
  return [...new Set([...wanted, ...names])].flatMap((name): readonly Reason[] => {
    const schema = propertyOf(consumer, name);
    const found = below(
      name,
      producer.parts.map((part) => propertyOf(part, name)),
      schema,
    );
    if (found.length === 0) return [];
    const here = [...path, name];
    if (consumer.additionalProperties === false && !wanted.includes(name)) {
      return [{ path: here, message: `may have "${name}", but only ${listText(wanted)} is allowed` }];
    }
    if (names.includes(name)) return found;
    if (required.includes(name) && !requires(producer, name)) return [];
    return [{ path: here, message: `"${name}" is not declared, so it may have any value` }];
  });
};

export const othersRule: Rule = ({ producer, consumer, path, below }) => {
  const others = schemaOf(consumer.additionalProperties);
  if (producer.kind !== 'map' || takesAnything(others)) return [];
  const found = below(
    '*',
    producer.parts.map((part) => schemaOf(part.additionalProperties)),
    others,
  );
  if (found.length === 0 || consumer.additionalProperties !== false) return found;
  return [
    {
      path,
      message: `may have properties that are not declared, but only ${listText(Object.keys(propertiesOf(consumer)))} is allowed`,
    },
  ];
};

export const namesRule: Rule = ({ producer, consumer, path, below }) => {
  if (consumer.propertyNames === undefined || producer.kind !== 'map') return [];
  const wanted = schemaOf(consumer.propertyNames);
  const stated = producer.parts.flatMap((part) =>
    part.propertyNames === undefined ? [] : [schemaOf(part.propertyNames)],
  );
  const closed = producer.parts.find((part) => part.additionalProperties === false);
  const named: readonly Schema[] = closed === undefined ? [] : [{ enum: Object.keys(propertiesOf(closed)) }];
  const found = below('*', [{ type: 'string' }, ...stated, ...named], wanted);
  return found.length === 0 ? [] : [{ path, message: 'may have properties with names that are not allowed' }];
};

function listText(names: readonly string[]): string {
  return names.length === 0 ? 'nothing' : names.map((name) => `"${name}"`).join(', ');
}
