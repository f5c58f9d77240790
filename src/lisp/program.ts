// Compiles source text to a program that can run many times, or reports all its errors.
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
import { isException } from './exception.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { read } from './reader.ts';
import { locate } from './source-place.ts';

export interface CompileOptions extends TimeOptions {
  /** The names under `data/`; default any. */
  readonly bindings?: readonly string[];
  /** Names of bindings that need no `data/` prefix, such as `result` in predicates. */
  readonly aliases?: readonly string[];
  /** The start of the expression in a larger document, so that issues point there. */
  readonly place?: Place;
  readonly limits?: Partial<Limits>;
}

export interface Program {
  readonly source: string;
  readonly place: Place | undefined;
  readonly limits: Limits;
  /** The `data/` names that the program reads. */
  readonly bindings: readonly string[];
  readonly body: Node;
  readonly code: Code;
  readonly frameSize: number;
  readonly globals: number;
  /** The stack depth of the program itself. */
  readonly weight: number;
}

/** Never throws. Issues: LISP_PARSE, LISP_FORM, LISP_UNBOUND, LISP_ARITY, LISP_TYPE, LISP_ARITHMETIC, LISP_LIMIT. */
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

/** Turns the reader's error into a finding. A stack overflow of the host means too much nesting; any other error is our bug. */
function asFinding(error: unknown): Finding {
  if (isException(error)) {
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
