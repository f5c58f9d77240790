// The run that the inspector opens when its address names none.
import { expect, it } from 'vitest';
import { runToOpen } from '../../src/view/run-to-open.ts';

const run = (id: string, driven = false, parent?: string) => ({
  id,
  driven,
  ...(parent === undefined ? {} : { parent }),
});

it('a single run opens, even with child runs', () => {
  expect(runToOpen([run('child', false, 'one'), run('one')])).toBe('one');
});

it('among several runs, the only one that a process drives opens', () => {
  expect(runToOpen([run('old'), run('child', true, 'live'), run('live', true)])).toBe('live');
});

it('without one run that stands out, the list of runs is shown', () => {
  expect(runToOpen([run('one'), run('two')])).toBeUndefined();
  expect(runToOpen([run('one', true), run('two', true)])).toBeUndefined();
  expect(runToOpen([])).toBeUndefined();
});
