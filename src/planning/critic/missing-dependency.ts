// Finding: a step waits for one that is nowhere.
import { issue } from '../../base/issue.ts';
import { didYouMean } from '../../base/nearest.ts';
import { dependencyPath } from '../../template/check/paths.ts';
import { producerNamed } from '../surroundings.ts';
import type { Check } from '../verdict.ts';

export const missingDependency: Check = ({ fragment: { steps }, frame, wiring: { byName } }) =>
  steps.flatMap((step, index) =>
    step.dependencies
      .filter((name) => !byName.has(name) && producerNamed(name, frame) === undefined)
      .map((name) =>
        issue('CRITIC_MISSING_DEPENDENCY', `step "${step.name}" waits for "${name}", which is not there`, {
          path: dependencyPath(step, ['steps', index], name),
          hint: didYouMean(name, [...byName.keys(), ...frame.outside.keys()]) ?? 'plan it, or take the dependency out',
        }),
      ),
  );
