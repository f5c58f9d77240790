// Check 2: every step has a name of its own, and every dependency names a step.
import { type Issue, issue } from '../../base/issue.ts';
import { didYouMean } from '../../base/nearest.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Frame } from '../frame.ts';
import { producerNamed } from '../surroundings.ts';
import type { Check } from '../verdict.ts';

export const checkNames: Check = ({ steps }, frame) => {
  const own = new Set(steps.map(({ name }) => name));
  const first = new Map<string, number>();
  return steps.flatMap((step, index) => {
    const before = first.get(step.name);
    if (before === undefined) first.set(step.name, index);
    const taken = before === undefined ? [] : [nameTaken(step.name, before, index)];
    return [...taken, ...unknownDependencies(step, index, own, frame)];
  });
};

function nameTaken(name: string, before: number, index: number): Issue {
  return issue('STEP_NAME_TAKEN', `step ${index + 1} is called "${name}", as step ${before + 1} is`, {
    path: ['steps', index, 'name'],
    hint: 'give each step of a fragment a name of its own',
  });
}

function unknownDependencies(
  { name, dependencies, implied }: StepSpec,
  index: number,
  own: ReadonlySet<string>,
  frame: Frame,
): Issue[] {
  return dependencies
    .filter((each) => !implied.includes(each) && !own.has(each) && producerNamed(each, frame) === undefined)
    .map((each) =>
      issue('DEPENDENCY_UNKNOWN', `step "${name}" waits for "${each}", which is not a step that it can wait for`, {
        path: ['steps', index, 'dependencies'],
        hint:
          didYouMean(each, [...own, ...frame.outside.keys()]) ??
          'name a step of this fragment, or one whose result the packet lists',
      }),
    );
}
