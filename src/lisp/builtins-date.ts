// Builtins for dates as ISO strings. There is no clock: the current time must come in as data.
import { whole } from './arithmetic.ts';
import { type Builtin, builtin } from './builtin.ts';
import { difference, later, type Moment, readMoment, writeMoment } from './date-text.ts';
import { typeError } from './exception.ts';
import { burn } from './machine.ts';
import { mapBuilder } from './map.ts';
import { aKind, isKeyword, keyword, type Machine, type Value } from './value.ts';

/** Fuel for reading or writing a date. */
const DATE = 10;
/** Fuel for moving a date and writing it. */
const MOVED = 16;

function moment(m: Machine, value: Value, who: string): Moment {
  burn(m, DATE);
  const read = typeof value === 'string' ? readMoment(value) : undefined;
  if (read !== undefined) return read;
  throw typeError(
    `${who} needs an ISO date, not ${typeof value === 'string' ? 'this text' : `${aKind(value)}`}`,
    'write it as "2026-11-21" or "2026-11-21T10:30:00Z"',
  );
}

function unitName(value: Value): string {
  if (typeof value === 'string') return value;
  if (isKeyword(value)) return value.name;
  throw typeError(`a date needs a unit such as :days, not ${aKind(value)}`);
}

const PARTS: readonly (readonly [string, (date: Date) => number])[] = [
  ['year', (date) => date.getUTCFullYear()],
  ['month', (date) => date.getUTCMonth() + 1],
  ['day', (date) => date.getUTCDate()],
  ['weekday', (date) => ((date.getUTCDay() + 6) % 7) + 1],
  ['hour', (date) => date.getUTCHours()],
  ['minute', (date) => date.getUTCMinutes()],
  ['second', (date) => date.getUTCSeconds()],
  ['millisecond', (date) => date.getUTCMilliseconds()],
];

function moved(m: Machine, date: Value, amount: Value, unit: string): string {
  burn(m, MOVED);
  return writeMoment(later(moment(m, date, 'date/add'), whole(amount, 'date/add'), unit));
}

/** The parts of a date as a map; nil for invalid text. */
function parse(m: Machine, value: Value): Value {
  burn(m, DATE);
  const read = typeof value === 'string' ? readMoment(value) : undefined;
  if (read === undefined) return null;
  burn(m, PARTS.length);
  const map = mapBuilder(m);
  const date = new Date(read.at);
  for (const [name, part] of PARTS) map.add(keyword(name), part(date));
  return map.done();
}

export const dateBuiltins: readonly Builtin[] = [
  builtin(
    'date/parse',
    { one: parse },
    '27',
    'Returns the parts of an ISO date in UTC as a map (weekday 1 is Monday), or nil for invalid text',
    '(:weekday (date/parse "2026-11-21"))',
    '6',
  ),
  builtin(
    'date/diff',
    {
      two: (m, a, b) => difference(moment(m, a, 'date/diff'), moment(m, b, 'date/diff'), 'days'),
      three: (m, a, b, unit) => difference(moment(m, a, 'date/diff'), moment(m, b, 'date/diff'), unitName(unit)),
    },
    '21',
    'Counts the whole units (default days) from one date to another',
    '(date/diff "2026-01-31" "2026-03-01" :days)',
    '29',
  ),
  builtin(
    'date/add',
    {
      two: (m, a, n) => moved(m, a, n, 'days'),
      three: (m, a, n, unit) => moved(m, a, n, unitName(unit)),
    },
    '27',
    'Adds units (default days) to a date',
    '(date/add "2026-01-31" 1 :months)',
    '"2026-02-28"',
  ),
  builtin(
    'date/before?',
    { two: (m, a, b) => moment(m, a, 'date/before?').at < moment(m, b, 'date/before?').at },
    '21',
    'Tests whether the first date is earlier than the second',
    '(date/before? "2026-01-01" "2026-01-02")',
    'true',
  ),
  builtin(
    'date/after?',
    { two: (m, a, b) => moment(m, a, 'date/after?').at > moment(m, b, 'date/after?').at },
    '21',
    'Tests whether the first date is later than the second',
    '(date/after? "2026-01-01" "2026-01-02")',
    'false',
  ),
  builtin(
    'date/valid?',
    {
      one: (m, a) => {
        burn(m, DATE);
        return typeof a === 'string' && readMoment(a) !== undefined;
      },
    },
    '11',
    'Tests whether a value is an ISO date',
    '(date/valid? "2026-02-30")',
    'false',
  ),
];
