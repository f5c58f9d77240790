// Check 12: the fragment ends at the target of its planning step, with enough branches for the quorum.
import { counted } from '../../base/counted.ts';
import { type Issue, issue } from '../../base/issue.ts';
import { didYouMean } from '../../base/nearest.ts';
import { checkQuorums } from '../../template/check/convergence.ts';
import type { Fragment } from '../fragment.ts';
import type { Frame } from '../frame.ts';
import { nameOf } from '../names-outside.ts';
import { nestedTarget, type Wiring } from '../wiring.ts';
import type { Check } from './check.ts';

export const checkConvergence: Check = ({ fragment, frame, scope, wiring }) => {
  const planning = fragment.steps.filter(({ type }) => type === 'planning');
  const targets = new Set(planning.map((step) => nestedTarget(step, wiring)));
  return [
    ...namesAnother(fragment, frame),
    // The number of branches from a nested phase is not known yet.
    ...checkQuorums(scope, ({ name, dependencies }) =>
      targets.has(name) ? Number.POSITIVE_INFINITY : dependencies.length,
    ),
    ...(targets.has(undefined) ? [] : bringsTooLittle(fragment, frame, wiring)),
  ];
};

function namesAnother({ target }: Fragment, frame: Frame): readonly Issue[] {
  const own = nameOf(frame.target);
  if (target === undefined || target === frame.target || target === own) return [];
  return [
    issue(
      'CONVERGENCE_TARGET_UNKNOWN',
      `the plan names "${target}" as its convergence target, and it comes together at "${own}"`,
      {
        path: ['convergence_target'],
        hint: didYouMean(target, [own]) ?? `write "${own}", or leave it out`,
      },
    ),
  ];
}

/** Checks a plan that ends at a quorum by number, when no nested phase adds branches. */
function bringsTooLittle({ steps }: Fragment, { target, quorum }: Frame, { dependents }: Wiring): readonly Issue[] {
  if (quorum === undefined || steps.length === 0) return [];
  const brought = steps.filter(({ name }) => dependents.get(name)?.length === 0).length;
  if (brought + quorum.beside >= quorum.min) return [];
  const others = quorum.beside === 0 ? '' : ` beside ${counted(quorum.beside, 'other')}`;
  return [
    issue(
      'CONVERGENCE_UNSATISFIABLE',
      `"${nameOf(target)}" asks for ${counted(quorum.min, 'success', 'successes')}, and the plan ends in ${counted(brought, 'branch', 'branches')}${others}`,
      {
        path: ['steps'],
        hint: `let at least ${quorum.min - quorum.beside} steps end the plan, each with a result of its own`,
      },
    ),
  ];
}
