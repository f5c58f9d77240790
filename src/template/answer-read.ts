// The contract that a predicate implies for an agent's answer: an object with the fields that the predicate reads.
import type { PathPart } from '../base/issue.ts';
import type { JsonObject } from '../base/json.ts';
import { referencedPaths } from '../lisp/referenced-paths.ts';
import { compileExpression } from './expressions.ts';
import type { Expression } from './references.ts';
import type { StepSpec } from './step-spec.ts';

/** The places that are read below one value, by field or by index. */
type Reads = Map<PathPart, Reads>;

const LONGEST_SHOWN = 400;

const known = new WeakMap<Expression, { readonly schema: JsonObject | undefined }>();

/** JSON Schema; undefined where the predicate reads no field of the answer, so that a text will do. */
export function answerRead({ verification }: Pick<StepSpec, 'verification'>): JsonObject | undefined {
  if (verification === undefined) return undefined;
  const found = known.get(verification) ?? { schema: schemaFor(verification) };
  known.set(verification, found);
  return found.schema;
}

function schemaFor(verification: Expression): JsonObject | undefined {
  const compiled = compileExpression(verification, 'verification');
  if (!compiled.ok) return undefined;
  const reads: Reads = new Map();
  for (const { binding, path } of referencedPaths(compiled.value)) {
    // An index alone may read a text: only the name of a field says that the answer has parts.
    if (binding === 'result' && path.some((part) => typeof part === 'string')) note(reads, path);
  }
  if (reads.size === 0) return undefined;
  const { $lisp } = verification;
  const shown = $lisp.length > LONGEST_SHOWN ? `${$lisp.slice(0, LONGEST_SHOWN)}…` : $lisp;
  return { description: `The answer is checked with: ${shown}`, ...valueWith(reads) };
}

function note(reads: Reads, [part, ...rest]: readonly PathPart[]): void {
  if (part === undefined) return;
  const below: Reads = reads.get(part) ?? new Map();
  reads.set(part, below);
  note(below, rest);
}

/** A value that is read both by field and by index may be either. */
function valueWith(reads: Reads): JsonObject {
  const parts = [...reads.keys()];
  if (parts.length === 0) return {};
  if (parts.every((part) => typeof part === 'string')) {
    const properties = Object.fromEntries([...reads].map(([part, below]) => [part, valueWith(below)]));
    return { type: 'object', required: parts, properties };
  }
  if (!parts.every((part) => typeof part === 'number')) return {};
  const ofItem: Reads = new Map();
  for (const below of reads.values()) for (const [part, deeper] of below) ofItem.set(part, deeper);
  return { type: 'array', items: valueWith(ofItem) };
}
