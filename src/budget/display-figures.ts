// Converts figures for display outside the ledger and the journal: dollars, seconds, and plain counts.
import type { Duration, MicroDollars } from '../base/quantity.ts';
import type { Amount, LimitedResource } from './amount.ts';

const MICROS_PER_DOLLAR = 1_000_000;
const MILLISECONDS_PER_SECOND = 1_000;

/** Resources by name; `cost_usd` in dollars. An absent resource is zero. */
export type ShownAmount = Amount;

/** A single division gives the nearest decimal without binary noise; sums of dollars would not. */
export function dollarsOf(amount: MicroDollars): number {
  return amount / MICROS_PER_DOLLAR;
}

export function secondsOf(duration: Duration): number {
  return Math.round(duration) / MILLISECONDS_PER_SECOND;
}

/** The inverse of `dollarsOf`. */
export function microDollarsOf(dollars: number): MicroDollars {
  return Math.round(dollars * MICROS_PER_DOLLAR);
}

/** The inverse of `secondsOf`. */
export function durationOfSeconds(seconds: number): Duration {
  return Math.round(seconds * MILLISECONDS_PER_SECOND);
}

/** @param of a resource, or `time` */
export function shownFigure(of: string, value: number): number {
  if (of === 'cost_usd') return dollarsOf(value);
  return of === 'time' ? secondsOf(value) : value;
}

/** Converts every figure of a record with resources, or `time`, as keys. */
export function shownFigures<Of extends LimitedResource | 'time'>(
  figures: Readonly<Partial<Record<Of, number>>>,
): Partial<Record<Of, number>> {
  const shown: Partial<Record<Of, number>> = {};
  for (const resource in figures) {
    const value = figures[resource];
    if (value !== undefined) shown[resource] = shownFigure(resource, value);
  }
  return shown;
}

export function shownAmount(amount: Amount): ShownAmount {
  return shownFigures(amount);
}

/** The inverse of `shownAmount`. */
export function amountOfShown(shown: ShownAmount): Amount {
  return shown.cost_usd === undefined ? shown : { ...shown, cost_usd: microDollarsOf(shown.cost_usd) };
}

/** Converts the named figures of a row about one resource, where they are present. */
export function shownRow<Row extends { readonly resource: string }, Key extends keyof Row>(
  row: Row,
  keys: readonly Key[],
): Row {
  const shown: Row = { ...row };
  for (const key of keys) {
    const value: unknown = row[key];
    if (typeof value === 'number') Object.assign(shown, { [key]: shownFigure(row.resource, value) });
  }
  return shown;
}
