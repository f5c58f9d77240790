// Finds the references of a step, in placeholders and in Lisp, and their issues.
import type { Issue, PathPart } from '../base/issue.ts';
import { isJsonObject, type Json } from '../base/json.ts';
import type { Place } from '../base/place.ts';
import { referencedPaths } from '../lisp/referenced-paths.ts';
import { compileExpression, type ExpressionSite } from './expressions.ts';
import type { Expression } from './references.ts';
import { isLisp, type PlacedReference, readReferences, referenceRoots } from './references.ts';
import type { StepSpec } from './step-spec.ts';

export interface StepReference extends PlacedReference {
  readonly site: ExpressionSite;
  /** Where in an expression, counted within it. */
  readonly place?: Place;
}

export interface StepReferences {
  readonly references: readonly StepReference[];
  /** Paths from the step. */
  readonly issues: readonly Issue[];
}

interface PlacedExpression {
  readonly expression: Expression;
  readonly site: ExpressionSite;
  readonly at: readonly PathPart[];
}

const remembered = new WeakMap<StepSpec, StepReferences>();

/** Computed once for each step. */
export function referencesOf(step: StepSpec): StepReferences {
  const known = remembered.get(step);
  if (known !== undefined) return known;
  const found = readStepReferences(step);
  remembered.set(step, found);
  return found;
}

/** References and Lisp in a value that stands at `at`. */
export function referencesOfValue(value: Json, at: readonly PathPart[], site: ExpressionSite): StepReferences {
  const { references, issues } = readReferences(value);
  const placed: StepReferences = {
    references: references.map((each) => ({ ...each, at: [...at, ...each.at], site })),
    issues: issues.map((each) => ({ ...each, path: [...at, ...each.path] })),
  };
  return together([placed, ...expressionsIn(value, at, site).map(referencesOfExpression)]);
}

/** Takes over the known references for a copy that has the same references. */
export function carryReferences<Copy extends StepSpec>(from: StepSpec, to: Copy): Copy {
  remembered.set(to, referencesOf(from));
  return to;
}

function readStepReferences(step: StepSpec): StepReferences {
  const { input, planning, fanOut, gate, approval, attachments } = step;
  const values: [Json | undefined, PathPart[]][] = [
    [input, ['input']],
    [planning?.goal, ['goal']],
    [fanOut?.forEach, ['for_each']],
    [gate?.prompt, ['prompt']],
    [approval?.prompt, ['approval', 'prompt']],
    [attachments?.map(({ ref }) => ({ ref })), ['attachments']],
  ];
  return together([
    ...expressionsOf(step).map(referencesOfExpression),
    ...values.flatMap(([value, at]) => (value === undefined ? [] : [referencesOfValue(value, at, 'input')])),
    ...(fanOut === undefined ? [] : [inside('do', referencesOf(fanOut.do))]),
  ]);
}

function together(parts: readonly StepReferences[]): StepReferences {
  return { references: parts.flatMap((each) => each.references), issues: parts.flatMap((each) => each.issues) };
}

function inside(key: string, { references, issues }: StepReferences): StepReferences {
  return {
    references: references.map((each) => ({ ...each, at: [key, ...each.at] })),
    issues: issues.map((each) => ({ ...each, path: [key, ...each.path] })),
  };
}

/** The step's own expressions; those inside `input` are values. */
function expressionsOf(step: StepSpec): readonly PlacedExpression[] {
  const { planner, review } = step.planning ?? {};
  const rules = planner?.kind === 'lisp' || planner?.kind === 'fixed' ? planner : undefined;
  const all: [Expression | undefined, ExpressionSite, PathPart[]][] = [
    [step.when, 'when', ['when']],
    [step.expr, 'expr', ['expr']],
    [step.decision?.choose, 'expr', ['choose']],
    [step.approval?.when, 'when', ['approval', 'when']],
    [typeof review === 'object' ? review.when : undefined, 'plan_review', ['plan_review', 'when']],
    [step.verification, 'verification', ['verification']],
    [rules?.kind === 'lisp' ? rules.source : undefined, 'planner', ['planner', 'source']],
    [rules?.repair, 'planner', ['planner', 'repair']],
  ];
  return all.flatMap(([expression, site, at]) => (expression === undefined ? [] : [{ expression, site, at }]));
}

function expressionsIn(value: Json, at: readonly PathPart[], site: ExpressionSite): readonly PlacedExpression[] {
  if (isLisp(value)) return [{ expression: value, site, at }];
  if (Array.isArray(value)) return value.flatMap((each: Json, index) => expressionsIn(each, [...at, index], site));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, each]) => expressionsIn(each, [...at, key], site));
}

function referencesOfExpression({ expression, site, at }: PlacedExpression): StepReferences {
  const compiled = compileExpression(expression, site);
  if (!compiled.ok) return { references: [], issues: compiled.error.map((each) => ({ ...each, path: at })) };
  const references = referencedPaths(compiled.value).flatMap(({ binding, path, place }): StepReference[] => {
    const root = referenceRoots.find((each) => each === binding.replace('data/', ''));
    // A predicate's `data/input` is the step's own: nothing to refer to.
    return root === undefined || (site === 'verification' && root === 'input')
      ? []
      : [{ root, path: path.map(String), at, site, place }];
  });
  return { references, issues: compiled.warnings.map((each) => ({ ...each, path: at })) };
}
