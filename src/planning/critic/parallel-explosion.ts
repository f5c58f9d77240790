// Finding: a model plans more parallel steps than a fan-out may have.
import { issue } from '../../base/issue.ts';
import type { Check } from '../checks/check.ts';

export const parallelExplosion: Check = ({ fragment: { steps }, frame: { bounds, kind }, wiring }) => {
  if (kind !== 'llm' && kind !== 'hybrid') return [];
  const widest = Map.groupBy(steps, ({ name }) => wiring.depth.get(name) ?? 0)
    .values()
    .reduce((most, level) => (level.length > most.length ? level : most), []);
  const beyond = widest[bounds.fanOut];
  if (beyond === undefined) return [];
  return [
    issue('CRITIC_PARALLEL_EXPLOSION', `${widest.length} steps run beside each other where ${bounds.fanOut} may`, {
      path: ['steps', steps.indexOf(beyond)],
      hint: 'do alike things in one fan_out over a list, or plan part of it in a nested planning step',
    }),
  ];
};
