// When a planner makes the same mistakes again.
import { expect, test } from 'vitest';
import { issue } from '../../src/base/issue.ts';
import { sameIssues } from '../../src/planning/same-issues.ts';

const cycle = issue('GRAFT_CYCLE', 'a waits for b', { path: ['steps', 0] });
const unknown = issue('FRAGMENT_UNKNOWN_CAPABILITY', 'calls "x"', { path: ['steps', 1, 'capability'] });
const warning = issue('STEP_ORPHAN', 'alone', { severity: 'warning' });

test('the same issues in another order are the same', () => {
  expect(sameIssues([cycle, unknown], [unknown, cycle])).toBe(true);
});

test('warnings do not count', () => {
  expect(sameIssues([cycle, warning], [cycle])).toBe(true);
});

test('fewer, more or other issues are not the same', () => {
  expect(sameIssues([cycle, unknown], [cycle])).toBe(false);
  expect(sameIssues([cycle], [cycle, unknown])).toBe(false);
  expect(sameIssues([unknown], [{ ...unknown, message: 'calls "y"' }])).toBe(false);
  expect(sameIssues([unknown], [{ ...unknown, path: ['steps', 2, 'capability'] }])).toBe(false);
});
