// Mends misspelled names: the hint proposes one name, and the place holds one word that resembles it.
import { didYouMean, meantWord } from '../../base/nearest.ts';
import { type OutlineScalar, spotAt } from '../parse/outline.ts';
import { isScalar, rewritten, type SpanEdit } from './edits.ts';
import type { Correction, MendingCase } from './rule.ts';

export function meantName(given: MendingCase): Correction | undefined {
  const { issue, outline, from } = given;
  const meant = meantWord(issue.hint ?? '');
  if (meant === undefined) return undefined;
  const { entry, node } = spotAt(outline, from);
  if (entry !== undefined && entry.keySpan.from === from) {
    // The place of an issue about a map is its first key.
    return issue.path.at(-1) === entry.key && isMeant(entry.key, meant)
      ? correction(entry.key, meant, [rewritten(outline, entry.keySpan, meant)])
      : undefined;
  }
  if (!isScalar(node)) return undefined;
  if (NAME.test(node.text) && isMeant(node.text, meant))
    return correction(node.text, meant, [rewritten(outline, node, meant)]);
  return NAME.test(node.text) ? inPath(given, node, meant) : inText(given, meant);
}

/** One part of a dotted name, such as that of the step in the need `ingest.files`. */
function inPath({ issue, outline }: MendingCase, node: OutlineScalar, meant: string): Correction | undefined {
  const text = outline.text.slice(node.from, node.to);
  const found = partsIn(text, node.from).filter(
    ({ word }) => issue.message.includes(`"${word}"`) && isMeant(word, meant),
  );
  const [only, another] = found;
  if (only === undefined || another !== undefined) return undefined;
  return correction(only.word, meant, [{ from: only.at, to: only.at + only.word.length, text: meant }]);
}

/** A whole value that is a name: of a step, a capability, a type. */
const NAME = /^[\w.*/@$-]+$/;

/** A word of a reference or of Lisp. */
const WORD = /[A-Za-z_][\w.$/*?!-]*|"[^"\n]*"/g;

function inText({ issue, outline, from, to }: MendingCase, meant: string): Correction | undefined {
  const text = outline.text.slice(from, to);
  const words = /\{\{/.test(text)
    ? [...text.matchAll(/\{\{.*?\}\}/gs)].flatMap((each) => partsIn(each[0], each.index))
    : lispWords(text);
  const found = words.filter(({ word }) => issue.message.includes(`"${word}"`) && isMeant(word, meant));
  const [only, another] = found;
  if (only === undefined || another !== undefined) return undefined;
  const at = from + only.at;
  return correction(only.word, meant, [{ from: at, to: at + only.word.length, text: meant }]);
}

interface PlacedWord {
  readonly word: string;
  readonly at: number;
}

/** The parts of a reference such as `results.step.rows`. */
function partsIn(reference: string, start: number): readonly PlacedWord[] {
  return [...reference.matchAll(/[\w$-]+/g)].map(({ 0: word, index }) => ({ word, at: start + index }));
}

function lispWords(text: string): readonly PlacedWord[] {
  return [...text.matchAll(WORD)].map(({ 0: word, index }) =>
    word.startsWith('"') ? { word: word.slice(1, -1), at: index + 1 } : { word, at: index },
  );
}

function isMeant(word: string, meant: string): boolean {
  return word !== meant && didYouMean(word, [meant]) !== undefined;
}

function correction(word: string, meant: string, edits: readonly SpanEdit[]): Correction {
  return { title: `Change "${word}" to "${meant}"`, edits };
}
