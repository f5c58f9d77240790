// Reviews the plans of fixed planners before a run, as their planning steps would.
import type { Issue } from '../../base/issue.ts';
import { reachableFrom } from '../../graph/reach.ts';
import { readFragment } from '../../planning/read-fragment.ts';
import { review, reviewUnread } from '../../planning/review.ts';
import type { PlannerSpec } from '../../template/step-spec.ts';
import type { Template } from '../../template/template.ts';
import { frameBeforeRun } from './frame-before-run.ts';

export interface FixedPlanFindings {
  /** Name of the planning step. */
  readonly step: string;
  /** Paths start at the fragment. An issue that a `repair` or a `model` may mend is a warning. */
  readonly issues: readonly Issue[];
}

/** Reviews only the first phases in full: before a run the results of earlier plans are unknown. */
export function reviewFixedPlans(template: Template): readonly FixedPlanFindings[] {
  const byName = new Map(template.steps.map((step) => [step.name, step]));
  const before = (name: string) => reachableFrom([name], (each) => byName.get(each)?.dependencies ?? []);
  return template.steps.flatMap(({ name, planning }) => {
    const planner = planning?.planner;
    if (planner?.kind !== 'fixed') return [];
    const isFirst = [...before(name)].every((each) => each === name || byName.get(each)?.type !== 'planning');
    const found = issuesOf(template, name, planner).filter(({ code }) => isFirst || !mayComeLater.has(code));
    return [{ step: name, issues: isMended(planner) ? found.map(asWarning) : found }];
  });
}

const mayComeLater: ReadonlySet<string> = new Set(['REFERENCE_UNKNOWN', 'DEPENDENCY_UNKNOWN']);

function issuesOf(template: Template, name: string, { fragment }: PlannerSpec & { kind: 'fixed' }): readonly Issue[] {
  const frame = frameBeforeRun(template, name);
  if (frame === undefined) return [];
  const read = readFragment(fragment, frame.declarations, frame.stepTimeout);
  if (!read.ok) return reviewUnread(read.error, frame);
  if (!('steps' in read.value)) return [];
  return [...read.warnings, ...review(read.value, frame).issues];
}

function isMended({ repair, model }: PlannerSpec & { kind: 'fixed' }): boolean {
  return repair !== undefined || model !== undefined;
}

function asWarning(found: Issue): Issue {
  return found.severity === 'error' ? { ...found, severity: 'warning' } : found;
}
