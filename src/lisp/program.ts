// Source text to a program that can be run many times, or all that is wrong with it.
import { type Issue, issue } from '../base/issue.ts';
import type { Place } from '../base/place.ts';
import { bad, good, type Result } from '../base/result.ts';
import type { Finding } from './analyze/analysis.ts';
import { analyze } from './analyze/analyze.ts';
import type { Node } from './analyze/node.ts';
import type { Code } from './compile/code.ts';
import { compileNode } from './compile/compile.ts';
import { weightOf } from './compile/weight.ts';
import type { TimeOptions } from './deadline.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { read } from './reader.ts';
import { locate } from './source-place.ts';
import { isTrouble } from './trouble.ts';

export interface CompileOptions extends TimeOptions {
  /** The names that `data/` offers; any when left out. */
  readonly bindings?: readonly string[];
  /** Names of bindings that may be written without `data/`, such as `result` in predicates. */
  readonly aliases?: readonly string[];
  /** Where the expression begins in a bigger document, so that issues point there. */
  readonly place?: Place;
  readonly limits?: Partial<Limits>;
}

export interface Program {
  readonly source: string;
  readonly place: Place | undefined;
  readonly limits: Limits;
  /** The `data/` names the program reads. */
  readonly bindings: readonly string[];
  readonly body: Node;
  readonly code: Code;
  readonly frameSize: number;
  readonly globals: number;
  /** Levels of depth that the program takes by itself. */
  readonly weight: number;
}

/** Reads, analyzes and compiles. Issues: LISP_PARSE, LISP_FORM, LISP_UNBOUND, LISP_ARITY, LISP_TYPE, LISP_ARITHMETIC, LISP_LIMIT. Never throws. */
export function compile(source: string, options: CompileOptions = {}): Result<Program> {
  const limits = options.limits === undefined ? defaultLimits : { ...defaultLimits, ...options.limits };
  const issues = (findings: readonly Finding[]): Result<never> =>
    bad(findings.map((finding) => asIssue(source, options.place, finding)));
  try {
    const forms = read(source, limits);
    if (forms.length === 0) return issues([EMPTY]);
    const analyzed = analyze(forms, {
      bindings: options.bindings,
      aliases: options.aliases ?? [],
      limits,
      time: options,
    });
    if (analyzed.findings.length > 0) return issues(analyzed.findings);
    const { body, frameSize, globals, data } = analyzed;
    const weight = weightOf(body);
    if (weight > limits.depth) return issues([TOO_DEEP]);
    return good({
      source,
      place: options.place,
      limits,
      bindings: data,
      body,
      code: compileNode(body),
      frameSize,
      globals,
      weight,
    });
  } catch (error) {
    return issues([asFinding(error)]);
  }
}

const EMPTY: Finding = {
  code: 'LISP_PARSE',
  message: 'there is no expression',
  hint: 'write one, such as (+ 1 2)',
  start: 0,
  end: 0,
};
const TOO_DEEP: Finding = {
  code: 'LISP_LIMIT',
  message: 'the program nests too deeply',
  hint: 'name the parts with let or defn',
  start: 0,
  end: 0,
};

/** Reading stops at the first thing it cannot read. The host's own stack is the last guard against nesting; anything else is our fault. */
function asFinding(error: unknown): Finding {
  if (isTrouble(error)) {
    const start = error.at ?? 0;
    return { code: error.code, message: error.message, hint: error.hint, start, end: start + 1 };
  }
  if (!(error instanceof RangeError)) throw error;
  return TOO_DEEP;
}

function asIssue(source: string, place: Place | undefined, finding: Finding): Issue {
  return issue(finding.code, finding.message, {
    place: locate(source, finding.start, finding.end, place),
    hint: finding.hint,
  });
}
