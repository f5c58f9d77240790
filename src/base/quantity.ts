// Reads and prints quantities: durations, money, sizes and percentages. Readers refuse with the form that they expect.
import { bad, good, type Result } from './result.ts';

/** Milliseconds since 1970-01-01T00:00Z. */
export type Instant = number;
/** Milliseconds. */
export type Duration = number;
/** Millionths of a US dollar, an integer. */
export type MicroDollars = number;

const DURATION_UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const SIZE_UNITS: Readonly<Record<string, number>> = { '': 1, k: 1_000, m: 1_000_000, g: 1_000_000_000 };

function read(
  text: string | number,
  pattern: RegExp,
  expected: string,
  value: (match: RegExpExecArray) => number,
): Result<number, string> {
  const match = pattern.exec(String(text).trim());
  const found = match === null ? Number.NaN : value(match);
  return Number.isSafeInteger(found) ? good(found) : bad(expected);
}

/** `250ms`, `30s`, `30m`, `2h`, `1d` → milliseconds. Refuses a number without a unit. */
export function readDuration(text: string | number): Result<Duration, string> {
  return read(text, /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/, 'a duration such as 250ms, 30s, 30m or 2h', (match) =>
    Math.round(Number(match[1]) * (DURATION_UNITS[match[2] ?? ''] ?? Number.NaN)),
  );
}

/** `$5.00` or `5` → micro-dollars; at most six decimals. */
export function readMoney(text: string | number): Result<MicroDollars, string> {
  return read(text, /^\$?(\d+)(?:\.(\d{1,6}))?$/, 'an amount of US dollars such as $5.00', (match) => {
    return Number(match[1]) * 1_000_000 + Number((match[2] ?? '').padEnd(6, '0'));
  });
}

/** `200`, `200k`, `1.5M` → a count. */
export function readSize(text: string | number): Result<number, string> {
  return read(text, /^(\d+(?:\.\d+)?)\s*([kKmMgG]?)$/, 'a size such as 4000, 200k or 1M', (match) =>
    Math.round(Number(match[1]) * (SIZE_UNITS[(match[2] ?? '').toLowerCase()] ?? Number.NaN)),
  );
}

/** `10%` → 10; from 0 to 100. */
export function readPercent(text: string | number): Result<number, string> {
  return read(text, /^(\d{1,3})\s*%$/, 'a percentage such as 10%', (match) => {
    const percent = Number(match[1]);
    return percent <= 100 ? percent : Number.NaN;
  });
}

/** `$2.30`; four decimals when cents are not exact, six when four are not. */
export function moneyText(amount: MicroDollars): string {
  const decimals = amount % 10_000 === 0 ? 2 : amount % 100 === 0 ? 4 : 6;
  return `$${(amount / 1_000_000).toFixed(decimals)}`;
}

/** Two digits, rounded down: 892,526 → 890,000. Planners need no more digits, and may never read more than there is. */
export function roughly(amount: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, amount))) - 1);
  return Math.floor(amount / unit) * unit;
}

/** `850ms`, `12.3s`, `4m 10s`, `2h 5m` */
export function durationText(duration: Duration): string {
  if (duration < 1_000) return `${Math.round(duration)}ms`;
  if (duration < 60_000) return `${Number((duration / 1_000).toFixed(1))}s`;
  const minutes = Math.floor(duration / 60_000);
  const seconds = Math.floor((duration % 60_000) / 1_000);
  if (minutes < 60) return seconds === 0 ? `${minutes}m` : `${minutes}m ${seconds}s`;
  const rest = minutes % 60;
  return rest === 0 ? `${Math.floor(minutes / 60)}h` : `${Math.floor(minutes / 60)}h ${rest}m`;
}
