// The fragment: a proposed piece of graph, read from what a planner really answers.
import { type Digest, digestOf } from '../base/digest.ts';
import { hasErrors, type Issue, issue } from '../base/issue.ts';
import { isJsonObject, type Json, type JsonObject, ownProperty } from '../base/json.ts';
import { bad, good, type Result } from '../base/result.ts';
import { foldStep, writtenPath } from '../template/resolve/aliases.ts';
import { bindSteps } from '../template/resolve/bind.ts';
import { readNeeds } from '../template/resolve/needs.ts';
import { resolveStep } from '../template/resolve/step.ts';
import { checkShape } from '../template/shape.ts';
import type { Need, StepSpec } from '../template/step-spec.ts';
import { questionIn } from './question.ts';
import { isDeeperThan } from './read/nesting.ts';
import { readReplyText } from './read/reply-text.ts';
import { readStepKeys } from './read/step-keys.ts';
import { findPlan, type Plan } from './read/step-list.ts';
import { renameIn, renamingOf } from './read/step-names.ts';
import { unavailableIn } from './read/unavailable.ts';
import { nestedTarget, wiringOf } from './wiring.ts';

export interface Fragment {
  /** Why this plan; empty when the planner did not say. */
  readonly rationale: string;
  readonly steps: readonly StepSpec[];
  /** What the planner has to see before it stands by its steps, or before it can plan any. */
  readonly needs: readonly Need[];
  /** Of the steps: two spellings of one plan have the same. */
  readonly digest: Digest;
  /** What was normalised: names, other names of keys, wrappings. */
  readonly understood: readonly string[];
  /** The plan as it was understood, still in the planner's own words for keys. */
  readonly raw: JsonObject;
}

/** A planner's honest answer that the goal cannot be reached. */
export interface Impossible {
  readonly impossible: string;
}

/** A question that a planner must have answered before it can plan; as it was put. */
export interface Asking {
  readonly asks: Json;
}

const MAX_NESTING = 100;

/**
 * Accepts the spellings that planners use and reports which; what it cannot read is an issue, never a guess. Judges
 * nothing that needs a frame: that is the review's affair. Never throws.
 */
export function readFragment(reply: Json): Result<Fragment | Impossible | Asking> {
  const text = typeof reply === 'string' ? readReplyText(reply) : { value: reply, notes: [] };
  if (text === undefined) return unreadable('the reply is text without one JSON value in it');
  if (isDeeperThan(text.value, MAX_NESTING)) return unreadable(`the reply nests deeper than ${MAX_NESTING} levels`);
  const plan = onlyNeeds(text.value) ?? findPlan(text.value);
  const impossible = ownProperty(text.value, 'impossible');
  if (typeof impossible === 'string' && impossible !== '') {
    if ('code' in plan || plan.steps.length === 0) return good({ impossible });
    return unreadable('the reply says that the goal is impossible, and brings steps for it');
  }
  const asks = questionIn(text.value);
  if (asks !== undefined) {
    if ('code' in plan || plan.steps.length === 0) return good({ asks });
    return unreadable('the reply asks a question, and brings steps all the same');
  }
  if ('code' in plan) return bad([plan]);
  const notes = new Set([...text.notes, ...plan.notes]);
  const keyed = plan.steps.map((step) => readStepKeys(step, notes));
  const renaming = renamingOf(keyed);
  for (const [written, given] of renaming) notes.add(`step "${written}" as "${given}"`);
  const document = { ...withoutNull(plan.rest), steps: keyed.map((step) => renameIn(step, renaming)) };
  const { issues } = checkShape(document, 'fragment');
  if (hasErrors(issues)) return bad(issues);
  return resolve(document, [...notes]);
}

/** A planner that cannot plan before it has seen something answers without steps. */
function onlyNeeds(reply: Json): Plan | undefined {
  if (!isJsonObject(reply) || readNeeds(reply.needs).length === 0) return undefined;
  return Object.keys(reply).every((key) => key === 'needs' || key === 'rationale')
    ? { steps: [], rest: reply, notes: [] }
    : undefined;
}

function resolve(
  document: JsonObject & { readonly steps: readonly Json[] },
  understood: readonly string[],
): Result<Fragment> {
  const folded = document.steps.map((step) => (isJsonObject(step) ? foldStep(step) : step));
  const issues: Issue[] = [...unavailableIn({ ...document, steps: folded })];
  const steps = folded.flatMap((written, index) => {
    if (!isJsonObject(written)) return [];
    const { step, issues: found } = resolveStep(written, ['steps', index]);
    issues.push(...found);
    return step === undefined ? [] : [step];
  });
  const placed = issues.map((each) => ({ ...each, path: writtenPath(document, each.path) }));
  if (hasErrors(placed)) return bad(placed);
  const bound = bind(steps);
  const rationale = typeof document.rationale === 'string' ? document.rationale : '';
  const needs = readNeeds(document.needs);
  return good({ rationale, steps: bound, needs, digest: digestOfSteps(bound), understood, raw: document }, placed);
}

/** The only step that waits for a nested planning step is its target, and so is bound as one. */
function bind(steps: readonly StepSpec[]): readonly StepSpec[] {
  const bound = bindSteps(steps);
  if (!steps.some(({ type }) => type === 'planning')) return bound;
  const wiring = wiringOf(bound);
  return bindSteps(
    steps.map((step) => {
      const target = nestedTarget(step, wiring);
      if (step.planning === undefined || step.planning.target !== undefined || target === undefined) return step;
      return { ...step, planning: { ...step.planning, target } };
    }),
  );
}

function digestOfSteps(steps: readonly StepSpec[]): Digest {
  // Declarations are plain JSON, which their type does not say.
  return digestOf(steps.flatMap((step) => (isJsonObject(step) ? [step] : [])));
}

function withoutNull(rest: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
}

function unreadable(message: string): Result<never> {
  return bad([issue('FRAGMENT_UNREADABLE', message, { hint: 'answer with JSON: {"rationale": "…", "steps": […]}' })]);
}
