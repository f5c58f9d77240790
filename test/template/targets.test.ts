// Where planned steps come together: what is said when the target is not one.
import { expect, it } from 'vitest';
import { findings } from './given-steps.ts';

it('an undeclared target is reported once, without further issues about its dependents', () => {
  const steps = (target: string) =>
    `  - { name: plan, type: planning, convergence_target: ${target}, planner: { kind: fixed, fragment: { steps: [] } } }
  - { name: all, type: deferred, dependencies: [plan] }
`;
  expect(findings(steps('al'))).toEqual(['CONVERGENCE_TARGET_UNKNOWN steps.0.convergence_target']);
  expect(findings(steps('all'))).toEqual([]);
});
