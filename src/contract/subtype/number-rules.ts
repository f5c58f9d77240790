// Rules for the range and the multiples of numbers.

import { numberAt, type Schema } from '../schema.ts';
import { isMultiple } from '../validator.ts';
import { type Alternative, isWhole } from './alternative.ts';
import type { Rule } from './rule.ts';

/** A lower or upper bound, negated if needed so that larger is stricter. `open` excludes the bound itself. */
interface Bound {
  readonly at: number;
  readonly open: boolean;
}

interface Side {
  readonly closed: string;
  readonly open: string;
  readonly sign: 1 | -1;
  readonly word: string;
}

const sides: readonly Side[] = [
  { closed: 'minimum', open: 'exclusiveMinimum', sign: 1, word: 'below' },
  { closed: 'maximum', open: 'exclusiveMaximum', sign: -1, word: 'above' },
];

function stated(schema: Schema, side: Side): readonly Bound[] {
  const closed = numberAt(schema, side.closed);
  const open = numberAt(schema, side.open);
  return [
    ...(closed === undefined ? [] : [{ at: closed * side.sign, open: false }]),
    ...(open === undefined ? [] : [{ at: open * side.sign, open: true }]),
  ];
}

function isAsTight(bound: Bound, wanted: Bound): boolean {
  return bound.at > wanted.at || (bound.at === wanted.at && (bound.open || !wanted.open));
}

function boundsOf(producer: Alternative, side: Side): readonly Bound[] {
  const values = producer.values?.filter((value) => typeof value === 'number').map((value) => value * side.sign);
  const known = values === undefined ? [] : [{ at: Math.min(...values), open: false }];
  const bounds = [...known, ...producer.parts.flatMap((part) => stated(part, side))];
  if (!isWhole(producer)) return bounds;
  return bounds.map((bound) => ({ at: bound.open ? Math.floor(bound.at) + 1 : Math.ceil(bound.at), open: false }));
}

export const rangeRules: readonly Rule[] = sides.map(
  (side): Rule =>
    ({ producer, consumer, path }) => {
      if (producer.kind !== 'number') return [];
      const bounds = boundsOf(producer, side);
      return stated(consumer, side)
        .filter((wanted) => !bounds.some((bound) => isAsTight(bound, wanted)))
        .map((wanted) => ({
          path,
          message: `may be ${wanted.open ? `${wanted.at * side.sign} or ` : ''}${side.word} ${wanted.at * side.sign}`,
        }));
    },
);

export const multipleRule: Rule = ({ producer, consumer, path }) => {
  const wanted = numberAt(consumer, 'multipleOf');
  if (wanted === undefined || producer.kind !== 'number') return [];
  const steps = producer.parts.map((part) => numberAt(part, 'multipleOf')).filter((step) => step !== undefined);
  const shown =
    producer.values?.every((value) => typeof value === 'number' && isMultiple(value, wanted)) === true ||
    steps.includes(wanted) ||
    (isWhole(producer) && Number.isInteger(wanted) && [1, ...steps].some((step) => step % wanted === 0));
  return shown ? [] : [{ path, message: `may not be a multiple of ${wanted}` }];
};
