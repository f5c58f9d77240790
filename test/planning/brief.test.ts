// The brief: what a planner is told.
import { describe, expect, test } from 'vitest';
import { issue } from '../../src/base/issue.ts';
import { type BriefRequest, briefOf } from '../../src/planning/brief.ts';
import { declaration, frame, framed } from './given-frame.ts';

const request: BriefRequest = { frame, attempt: 1, input: { folder: 'data' }, packet: { phase: 1 }, constraints: [] };

test('tells the bounds, what is left, and where it ends', () => {
  const brief = briefOf({ ...request, frame: framed({ available: { steps: 7, cost_usd: 0 } }), goal: 'profile' });
  expect(brief).toMatchObject({
    planner: 'plan_recon',
    attempt: 1,
    goal: 'profile',
    input: { folder: 'data' },
    packet: { phase: 1 },
    bounds: { max_fragment_steps: 6, max_fragment_depth: 3, max_fan_out: 10, max_planning_depth: 2 },
    budget: { steps: 7, cost_usd: 0 },
    target: 'finalize',
    converge: false,
  });
});

test('is plain JSON', () => {
  const brief = briefOf({ ...request, feedback: [issue('GRAFT_CYCLE', 'a waits for a')] });
  expect(JSON.parse(JSON.stringify(brief))).toEqual(brief);
});

test('says in converge mode that nothing may nest', () => {
  expect(briefOf({ ...request, frame: framed({ converge: true }) })).toMatchObject({
    converge: true,
    bounds: { max_planning_depth: 0 },
  });
});

test('has feedback only when something was wrong', () => {
  expect(briefOf({ ...request, feedback: [] })).not.toHaveProperty('feedback');
  const wrong = [issue('GRAFT_CYCLE', 'a waits for a')];
  expect(briefOf({ ...request, attempt: 2, feedback: wrong }).feedback).toEqual(wrong);
});

describe('capabilities', () => {
  const large = { type: 'object', description: 'x'.repeat(100) };
  const declarations = {
    'z.count': declaration('z.count', { description: 'counts the lines of a log', input: large }),
    'a.fetch': declaration('a.fetch', { description: 'fetches a page', input: large }),
    'm.small': declaration('m.small', { input: {} }),
  };
  const linesFor = (goal: string, contractAllowance: number, given = declarations) =>
    briefOf({ ...request, frame: framed({ declarations: given }), goal, contractAllowance }).capabilities;

  test('are all named, in the order of their names', () => {
    expect(linesFor('', 0).map(({ name }) => name)).toEqual(['a.fetch', 'm.small', 'z.count']);
    expect(linesFor('', 0)[0]).toEqual({ name: 'a.fetch', description: 'fetches a page', effects: ['read'] });
  });

  test('that share words with the goal show their contracts first', () => {
    const shown = linesFor('Count the log lines', 200).filter(({ input }) => input !== undefined);
    expect(shown.map(({ name }) => name)).toEqual(['m.small', 'z.count']);
  });

  test('all show their contracts while the allowance lasts', () => {
    expect(linesFor('', 10_000).every(({ input }) => input !== undefined)).toBe(true);
  });

  test('are shown the same whatever the order of the declarations', () => {
    const turned = Object.fromEntries(Object.entries(declarations).toReversed());
    expect(briefOf({ ...request, frame: framed({ declarations: turned }), contractAllowance: 200 })).toEqual(
      briefOf({ ...request, frame: framed({ declarations }), contractAllowance: 200 }),
    );
  });
});
