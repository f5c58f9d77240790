// The contract that a step implies for its agent's answer, from its branches or from the fields that its predicate reads.
import type { PathPart } from '../base/issue.ts';
import type { JsonObject } from '../base/json.ts';
import { referencedPaths } from '../lisp/referenced-paths.ts';
import { compileExpression } from './expressions.ts';
import type { Expression } from './references.ts';
import type { StepSpec } from './step-spec.ts';

/** The fields and indexes that a predicate reads below one value. */
type Reads = Map<PathPart, Reads>;

/** Characters of the predicate in the description of the contract. */
const LONGEST_SHOWN = 400;

const known = new WeakMap<Expression, { readonly schema: JsonObject | undefined }>();

/** JSON Schema; undefined when any text is a valid answer. */
export function answerContract(step: Pick<StepSpec, 'decision' | 'verification'>): JsonObject | undefined {
  return decisionContract(step) ?? verifiedContract(step);
}

function decisionContract({ decision }: Pick<StepSpec, 'decision'>): JsonObject | undefined {
  if (decision === undefined) return undefined;
  return {
    type: 'object',
    required: ['branches'],
    properties: {
      branches: { type: 'array', items: { enum: [...decision.branches] } },
      why: { type: 'string' },
    },
    additionalProperties: false,
  };
}

function verifiedContract({ verification }: Pick<StepSpec, 'verification'>): JsonObject | undefined {
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
    // A path of indexes only may also read characters of a text.
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

/** The schema of a value with these reads; open when a predicate reads it both by field and by index. */
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
