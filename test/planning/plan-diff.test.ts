// The difference of two plans, as people are shown it.
import { expect, test } from 'vitest';
import { planDiff } from '../../src/planning/plan-diff.ts';
import { read } from './given-frame.ts';

const call = (name: string, rest: object = {}) => ({ name, tool: 'files.read', ...rest });
const plan = (...steps: object[]) => read({ steps: JSON.parse(JSON.stringify(steps)) }).steps;

test('a plan diff lists added, removed, changed and equal steps', () => {
  const before = plan(call('a'), call('b', { input: { path: 'x' } }), call('c'));
  const after = plan(
    call('b', { input: { path: 'y' }, on_failure: 'skip' }),
    call('c'),
    call('d', { depends_on: ['b'] }),
  );
  expect(planDiff(before, after)).toEqual({
    added: ['d'],
    removed: ['a'],
    changed: [{ step: 'b', keys: ['input', 'on_failure'] }],
    same: ['c'],
  });
});

test('a plan has no difference from itself', () => {
  const steps = plan(call('a'), call('b', { depends_on: ['a'] }));
  expect(planDiff(steps, steps)).toEqual({ added: [], removed: [], changed: [], same: ['a', 'b'] });
});

test('a standing step counts as equal when the new plan leaves it out', () => {
  const before = plan(call('a'), call('b'));
  expect(planDiff(before, plan(call('c')), new Set(['a']))).toEqual({
    added: ['c'],
    removed: ['b'],
    changed: [],
    same: ['a'],
  });
});
