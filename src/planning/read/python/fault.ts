// The error that stops reading a statement, and advice for the parts of Python that plans cannot have.
import type { Span } from './syntax.ts';

/** Never leaves this folder: the reader turns it into an issue. It is no `Error`, because it needs no stack. */
export class PythonFault {
  readonly message: string;
  readonly at: Span;
  readonly hint: string | undefined;
  readonly code: string;
  /** Where reading goes on; by default on the line after the statement. */
  resume?: number;

  constructor(message: string, at: Span, hint?: string, code = 'CALL_SYNTAX') {
    this.message = message;
    this.at = at;
    this.hint = hint;
    this.code = code;
  }
}

interface Refusal {
  readonly what: string;
  readonly hint: string;
}

const LOOP: Refusal = {
  what: 'a loop is not part of a plan of calls',
  hint: 'write one call for each item; for a list that is only known in the run, write a step with "for_each" in YAML',
};
const CHOICE: Refusal = {
  what: 'a condition is not part of a plan of calls',
  hint: 'write the calls alone; for a condition, write a step with "when" in YAML',
};
const DEFINITION: Refusal = {
  what: 'a definition is not part of a plan of calls',
  hint: 'remove it, and write the calls themselves, one a line',
};
const IMPORT: Refusal = {
  what: 'a plan of calls imports nothing',
  hint: 'remove the line: capabilities are called by their names',
};
const WRAPPING: Refusal = { what: 'a block is not part of a plan of calls', hint: 'write its calls, one a line' };
const COMPUTATION: Refusal = {
  what: 'a computation is not part of a plan of calls',
  hint: 'write its result, call a capability that computes it, or write a compute step in YAML',
};

const words = new Map<string, Refusal>([
  ['for', LOOP],
  ['while', LOOP],
  ['break', LOOP],
  ['continue', LOOP],
  ['if', CHOICE],
  ['elif', CHOICE],
  ['else', CHOICE],
  ['match', CHOICE],
  ['def', DEFINITION],
  ['class', DEFINITION],
  ['lambda', DEFINITION],
  ['import', IMPORT],
  ['from', IMPORT],
  ['try', WRAPPING],
  ['except', WRAPPING],
  ['finally', WRAPPING],
  ['with', WRAPPING],
  ['async', WRAPPING],
  [
    'await',
    { what: '"await" is not part of a plan of calls', hint: 'remove "await": each step waits for what it uses' },
  ],
  ['return', { what: '"return" is not part of a plan of calls', hint: 'remove "return", and keep the call' }],
  ['yield', { what: '"yield" is not part of a plan of calls', hint: 'remove "yield", and keep the call' }],
  ['raise', { what: '"raise" is not part of a plan of calls', hint: 'remove the line' }],
  [
    'assert',
    {
      what: '"assert" is not part of a plan of calls',
      hint: 'remove the line; a step has "verification" in YAML',
    },
  ],
  ['pass', { what: '"pass" does nothing', hint: 'remove the line' }],
  ['del', { what: '"del" is not part of a plan of calls', hint: 'remove the line' }],
  ['global', { what: '"global" is not part of a plan of calls', hint: 'remove the line' }],
  ['nonlocal', { what: '"nonlocal" is not part of a plan of calls', hint: 'remove the line' }],
  ['and', COMPUTATION],
  ['or', COMPUTATION],
  ['not', COMPUTATION],
  ['in', COMPUTATION],
  ['is', COMPUTATION],
]);

/** Words that begin a statement with a block. */
export const blockWords: ReadonlySet<string> = new Set([
  ...['for', 'while', 'if', 'elif', 'else', 'match', 'def', 'class', 'try', 'except', 'finally', 'with', 'async'],
]);

/** Python's own words besides `match`, which may also be a name. */
export function isReserved(word: string): boolean {
  return word !== 'match' && words.has(word);
}

export function refusedWord(word: string, at: Span): PythonFault {
  const { what, hint } = words.get(word) ?? COMPUTATION;
  return new PythonFault(what, at, hint);
}

export function refusedComputation(at: Span): PythonFault {
  return new PythonFault(COMPUTATION.what, at, COMPUTATION.hint);
}
