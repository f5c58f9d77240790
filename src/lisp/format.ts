// The builtin format: `%s %d %.2f %05d %x %b %e %c %n %%` and the other directives of Java's formatter.

import { typeError } from './exception.ts';
import { burn, grow } from './machine.ts';
import { numberText } from './number-text.ts';
import { textOf } from './text-of.ts';
import { aKind, type Machine, type Value } from './value.ts';

const DIRECTIVE = /%(?:(\d{1,4})\$|(<))?([-#+ 0,(]{0,7})(\d{1,7})?(?:\.(\d{1,4}))?([a-zA-Z%])/g;
/** JavaScript prints at most 100 digits after the point. */
const MOST_DIGITS = 100;
/** Fuel for one directive: a number may have hundreds of digits. */
const DIRECTIVE_PRICE = 16;

interface Directive {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly letter: string;
}

export function format(m: Machine, pattern: string, args: readonly Value[]): string {
  let next = 0;
  let last = -1;
  let size = 0;
  burn(m, 1 + (pattern.length >> 3));
  grow(m, pattern.length);
  const strayed = pattern.replace(DIRECTIVE, '').includes('%');
  if (strayed) throw typeError('format has a "%" without a directive', 'write %% for a percent sign');
  return pattern.replace(
    DIRECTIVE,
    (
      _,
      index: string | undefined,
      again: string | undefined,
      flags: string,
      width: string | undefined,
      precision: string | undefined,
      letter: string,
    ) => {
      const directive: Directive = {
        flags,
        width: Number(width ?? 0),
        precision: precision === undefined ? undefined : Number(precision),
        letter,
      };
      size += directive.width;
      grow(m, Math.max(size, directive.width));
      burn(m, DIRECTIVE_PRICE);
      checkFlags(directive);
      if (letter === '%' || letter === 'n') return pad(letter === 'n' ? '\n' : '%', directive);
      last = again !== undefined ? last : index !== undefined ? Number(index) - 1 : next++;
      const value = args[last];
      if (value === undefined)
        throw typeError(`format has no argument for %${letter}`, 'give one argument for each directive');
      const text = pad(converted(m, value, directive), directive);
      size += text.length;
      grow(m, size);
      return text;
    },
  );
}

function checkFlags({ flags, width, precision, letter }: Directive): void {
  if (width === 0 && /[-0]/.test(flags)) throw typeError(`%${letter} has a padding flag but no width`);
  if (precision !== undefined && 'dxocn%'.includes(letter)) throw typeError(`%${letter} takes no precision`);
}

function pad(text: string, { flags, width }: Directive): string {
  return flags.includes('-') ? text.padEnd(width) : text.padStart(width);
}

function converted(m: Machine, value: Value, directive: Directive): string {
  const { letter } = directive;
  const lower = letter.toLowerCase();
  const text = convert(m, value, directive, lower);
  burn(m, text.length >> 5);
  return letter === lower ? text : text.toUpperCase();
}

function convert(m: Machine, value: Value, directive: Directive, letter: string): string {
  switch (letter) {
    case 's':
      return cut(value === null ? 'null' : textOf(m, value), directive);
    case 'b':
      return cut(String(value !== null && value !== false), directive);
    case 'h':
      return value === null ? 'null' : hash(m, textOf(m, value)).toString(16);
    case 'c':
      return character(value);
    case 'd':
      return value === null
        ? 'null'
        : signed(
            wholeNumber(value, letter),
            grouped(Math.abs(wholeNumber(value, letter)).toFixed(0), directive),
            directive,
          );
    case 'x':
    case 'o':
      return value === null ? 'null' : radix(wholeNumber(value, letter), letter === 'x' ? 16 : 8, directive);
    case 'f':
    case 'e':
    case 'g':
      return value === null ? 'null' : fraction(aNumber(value, letter), letter, directive);
    default:
      throw typeError(`format does not know %${letter}`, 'use one of %s %d %f %e %g %x %o %b %c %h %n %%');
  }
}

function cut(text: string, { precision }: Directive): string {
  return precision === undefined ? text : text.slice(0, precision);
}

/** Java's hash code of a string. */
function hash(m: Machine, text: string): number {
  burn(m, text.length >> 4);
  let code = 0;
  for (let i = 0; i < text.length; i++) code = (Math.imul(31, code) + text.charCodeAt(i)) | 0;
  return code >>> 0;
}

function character(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0x10ffff)
    return String.fromCodePoint(value);
  if (typeof value === 'string' && [...value.slice(0, 3)].length === 1) return value;
  throw typeError(`%c needs a character, not ${aKind(value)}`);
}

function aNumber(value: Value, letter: string): number {
  if (typeof value === 'number') return value;
  throw typeError(`%${letter} needs a number, not ${aKind(value)}`, 'use %s for any value');
}

function wholeNumber(value: Value, letter: string): number {
  const amount = aNumber(value, letter);
  if (Number.isInteger(amount)) return amount;
  throw typeError(`%${letter} needs a whole number`, 'use %.2f for fractions, or (round x)');
}

function grouped(digits: string, { flags }: Directive): string {
  if (!flags.includes(',')) return digits;
  const head = digits.length % 3;
  const triples = digits.slice(head).match(/\d{3}/g) ?? [];
  return [...(head === 0 ? [] : [digits.slice(0, head)]), ...triples].join(',');
}

/** The sign and the leading zeros. */
function signed(value: number, digits: string, { flags, width }: Directive): string {
  const negative = value < 0 || Object.is(value, -0);
  const bracketed = negative && flags.includes('(');
  const sign = negative ? (bracketed ? '(' : '-') : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  const zeros = flags.includes('0') ? digits.padStart(width - sign.length - (bracketed ? 1 : 0), '0') : digits;
  return `${sign}${zeros}${bracketed ? ')' : ''}`;
}

/** Prints negative integers as 64 bits, as Java does with longs. */
function radix(value: number, base: 8 | 16, directive: Directive): string {
  const digits = BigInt.asUintN(64, BigInt(value)).toString(base);
  const prefix = directive.flags.includes('#') ? (base === 16 ? '0x' : '0') : '';
  const zeros = directive.flags.includes('0') ? digits.padStart(directive.width - prefix.length, '0') : digits;
  return prefix + zeros;
}

function fraction(value: number, letter: string, directive: Directive): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value))
    return signed(value, 'Infinity', { ...directive, flags: directive.flags.replace('0', '') });
  const places = Math.min(directive.precision ?? 6, MOST_DIGITS);
  const size = Math.abs(value);
  if (letter === 'f') return signed(value, decimals(size, places, directive), directive);
  if (letter === 'g') {
    const figures = Math.max(1, places);
    if (size !== 0 && (size < 1e-4 || size >= 10 ** figures))
      return signed(value, exponential(size, figures - 1), directive);
    const before = size === 0 ? 1 : Math.max(1, Math.floor(Math.log10(size)) + 1);
    return signed(
      value,
      decimals(
        size,
        Math.max(0, figures - (size >= 1e-4 && size < 1 ? Math.floor(Math.log10(size)) + 1 : before)),
        directive,
      ),
      directive,
    );
  }
  return signed(value, exponential(size, places), directive);
}

/** Rounds half up on the printed digits, as Java does. */
function decimals(size: number, places: number, directive: Directive): string {
  const text = halfUp(size, places);
  const [before = '', after] = text.split('.');
  const front = grouped(before, directive);
  return after === undefined ? front : `${front}.${after}`;
}

function halfUp(size: number, places: number): string {
  const shown = numberText(size);
  const [digits = '', tail = ''] = shown.split('.');
  if (size >= 1e21 || shown.includes('E') || tail.length <= places)
    return size >= 1e21 ? BigInt(size).toString() + (places > 0 ? `.${'0'.repeat(places)}` : '') : size.toFixed(places);
  const scaled = BigInt(digits + tail.slice(0, places)) + (Number(tail[places]) >= 5 ? 1n : 0n);
  const all = scaled.toString().padStart(places + 1, '0');
  return places === 0 ? all : `${all.slice(0, -places)}.${all.slice(-places)}`;
}

function exponential(size: number, places: number): string {
  const [digits = '', exponent = ''] = size.toExponential(places).split('e');
  return `${digits}e${exponent.slice(0, 1)}${exponent.slice(1).padStart(2, '0')}`;
}
