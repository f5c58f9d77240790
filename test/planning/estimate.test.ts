// The estimate: the worst-case cost of a fragment.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plus } from '../../src/budget/amount.ts';
import { estimateOf } from '../../src/planning/estimate.ts';
import { call, declaration, frame, read } from './given-frame.ts';

const { declarations } = frame;
const stepsOf = (...steps: Parameters<typeof read>) => read(...steps).steps;

test('a call counts each attempt, at the price of the capability', () => {
  const steps = stepsOf([call('a', [], { capability: 'csv.sniff', input: { path: 'x' }, retry: { max_attempts: 3 } })]);
  expect(estimateOf(steps, declarations)).toEqual({ steps: 1, tool_calls: 3, cost_usd: 300 });
});

test('computing and converging cost no call', () => {
  const steps = stepsOf([
    { name: 'a', type: 'compute', expr: '1' },
    { name: 'b', type: 'deferred' },
  ]);
  expect(estimateOf(steps, declarations)).toEqual({ steps: 2 });
});

test('a convergence step with a capability counts its call', () => {
  const steps = stepsOf([{ name: 'b', type: 'deferred', handler: 'files.read' }]);
  expect(estimateOf(steps, declarations)).toEqual({ steps: 1, tool_calls: 1 });
});

test('nested planning counts a phase and a call of its capability planner for each proposal', () => {
  const planner = { kind: 'capability', name: 'files.read' };
  const steps = stepsOf([{ name: 'a', type: 'planning', planner, max_attempts: 2 }]);
  expect(estimateOf(steps, declarations)).toEqual({ steps: 1, phases: 1, tool_calls: 2 });
});

test('a fan-out counts its full width, with the calls of each item', () => {
  const item = { capability: 'csv.sniff', input: { path: '{{ item }}' }, retry: { max_attempts: 2 } };
  const steps = stepsOf([{ name: 'a', type: 'fan_out', for_each: [], max_width: 4, do: item }]);
  expect(estimateOf(steps, declarations)).toEqual({ steps: 5, tool_calls: 8, cost_usd: 800 });
});

test('a capability that may ask is estimated with one more call for each question', () => {
  const asking = { ...declarations, 'files.read': declaration('files.read', { asks: true }) };
  expect(estimateOf(stepsOf([call('a')]), asking)).toEqual({ steps: 1, tool_calls: 4 });
  expect(estimateOf(stepsOf([call('a', [], { max_clarifications: 1 })]), asking)).toEqual({ steps: 1, tool_calls: 2 });
  expect(estimateOf(stepsOf([call('a', [], { max_clarifications: 1 })]), declarations)).toEqual({
    steps: 1,
    tool_calls: 1,
  });
});

test('gates and reviews cost nothing', () => {
  const steps = stepsOf([{ name: 'a', type: 'human_review', prompt: 'Go on?' }]);
  expect(estimateOf(steps, declarations)).toEqual({ steps: 1 });
});

test('the estimate of two lists is the sum of their estimates', () => {
  const kinds = fc.constantFrom(
    { capability: 'csv.sniff', retry: { max_attempts: 4 } },
    { capability: 'files.read' },
    { type: 'compute', expr: '1' },
    { type: 'planning', planner: { kind: 'fixed', fragment: [] } },
    { type: 'fan_out', for_each: [], max_width: 3, do: { capability: 'csv.sniff', retry: { max_attempts: 2 } } },
  );
  fc.assert(
    fc.property(fc.array(kinds, { maxLength: 20 }), fc.nat(20), (parts, cut) => {
      const steps = stepsOf(parts.map((part, index) => ({ name: `s${index}`, ...part })));
      const halves = [steps.slice(0, cut), steps.slice(cut)].map((half) => estimateOf(half, declarations));
      expect(estimateOf(steps, declarations)).toEqual(plus(halves[0] ?? {}, halves[1] ?? {}));
    }),
  );
});
