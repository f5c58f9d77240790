// Reads a plan in the format of another system, and writes it as a plan of this language.
import { type Issue, issue } from '../../base/issue.ts';
import { type Json, type JsonObject, plainJson } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { Capability } from '../../capabilities/capability.ts';
import { readFragment } from '../../planning/read-fragment.ts';

export interface ImportedPlan {
  /** The plan with `steps`, as `executePlan` and a file of a plan take it. */
  readonly plan: JsonObject;
  /** Each difference between the plan as it was written and the plan as it was read. */
  readonly understood: readonly string[];
}

/**
 * Reads graphs of tools, call sequences, nested calls, and the spellings of models; also the text of a model's answer. The
 * `capabilities` give arguments by position their names. Issues: all parts that cannot be read, with paths in the plan.
 */
export function readPlan(
  plan: Json | object,
  capabilities: readonly Capability[] = [],
): Result<ImportedPlan, readonly Issue[]> {
  const declarations = Object.fromEntries(capabilities.map(({ declaration }) => [declaration.name, declaration]));
  const read = readFragment(plainJson(plan), declarations);
  if (!read.ok) return bad(read.error.issues);
  if (!('steps' in read.value)) {
    const isImpossible = 'impossible' in read.value;
    const message = isImpossible ? 'it says that the goal is impossible' : 'it asks a question in place of a plan';
    return bad([issue('FRAGMENT_UNREADABLE', message)]);
  }
  return good({ plan: read.value.raw, understood: read.value.understood }, read.warnings);
}
