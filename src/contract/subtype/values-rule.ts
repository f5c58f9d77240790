// Rules for `enum`, `const` and whole numbers.
import { typesOf, valuesOf } from '../schema.ts';
import { holds, isWhole } from './alternative.ts';
import type { Rule } from './rule.ts';

export const valuesRule: Rule = ({ producer, consumer, path }) => {
  const wanted = valuesOf(consumer);
  if (wanted === undefined) return [];
  if (producer.values === undefined)
    return [{ path, message: `may be any ${producer.kind}, but only listed values are allowed` }];
  const others = producer.values.filter((value) => !holds(wanted, value));
  if (others.length === 0) return [];
  const texts = others.slice(0, 5).map((value) => JSON.stringify(value));
  return [{ path, message: `may be ${texts.join(', ')}, which is not an allowed value` }];
};

export const wholeRule: Rule = ({ producer, consumer, path }) => {
  const types = typesOf(consumer);
  const wanted = producer.kind === 'number' && types.includes('integer') && !types.includes('number');
  return !wanted || isWhole(producer) ? [] : [{ path, message: 'may have a fraction, but a whole number is required' }];
};
