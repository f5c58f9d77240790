// Reads and writes ISO dates and times, and computes with the calendar. There is no clock and no local time zone.
import { arithmeticError, typeError } from './exception.ts';

export interface Moment {
  /** Milliseconds since 1970-01-01T00:00Z. */
  readonly at: number;
  /** True when the text had a time of day. */
  readonly timed: boolean;
}

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/;
const LATEST = 8.64e15;

/** Reads `2026-11-21`, `2026-11-21T10:30Z`, `2026-11-21T10:30:00.5+02:00`; UTC without a zone. Undefined for anything else. */
export function readMoment(text: string): Moment | undefined {
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const fraction = Math.floor(Number(`0.${match[7] ?? 0}`) * 1_000);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 59)
    return undefined;
  const zone = match[8];
  const offset = zone === undefined || zone === 'Z' ? 0 : zoneMinutes(zone);
  return {
    at: utc(year, month, day) + ((hour * 60 + minute - offset) * 60 + second) * 1_000 + fraction,
    timed: match[4] !== undefined,
  };
}

function zoneMinutes(zone: string): number {
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return zone.startsWith('-') ? -minutes : minutes;
}

function utc(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getTime();
}

function daysIn(year: number, month: number): number {
  return new Date(utc(year, month + 1, 1) - 1).getUTCDate();
}

/** Writes a date as a date and a time as a time, in UTC, with milliseconds only when they are not zero. */
export function writeMoment({ at, timed }: Moment): string {
  if (!(Math.abs(at) <= LATEST)) throw arithmeticError('the date is outside the range of ISO dates');
  const text = new Date(at).toISOString();
  return timed ? text.replace('.000Z', 'Z') : text.slice(0, text.indexOf('T'));
}

const LENGTHS: ReadonlyMap<string, number> = new Map([
  ['milliseconds', 1],
  ['seconds', 1_000],
  ['minutes', 60_000],
  ['hours', 3_600_000],
  ['days', 86_400_000],
  ['weeks', 604_800_000],
]);
const MONTHS: ReadonlyMap<string, number> = new Map([
  ['months', 1],
  ['years', 12],
]);

function unitOf(unit: string): string {
  const name = unit.endsWith('s') ? unit : `${unit}s`;
  if (LENGTHS.has(name) || MONTHS.has(name)) return name;
  throw typeError(
    'the unit of a date is unknown',
    'use one of :milliseconds :seconds :minutes :hours :days :weeks :months :years',
  );
}

/** Whole units between two moments, truncated. */
export function difference(from: Moment, to: Moment, unit: string): number {
  const name = unitOf(unit);
  const length = LENGTHS.get(name);
  if (length !== undefined) return Math.trunc((to.at - from.at) / length) + 0;
  const months = monthsBetween(from.at, to.at);
  return Math.trunc(months / (MONTHS.get(name) ?? 1)) + 0;
}

function monthsBetween(from: number, to: number): number {
  const [a, b] = [new Date(from), new Date(to)];
  const months = (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth();
  const reached = plusMonths(from, months);
  if (months > 0 && reached > to) return months - 1;
  return months < 0 && reached < to ? months + 1 : months;
}

/** Adds units to a moment. Adding months keeps the day, or takes the month's last day. */
export function later(moment: Moment, amount: number, unit: string): Moment {
  const name = unitOf(unit);
  const length = LENGTHS.get(name);
  const timed = moment.timed || (length !== undefined && length < 86_400_000);
  if (length !== undefined) return { at: moment.at + amount * length, timed };
  return { at: plusMonths(moment.at, amount * (MONTHS.get(name) ?? 1)), timed };
}

function plusMonths(at: number, months: number): number {
  const date = new Date(at);
  const month = date.getUTCMonth() + months;
  const [year, rest] = [date.getUTCFullYear() + Math.floor(month / 12), ((month % 12) + 12) % 12];
  const day = Math.min(date.getUTCDate(), daysIn(year, rest + 1));
  return utc(year, rest + 1, day) + (((at % 86_400_000) + 86_400_000) % 86_400_000);
}
