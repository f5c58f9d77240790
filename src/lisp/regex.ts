// Regular expressions that match in linear time, whatever the pattern and the text.
import { RE2JS } from 're2js';
import { grow } from './machine.ts';
import { typeTrouble } from './trouble.ts';
import type { Machine, Regex } from './value.ts';

const LONGEST_PATTERN = 1_000;

/** Throws a type trouble when the pattern is not one RE2 knows. */
export function regex(m: Machine, source: string): Regex {
  grow(m, source.length << 4);
  if (source.length > LONGEST_PATTERN) throw typeTrouble(`a regex has at most ${LONGEST_PATTERN} characters`);
  try {
    return { kind: 'regex', source, engine: RE2JS.compile(source) };
  } catch {
    throw typeTrouble('the regex cannot be read', 'RE2 syntax: no back-references, no look-around');
  }
}
