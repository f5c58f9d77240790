// Converts dates as people write them to the form that a contract takes. Relative days ("yesterday") need a clock and are not read.
import type { Json } from '../../base/json.ts';
import type { Schema } from '../../contract/schema.ts';

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';

const TIME = '(?:(?:[01]?\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d)?(?: ?[ap]m)?|(?:1[0-2]|0?[1-9]) ?[ap]m)';
const WEEKDAY = '(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? )';

const DAY = `(?:\\d{4}[-/]\\d{2}[-/]\\d{2}|\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH},? \\d{4}|${MONTH} \\d{1,2}(?:st|nd|rd|th)?,? \\d{4})`;

/** A pattern, without groups, for every date that is read, with an optional time of day. */
export const DATE = `(?:\\d{4}-\\d{2}-\\d{2}T[\\d:.]+(?:Z|[+-]\\d{2}:?\\d{2})?|${WEEKDAY}?${DAY}(?:,? (?:at )?${TIME}(?: ?(?:utc|gmt|z))?)?)`;

const WANTS_DAY = /yyyy-mm-dd(?!t|[ '"]*(?:t|hh))/i;
const WANTS_TIME = /timestamp|date-?time|\btime\b|rfc ?-?3339|hh:mm|T\d\d:|ddthh/i;
const WANTS_DATE =
  /yyyy-mm-dd|\biso[ -]?8601\b|\biso date|rfc ?-?3339|(?:e\.?g\.?|example|like|such as|:)[^\n]{0,12}\b\d{4}-\d{2}-\d{2}/i;

/** Tells whether a contract names a date form, by its format or in its description. */
export function wantsDate({ format, description }: Schema): boolean {
  return (
    format === 'date' || format === 'date-time' || (typeof description === 'string' && WANTS_DATE.test(description))
  );
}

/**
 * The day or moment that a text names, in the forms that the contract takes, likeliest first. A day means its first
 * moment, and a time without a zone is UTC. A text with a time of day gives nothing when the contract takes only days.
 */
export function dateIn(text: string, { format, description }: Schema): readonly Json[] {
  const { day, time } = momentIn(text.trim().toLowerCase());
  if (day === undefined) return [];
  const told = typeof description === 'string' ? description : '';
  const isDay = format === 'date' || (format === undefined && WANTS_DAY.test(told));
  if (time !== undefined) return isDay ? [] : [`${day}T${time}Z`];
  const isTime = format === 'date-time' || (!isDay && WANTS_TIME.test(told));
  return isTime ? [`${day}T00:00:00Z`, day] : [day, `${day}T00:00:00Z`];
}

const MOMENT = new RegExp(`^${WEEKDAY}?(${DAY})(?:,? (?:at )?(${TIME})(?: ?(?:utc|gmt|z))?)?$`);

function momentIn(text: string): { readonly day?: string; readonly time?: string } {
  const [, said = '', at] = MOMENT.exec(text) ?? [];
  const day = dayIn(said);
  if (day === undefined) return {};
  return at === undefined ? { day } : { day, time: timeOf(at) };
}

const NOON = 12;

function timeOf(text: string): string {
  const [, hours = '', minutes = '00', seconds = '00', half] =
    /^(\d+)(?::(\d+))?(?::(\d+))? ?([ap]m)?$/.exec(text) ?? [];
  const hour = half === undefined ? Number(hours) : (Number(hours) % NOON) + (half === 'pm' ? NOON : 0);
  return [String(hour).padStart(2, '0'), minutes, seconds].join(':');
}

function dayIn(text: string): string | undefined {
  const iso = /^(\d{4})([-/])(\d{2})\2(\d{2})$/.exec(text);
  if (iso !== null) return dayOf(iso[1], iso[3], iso[4]);
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
