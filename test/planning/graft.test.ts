// The graft: ids, edges, names and targets of the steps that join the graph.
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { type Graft, graftOf } from '../../src/planning/prepare-graft.ts';
import { review } from '../../src/planning/review.ts';
import { call, frame, framed, read } from './given-frame.ts';

const planner = { kind: 'fixed', fragment: { steps: [] } };

function grafted(steps: readonly Json[], within = frame): Graft {
  const fragment = read({ rationale: 'because', steps });
  expect(review(fragment, within).issues).toEqual([]);
  return graftOf(fragment, within);
}

test('a step id is a path below the planning step and its attempt', () => {
  const graft = grafted([call('a'), call('b', ['a'])], framed({ planner: 'x.1/deep', prefix: 'x.1/deep.1' }));
  expect(graft.steps.map(({ id }) => id)).toEqual(['x.1/deep.1/a', 'x.1/deep.1/b']);
});

test('first steps depend on the planning step, and its target depends on the last steps', () => {
  const graft = grafted([call('a'), call('b', ['a']), call('c', ['a']), call('alone')]);
  expect(graft.target).toBe('finalize');
  expect(graft.terminals).toEqual(['plan_recon.1/b', 'plan_recon.1/c', 'plan_recon.1/alone']);
  expect(graft.steps.map(({ dependencies, depth }) => [depth, ...dependencies])).toEqual([
    [1, 'plan_recon'],
    [2, 'plan_recon.1/a'],
    [2, 'plan_recon.1/a'],
    [1, 'plan_recon'],
  ]);
});

test('a step that depends only on ancestors also depends on the planning step', () => {
  const [step] = grafted([call('a', ['ingest'])]).steps;
  expect(step?.dependencies).toEqual(['plan_recon', 'ingest']);
});

test('names in dependencies, references and Lisp are mapped to step ids', () => {
  const [, use] = grafted([
    call('a'),
    call('use', ['a'], {
      input: { files: '{{ results.ingest.files }}', sum: { $lisp: '(get-in data/results ["a" "total"])' } },
    }),
  ]).steps;
  expect(use?.refs).toEqual({ a: 'plan_recon.1/a', ingest: 'ingest' });
});

test('a name means a step of the fragment before an ancestor of the same name', () => {
  const [, use] = grafted([call('ingest'), call('use', ['ingest'])]).steps;
  expect(use?.refs).toEqual({ ingest: 'plan_recon.1/ingest' });
});

test('an empty fragment has no terminals', () => {
  expect(grafted([])).toMatchObject({ planner: 'plan_recon', steps: [], terminals: [] });
});

describe('a nested planning step', () => {
  const nested = { name: 'deeper', type: 'planning', planner };

  test('inherits the target and is a last step itself', () => {
    const graft = grafted([call('a'), { ...nested, depends_on: ['a'] }]);
    expect(graft.steps[1]?.target).toBe('finalize');
    expect(graft.terminals).toEqual(['plan_recon.1/deeper']);
  });

  test('converges at its only dependent', () => {
    const graft = grafted([nested, call('merge', ['deeper'])]);
    expect(graft.steps[0]?.target).toBe('plan_recon.1/merge');
    expect(graft.steps[1]?.spec.convergence?.policy).toBe('all_success');
    expect(graft.terminals).toEqual(['plan_recon.1/merge']);
  });

  test('converges at the target that it names', () => {
    const graft = grafted([
      { ...nested, convergence_target: 'merge' },
      call('merge', ['deeper']),
      call('z', ['merge']),
    ]);
    expect(graft.steps[0]?.target).toBe('plan_recon.1/merge');
  });

  test('may name the target of the frame', () => {
    expect(grafted([{ ...nested, convergence_target: 'finalize' }]).steps[0]?.target).toBe('finalize');
  });

  test('may leave out its planner', () => {
    const [step] = grafted([{ name: 'deeper', type: 'planning', goal: 'look closer' }]).steps;
    expect(step?.spec.planning?.planner).toBeUndefined();
  });

  test('is the only type of step with a target', () => {
    expect(grafted([call('a')]).steps[0]).not.toHaveProperty('target');
  });
});
