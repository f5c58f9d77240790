// Regular expressions that match in linear time.
import { RE2JS } from 're2js';
import { counted } from '../base/counted.ts';
import { limitError, typeError } from './exception.ts';
import { allocate, burn } from './machine.ts';
import { weighPattern } from './regex-weight.ts';
import type { Machine, Regex } from './value.ts';

const LONGEST_PATTERN = 1_000;
/** Instructions of the largest regex. */
const HEAVIEST_PATTERN = 2_000;
/** Fuel for each instruction. */
const FUEL = 8;
const CELLS = 32;

/** Compiles each pattern once per run. @throws LispException LISP_TYPE for syntax that RE2 does not support, LISP_LIMIT for large patterns */
export function regex(m: Machine, source: string): Regex {
  burn(m, 1 + (source.length >> 4));
  const known = m.regexes?.get(source);
  if (known !== undefined) return known;
  if (source.length > LONGEST_PATTERN) throw typeError(`a regex has at most ${LONGEST_PATTERN} characters`);
  const weight = weighPattern(source);
  if (weight > HEAVIEST_PATTERN) throw tooLarge();
  burn(m, weight * FUEL);
  allocate(m, weight * CELLS);
  const made: Regex = { kind: 'regex', source, engine: compiled(source) };
  if (made.engine.programSize() > 2 * HEAVIEST_PATTERN) throw tooLarge();
  m.regexes ??= new Map();
  m.regexes.set(source, made);
  return made;
}

function compiled(source: string): RE2JS {
  try {
    return RE2JS.compile(source);
  } catch {
    throw typeError('the regex cannot be read', 'use RE2 syntax, without back-references and look-around');
  }
}

function tooLarge() {
  return limitError(
    `the compiled regex has more than ${counted(HEAVIEST_PATTERN, 'instruction')}`,
    'use fewer repetitions: x{999} counts as 999 instructions, \\pL as 200',
  );
}
