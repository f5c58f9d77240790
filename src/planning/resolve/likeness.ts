// How alike two words are, from 0 to 1: the same, another form, a short form, a word for the same thing, or a slip.
import { slips } from '../../base/nearest.ts';
import { abbreviations, areSynonyms } from './lexicon/nouns.ts';

const SAME = 1;
const SHORT = 0.95;
const BEGINNING = 0.8;
const SYNONYM = 0.85;
const DERIVED = 0.85;
const SLIP = 0.85;

/** Both in the singular and lower case. */
export function likeness(said: string, known: string): number {
  if (said === known) return SAME;
  if (abbreviations[said] === known) return SHORT;
  if (isShortFor(said, known) || isShortFor(known, said)) return BEGINNING;
  if (areSynonyms(said, known)) return SYNONYM;
  if (isDerived(said, known) || isDerived(known, said)) return DERIVED;
  return isSlip(said, known) ? SLIP : 0;
}

/** `repo` of `repository`; four letters at least, since shorter beginnings are words of their own; not `work` of `workflow`. */
function isShortFor(short: string, long: string): boolean {
  return (
    short.length >= 4 &&
    long.length >= short.length + 3 &&
    long.startsWith(short) &&
    !/^(user|time|file)/.test(short) &&
    !COMPOUNDED.test(long.slice(short.length))
  );
}

const COMPOUNDED =
  /^(flow|space|book|base|line|name|list|out|card|board|point|stamp|sheet|back|place|load|group|room|page|folder)$/;

const ENDINGS = /^(e?r|or|e?d|ing|ment|ion|ation|tion|ition|al|able|ive|ance|ence|ee)$/;

/** `ship` and `shipment`, `create` and `creation`, `pay` and `payment` */
function isDerived(stem: string, word: string): boolean {
  if (stem.length < 4 || word.length <= stem.length) return false;
  const roots = stem.endsWith('e') ? [stem, stem.slice(0, -1)] : [stem];
  return roots.some((root) => word.startsWith(root) && ENDINGS.test(word.slice(root.length)));
}

/**
 * One slip from five letters on, two from nine on; the first letter is rarely wrong. One letter for another makes too many
 * short words of others: `prevent` is not `present`.
 */
export function isSlip(said: string, known: string): boolean {
  const allowed = said.length >= 9 ? 2 : 1;
  if (said.length < 5 || known.length < 5 || said[0] !== known[0]) return false;
  const apart = slips(said, known);
  const isSwap = said.length === known.length && [...said].sort().join('') === [...known].sort().join('');
  return apart <= allowed && (said.length !== known.length || isSwap || said.length >= 8);
}
