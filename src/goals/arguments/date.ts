// Dates as people write them, in the form that a contract takes. A day that needs a clock ("yesterday") is none of them.
import type { Json } from '../../base/json.ts';
import type { Schema } from '../../contract/schema.ts';

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';

/** A pattern of every date that is read; without groups. */
export const DATE = `(?:\\d{4}-\\d{2}-\\d{2}(?:T[\\d:.]+(?:Z|[+-]\\d{2}:?\\d{2})?)?|\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH},? \\d{4}|${MONTH} \\d{1,2}(?:st|nd|rd|th)?,? \\d{4})`;

const WANTS_TIME = /\b(?:timestamp|date-?time|rfc ?3339|hh:mm|T\d\d|THH)/i;

/** The day that a text names, as a date or as its first moment in UTC: what the contract says it takes. */
export function dateIn(text: string, { format, description }: Schema): readonly Json[] {
  const day = dayIn(text.trim().toLowerCase());
  if (day === undefined) return [];
  const told = typeof description === 'string' ? description : '';
  const isTime = format === 'date-time' || (format !== 'date' && WANTS_TIME.test(told));
  return isTime ? [`${day}T00:00:00Z`, day] : [day, `${day}T00:00:00Z`];
}

function dayIn(text: string): string | undefined {
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (iso !== null) return dayOf(iso[1], iso[2], iso[3]);
  const [, dayFirst, month, year] =
    new RegExp(`^(\\d{1,2})(?:st|nd|rd|th)?(?: of)? (${MONTH}),? (\\d{4})$`).exec(text) ?? [];
  if (month !== undefined) return dayOf(year, monthOf(month), dayFirst);
  const [, first, dayLast, later] = new RegExp(`^(${MONTH}) (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})$`).exec(text) ?? [];
  return first === undefined ? undefined : dayOf(later, monthOf(first), dayLast);
}

function monthOf(word: string): string {
  return String(MONTHS.findIndex((month) => month.startsWith(word.replace('.', '').slice(0, 3))) + 1);
}

const LONGEST_MONTH = 31;

function dayOf(year = '', month = '', day = ''): string | undefined {
  const [one, other] = [Number(month), Number(day)];
  if (one < 1 || one > MONTHS.length || other < 1 || other > daysIn(Number(year), one)) return undefined;
  return `${year}-${String(one).padStart(2, '0')}-${String(other).padStart(2, '0')}`;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? LONGEST_MONTH - 1 : LONGEST_MONTH;
}
