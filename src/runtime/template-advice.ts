// All that `validate` says of a template beside what keeps it from being loaded, each where it stands in the file.
import { hasErrors, type Issue, type PathPart } from '../base/issue.ts';
import { ownProperty } from '../base/json.ts';
import { reviewFixedPlans } from '../engine/phase/fixed-plans.ts';
import { adviceOn, placeOfStep } from '../template/advice.ts';
import type { Tree } from '../template/parse/tree.ts';
import { placeIssue } from '../template/place-issues.ts';
import type { Template } from '../template/template.ts';
import { parseFile } from './parse-file.ts';

/** `declared`: all that the template grants is known. */
export async function templateAdvice(file: string, template: Template, declared: boolean): Promise<readonly Issue[]> {
  const parsed = await parseFile(file, process.cwd());
  if (!parsed.ok || parsed.value.tree === undefined || hasErrors(parsed.value.issues)) return [];
  const { tree } = parsed.value;
  return [...adviceOn(template, tree.value, { declared }), ...(declared ? fixedPlans(template, tree) : [])].map(
    (each) => placeIssue(each, tree),
  );
}

function fixedPlans(template: Template, tree: Tree): readonly Issue[] {
  return reviewFixedPlans(template).flatMap(({ step, issues }) => {
    const at = placeOfFragment(tree, step);
    return at === undefined ? [] : issues.map((each) => ({ ...each, path: [...at, ...each.path] }));
  });
}

/** In the step, or in the planner that the step names. Undefined: the step stands in another file. */
function placeOfFragment({ value }: Tree, step: string): readonly PathPart[] | undefined {
  const at = placeOfStep(value, step);
  if (at === undefined) return undefined;
  const steps = ownProperty(value, 'steps');
  const written = Array.isArray(steps) ? steps[Number(at[1])] : undefined;
  const planner = ownProperty(written, 'planner');
  return typeof planner === 'string' ? ['planners', planner, 'fragment'] : [...at, 'planner', 'fragment'];
}
