// Reads bounds on numbers, such as `>1`, `<=10m` and `1..5`, and moments, such as `2d` ago and `2026-11-20`.
import { defined } from '../../base/json.ts';
import { type Duration, type Instant, readDuration } from '../../base/quantity.ts';
import { bad, good, type Result } from '../../base/result.ts';

export interface Bounds {
  readonly least?: number;
  readonly most?: number;
  /** The bounds themselves do not count. */
  readonly isStrict?: true;
}

export function isWithin({ least, most, isStrict }: Bounds, value: number): boolean {
  if (isStrict) return (least === undefined || value > least) && (most === undefined || value < most);
  return (least === undefined || value >= least) && (most === undefined || value <= most);
}

/** `>1`, `>=1`, `<1`, `<=1`, `1..5`, `1..`, `..5`. The error is the form that is expected. */
export function readBounds(
  text: string,
  readValue: (text: string) => Result<number, string>,
  [low, high]: readonly [string, string],
): Result<Bounds, string> {
  const expected = `a bound such as '>${low}', '<=${high}' or '${low}..${high}'`;
  const [, sign, limit] = /^\s*([<>]=?)\s*(\S+)\s*$/.exec(text) ?? [];
  if (sign !== undefined && limit !== undefined) {
    const value = readValue(limit);
    if (!value.ok) return bad(expected);
    const strict = sign.length === 1 ? { isStrict: true as const } : {};
    return good(sign.startsWith('>') ? { least: value.value, ...strict } : { most: value.value, ...strict });
  }
  const [, from, to] = /^\s*(.*?)\s*\.\.\s*(.*?)\s*$/.exec(text) ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return bad(expected);
  const least = from === '' ? undefined : readValue(from);
  const most = to === '' ? undefined : readValue(to);
  if (least?.ok === false || most?.ok === false) return bad(expected);
  if (least !== undefined && most !== undefined && least.value > most.value)
    return bad(`${expected}, with the lower number first`);
  return good(defined({ least: least?.value, most: most?.value }));
}

const DAY: Duration = 86_400_000;
const MOMENTS = "a time ago such as 2d, 90m or 1w, a date such as 2026-11-20, '2026-11-20 14:30', today or yesterday";

/**
 * Dates without a zone are in UTC, as in all lists. @param edge a whole day begins or ends the period
 */
export function readMoment(text: string, now: Instant, edge: 'begin' | 'end'): Result<Instant, string> {
  const said = text.trim().toLowerCase();
  const today = now - (now % DAY);
  const day = said === 'today' ? today : said === 'yesterday' ? today - DAY : dayOf(said);
  if (day !== undefined) return good(edge === 'begin' ? day : day + DAY - 1);
  const ago = /^\d+(\.\d+)?w$/.test(said) ? good(Number(said.slice(0, -1)) * 7 * DAY) : readDuration(said);
  if (ago.ok) return good(now - ago.value);
  const [, date, time, zone = 'Z'] =
    /^(\d{4}-\d{2}-\d{2})[ t](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(z|utc|[+-]\d{2}:\d{2})?$/.exec(said) ?? [];
  const at = date === undefined ? Number.NaN : Date.parse(`${date}T${time}${/^[+-]/.test(zone) ? zone : 'Z'}`);
  return Number.isNaN(at) || dayOf(date ?? '') === undefined ? bad(MOMENTS) : good(at);
}

/** Undefined for a day that no calendar has, such as 2026-02-31. */
function dayOf(text: string): Instant | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const at = Date.parse(`${text}T00:00Z`);
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text ? undefined : at;
}
