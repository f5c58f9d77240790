// Explains syntax errors of YAML in the author's words. An explanation counts if the text is readable without its mistakes.
import { type Issue, issue } from '../../base/issue.ts';
import type { Locate } from './line-positions.ts';
import { unclosedBrackets } from './mistakes/brackets.ts';
import { missingCommas } from './mistakes/commas.ts';
import { unquotedExpressions } from './mistakes/expressions.ts';
import { blocksWithoutIndent, tabs, wrongIndents } from './mistakes/indents.ts';
import { incompleteKeys, linesWithoutKey, listsWithoutKey, unmarkedComments } from './mistakes/keys.ts';
import {
  applyEdits,
  type BrokenText,
  type Explanation,
  type FindMistakes,
  type Mistake,
  type TextEdit,
} from './mistakes/mistake.ts';
import { unclosedQuotes } from './mistakes/quotes.ts';
import { fixedSpaces, markdownFence, mergeConflict, unknownEscapes, unquotedVariables } from './mistakes/signs.ts';
import { unquotedValues } from './mistakes/values.ts';
import { yamlLinesOf } from './yaml-lines.ts';
import { tokensOf } from './yaml-tokens.ts';
import { unexplained } from './yaml-words.ts';

export interface FoundError {
  readonly from: number;
  readonly code: string;
}

/** The syntax errors of a text, in order. */
export type FindErrors = (text: string) => readonly FoundError[];

/** Certain signs first; indentation last, because most broken lines can be read with some indentation. */
const finders: readonly FindMistakes[] = [
  mergeConflict,
  markdownFence,
  tabs,
  fixedSpaces,
  blocksWithoutIndent,
  unquotedExpressions,
  unquotedVariables,
  unknownEscapes,
  unquotedValues,
  unclosedBrackets,
  unclosedQuotes,
  missingCommas,
  unmarkedComments,
  incompleteKeys,
  listsWithoutKey,
  wrongIndents,
  linesWithoutKey,
];

/** The most mistakes of one file that are explained after each other. */
const MOST_MISTAKES = 5;
/** The most characters that are parsed to find out which explanation is right. */
const MOST_PARSED = 300_000;
/** A guess counts if this many lines behind the error are readable without it. */
const ROWS_OF_GUESS = 5;

export interface Repair {
  readonly issues: readonly Issue[];
  /** The text without the explained mistakes. */
  readonly text: string;
}

/** `errors`: those of `text`, at least one. */
export function explainMistakes(
  text: string,
  errors: readonly FoundError[],
  parse: FindErrors,
  locate: Locate,
): Repair {
  const issues: Issue[] = [];
  const done: TextEdit[][] = [];
  let readable = text;
  let left = errors;
  let budget = MOST_PARSED;
  while (left[0] !== undefined && issues.length < MOST_MISTAKES) {
    const broken = brokenText(readable, left[0]);
    const best = bestOf(broken, left, (changed) => {
      budget -= changed.length;
      return budget < 0 ? undefined : parse(changed);
    });
    const original = (offset: number): number => done.reduceRight((at, edits) => before(at, edits), offset);
    if (best === undefined) {
      // Errors behind an unexplained one are mostly its echoes.
      if (issues.length === 0) issues.push(unexplained(broken, locate));
      break;
    }
    issues.push(...best.explanation.map((each) => issueOf(each, original, locate)));
    const edits = best.explanation.flatMap((each) => each.edits);
    done.push(inOrder(edits));
    readable = best.text;
    left = best.left;
  }
  return { issues, text: readable };
}

interface Outcome {
  readonly explanation: Explanation;
  readonly text: string;
  readonly left: readonly FoundError[];
}

/** The first explanation without which the text is readable; otherwise the one that moves the first error furthest. */
function bestOf(
  broken: BrokenText,
  errors: readonly FoundError[],
  parse: (text: string) => readonly FoundError[] | undefined,
): Outcome | undefined {
  let best: (Outcome & { readonly reached: number }) | undefined;
  const [first] = errors;
  const lineEnd = broken.text.indexOf('\n', first?.from ?? 0);
  const end = lineEnd < 0 ? broken.text.length : lineEnd;
  const far = broken.lines[broken.row + ROWS_OF_GUESS]?.from ?? broken.text.length;
  for (const find of finders) {
    for (const explanation of find(broken)) {
      const edits = inOrder(explanation.flatMap((each) => each.edits));
      const text = applyEdits(broken.text, edits);
      const left = parse(text);
      if (left === undefined) return best;
      const [next] = left;
      if (next === undefined) return { explanation, text, left };
      const reached = before(next.from, edits);
      const enough = explanation.some(({ isGuess }) => isGuess) ? far : end;
      if (reached > enough && reached > (best?.reached ?? end)) best = { explanation, text, left, reached };
    }
  }
  return best;
}

function brokenText(text: string, error: FoundError): BrokenText {
  const tokens = tokensOf(text);
  const lines = yamlLinesOf(text, tokens);
  const row = lines.findLastIndex(({ from }) => from <= error.from);
  return { text, tokens, lines, error, row: Math.max(0, row) };
}

/** The offset of a position before the edits were applied. */
function before(offset: number, edits: readonly TextEdit[]): number {
  let shift = 0;
  for (const { from, to, text } of edits) {
    const begin = from + shift;
    if (offset < begin) break;
    if (offset < begin + text.length) return from;
    shift += text.length - (to - from);
  }
  return offset - shift;
}

function inOrder(edits: readonly TextEdit[]): TextEdit[] {
  return edits.toSorted((left, right) => left.from - right.from);
}

function issueOf(mistake: Mistake, original: (offset: number) => number, locate: Locate): Issue {
  const { code, message, from, to, hint, edits, offered } = mistake;
  const place = locate(original(from), original(to));
  if (!offered) return issue(code, message, { place, hint });
  const title = mistake.title ?? hint.charAt(0).toUpperCase() + hint.slice(1);
  const changes = edits.map((each) => ({ place: locate(original(each.from), original(each.to)), text: each.text }));
  return issue(code, message, { place, hint, mend: { title, edits: changes } });
}
