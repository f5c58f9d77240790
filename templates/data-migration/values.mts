// Turns values of the old database into values of the new one, or says why that is not possible.

export interface ColumnRule {
  readonly from: string;
  readonly as?: 'text' | 'email' | 'date' | 'cents' | 'choice' | 'match';
  readonly required?: boolean;
  /** For `choice`: the new value by its old spellings. */
  readonly values?: Readonly<Record<string, readonly string[]>>;
  /** For `match`: a regular expression, and the group that is the value. */
  readonly pattern?: string;
  readonly group?: number;
}

export type OldValue = string | number | bigint | null;
type Turned = { readonly value: OldValue } | { readonly problem: string };

const problem = (text: string): Turned => ({ problem: text });

export function turnValue(rule: ColumnRule, old: OldValue): Turned {
  const text = old === null ? '' : String(old).trim();
  if (text === '') return rule.required === true ? problem(`${rule.from} is empty`) : { value: null };
  switch (rule.as) {
    case undefined:
      return { value: old };
    case 'text':
      return { value: text.replace(/\s+/g, ' ') };
    case 'email':
      return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)
        ? { value: text.toLowerCase() }
        : problem(`${rule.from} is no address`);
    case 'date': {
      const date = dateOf(text);
      return date === undefined ? problem(`${rule.from} is no date`) : { value: date };
    }
    case 'cents': {
      if (typeof old === 'number') return centsOfNumber(old, rule.from);
      const cents = centsOf(text);
      return cents === undefined ? problem(`${rule.from} is no amount`) : { value: cents };
    }
    case 'choice': {
      const spelled = text.toLowerCase();
      const found = Object.entries(rule.values ?? {}).find(([name, spellings]) =>
        [name, ...spellings].some((each) => each.toLowerCase() === spelled),
      );
      return found === undefined
        ? problem(`${rule.from} is not one of ${Object.keys(rule.values ?? {}).join(', ')}`)
        : { value: found[0] };
    }
    default: {
      const found = new RegExp(rule.pattern ?? '(.*)').exec(text);
      return found === null ? problem(`${rule.from} does not match`) : { value: found[rule.group ?? 1] ?? null };
    }
  }
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Reads 2019-02-03, 2019/02/03, 03.02.2019, 3 Feb 2019, and seconds since 1970. */
function dateOf(text: string): string | undefined {
  const iso = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ].*)?$/.exec(text);
  if (iso !== null) return dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const european = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text);
  if (european !== null) return dayOf(Number(european[3]), Number(european[2]), Number(european[1]));
  const words = /^(\d{1,2}) ([A-Za-z]{3})[a-z]* (\d{4})$/.exec(text);
  if (words !== null)
    return dayOf(Number(words[3]), MONTHS.indexOf((words[2] ?? '').toLowerCase()) + 1, Number(words[1]));
  return /^\d{9,10}$/.test(text) ? new Date(Number(text) * 1000).toISOString().slice(0, 10) : undefined;
}

function dayOf(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.toISOString().slice(0, 10) : undefined;
}

/** A number of the database has no separators of thousands: 1.234 is no amount, and 0.1 + 0.2 is 30 cents. */
function centsOfNumber(amount: number, from: string): Turned {
  const cents = Math.round(amount * 100);
  if (!Number.isSafeInteger(cents)) return problem(`${from} is too large`);
  return Math.abs(amount * 100 - cents) < 1e-4 ? { value: cents } : problem(`${from} has parts of a cent`);
}

/** Reads 1234.5, 1,234.50, 1.234,50 and 12,00 €: the last separator before one or two digits is the decimal one. */
function centsOf(text: string): number | undefined {
  const bare = text.replace(/[€$£\s']|EUR|USD/g, '');
  const [, sign = '', whole = '', fraction = ''] = /^([+-]?)([\d.,]*?)(?:[.,](\d{1,2}))?$/.exec(bare) ?? [];
  const digits = whole.replace(/[.,]/g, '');
  if (digits === '' && fraction === '') return undefined;
  if (/[.,]/.test(whole) && !/^\d{1,3}([.,]\d{3})+$/.test(whole)) return undefined;
  const cents = Number(digits || '0') * 100 + Number(fraction.padEnd(2, '0'));
  return sign === '-' ? -cents : cents;
}
