// Check 12: a convergence step of the fragment can be satisfied by what feeds it.
import { counted } from '../../base/counted.ts';
import { issue } from '../../base/issue.ts';
import type { Check } from '../verdict.ts';
import { nestedTarget } from '../wiring.ts';

/** How much a nested phase will feed to its target is not known yet, so such a target is not judged here. */
export const checkConvergence: Check = ({ fragment: { steps }, wiring }) => {
  const open = new Set(steps.filter(({ type }) => type === 'planning').map((step) => nestedTarget(step, wiring)));
  return steps.flatMap(({ name, convergence, dependencies }, index) => {
    const min = convergence?.min;
    if (convergence?.policy !== 'quorum' || min === undefined || !('count' in min) || open.has(name)) return [];
    if (min.count <= dependencies.length) return [];
    return [
      issue(
        'CONVERGENCE_UNSATISFIABLE',
        `step "${name}" asks for ${counted(min.count, 'success', 'successes')} and waits for ${counted(dependencies.length, 'step')}`,
        { path: ['steps', index, 'convergence', 'min'], hint: 'ask for fewer, or for a percentage' },
      ),
    ];
  });
};
