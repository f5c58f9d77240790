// Gives the values of attributes the type of their table, as far as JavaScript's one type of numbers can show it.
import type { Instant } from '../base/quantity.ts';
import { type Attributes, type AttributeValue, attributeType } from './attributes.ts';

/** Below any figure that is shown: money is exact to a millionth of a dollar. */
const TINY = 1e-9;

/**
 * Exporters send a whole number as an integer, and backends would then keep two types for one name. A whole number of type
 * double gets a billionth more, so that 5 dollars arrive as 5.000000001.
 */
export function typedValues(attributes: Attributes): Attributes {
  let typed: Record<string, AttributeValue> | undefined;
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value !== 'number') continue;
    const exact = numberOf(name, value);
    if (exact === value) continue;
    typed ??= { ...attributes };
    typed[name] = exact;
  }
  return typed ?? attributes;
}

function numberOf(name: string, value: number): number {
  if (attributeType(name) !== 'double') return Math.round(value);
  return Number.isInteger(value) ? value + Math.max(TINY, Math.abs(value) * Number.EPSILON) : value;
}

/** A time as seconds and nanoseconds: a small number alone would be taken for a time since the start of the process. */
export function hrTime(milliseconds: Instant, micros: number): [seconds: number, nanoseconds: number] {
  const whole = milliseconds * 1_000 + micros;
  const seconds = Math.floor(whole / 1_000_000);
  return [seconds, (whole - seconds * 1_000_000) * 1_000];
}
