// Finds the references of a step, in placeholders and in Lisp, and their issues.
import type { Issue, PathPart } from '../base/issue.ts';
import { isJsonObject, type Json } from '../base/json.ts';
import type { Place } from '../base/place.ts';
import { referencedPaths } from '../lisp/referenced-paths.ts';
import { compileExpression, type Site } from './expressions.ts';
import type { Expression } from './references.ts';
import { isLisp, type PlacedReference, readReferences, referenceRoots } from './references.ts';
import type { StepSpec } from './step-spec.ts';

export interface Use extends PlacedReference {
  readonly site: Site;
  /** Where in an expression, counted within it. */
  readonly place?: Place;
}

export interface Uses {
  readonly uses: readonly Use[];
  /** Paths from the step. */
  readonly issues: readonly Issue[];
}

interface PlacedExpression {
  readonly expression: Expression;
  readonly site: Site;
  readonly at: readonly PathPart[];
}

const remembered = new WeakMap<StepSpec, Uses>();

/** Computed once for each step. */
export function usesOf(step: StepSpec): Uses {
  const known = remembered.get(step);
  if (known !== undefined) return known;
  const found = readUses(step);
  remembered.set(step, found);
  return found;
}

/** References and Lisp in a value that stands at `at`. */
export function usesOfValue(value: Json, at: readonly PathPart[], site: Site): Uses {
  const { references, issues } = readReferences(value);
  const placed: Uses = {
    uses: references.map((each) => ({ ...each, at: [...at, ...each.at], site })),
    issues: issues.map((each) => ({ ...each, path: [...at, ...each.path] })),
  };
  return together([placed, ...expressionsIn(value, at, site).map(usesOfExpression)]);
}

/** Takes over the known uses for a copy that has the same references. */
export function carryUses<Copy extends StepSpec>(from: StepSpec, to: Copy): Copy {
  remembered.set(to, usesOf(from));
  return to;
}

function readUses(step: StepSpec): Uses {
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
    ...expressionsOf(step).map(usesOfExpression),
    ...values.flatMap(([value, at]) => (value === undefined ? [] : [usesOfValue(value, at, 'input')])),
    ...(fanOut === undefined ? [] : [inside('do', usesOf(fanOut.do))]),
  ]);
}

function together(parts: readonly Uses[]): Uses {
  return { uses: parts.flatMap((each) => each.uses), issues: parts.flatMap((each) => each.issues) };
}

function inside(key: string, { uses, issues }: Uses): Uses {
  return {
    uses: uses.map((each) => ({ ...each, at: [key, ...each.at] })),
    issues: issues.map((each) => ({ ...each, path: [key, ...each.path] })),
  };
}

/** The step's own expressions; those inside `input` are values. */
function expressionsOf(step: StepSpec): readonly PlacedExpression[] {
  const { planner, review } = step.planning ?? {};
  const rules = planner?.kind === 'lisp' || planner?.kind === 'fixed' ? planner : undefined;
  const all: [Expression | undefined, Site, PathPart[]][] = [
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

function expressionsIn(value: Json, at: readonly PathPart[], site: Site): readonly PlacedExpression[] {
  if (isLisp(value)) return [{ expression: value, site, at }];
  if (Array.isArray(value)) return value.flatMap((each: Json, index) => expressionsIn(each, [...at, index], site));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, each]) => expressionsIn(each, [...at, key], site));
}

function usesOfExpression({ expression, site, at }: PlacedExpression): Uses {
  const compiled = compileExpression(expression, site);
  if (!compiled.ok) return { uses: [], issues: compiled.error.map((each) => ({ ...each, path: at })) };
  const uses = referencedPaths(compiled.value).flatMap(({ binding, path, place }): Use[] => {
    const root = referenceRoots.find((each) => each === binding.replace('data/', ''));
    // A predicate's `data/input` is the step's own: nothing to refer to.
    return root === undefined || (site === 'verification' && root === 'input')
      ? []
      : [{ root, path: path.map(String), at, site, place }];
  });
  return { uses, issues: compiled.warnings.map((each) => ({ ...each, path: at })) };
}
