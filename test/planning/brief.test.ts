// A brief holds the facts that a planner needs.
import { describe, expect, test } from 'vitest';
import { issue } from '../../src/base/issue.ts';
import type { Declaration } from '../../src/contract/declaration.ts';
import { type BriefRequest, briefOf } from '../../src/planning/brief.ts';
import { declaration, frame, framed } from './given-frame.ts';

const request: BriefRequest = { frame, attempt: 1, input: { folder: 'data' }, packet: { phase: 1 }, constraints: [] };

test('a brief gives the bounds, the remaining budget and the convergence target', () => {
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

test('a brief is plain JSON', () => {
  const brief = briefOf({ ...request, feedback: [issue('GRAFT_CYCLE', 'a waits for a')] });
  expect(JSON.parse(JSON.stringify(brief))).toEqual(brief);
});

test('a brief in converge mode allows no nested planning', () => {
  expect(briefOf({ ...request, frame: framed({ converge: true }) })).toMatchObject({
    converge: true,
    bounds: { max_planning_depth: 0 },
  });
});

test('a brief has feedback only after a refused plan', () => {
  expect(briefOf({ ...request, feedback: [] })).not.toHaveProperty('feedback');
  const wrong = [issue('GRAFT_CYCLE', 'a waits for a')];
  expect(briefOf({ ...request, attempt: 2, feedback: wrong }).feedback).toEqual(wrong);
});

describe('the capabilities of a brief', () => {
  const large = { type: 'object', description: 'x'.repeat(100) };
  const declarations = {
    'z.count': declaration('z.count', { description: 'counts the lines of a log', input: large }),
    'a.fetch': declaration('a.fetch', { description: 'fetches a page', input: large }),
    'm.small': declaration('m.small', { input: {} }),
  };
  const linesOf = (given: Readonly<Record<string, Declaration>> = declarations) =>
    briefOf({ ...request, frame: framed({ declarations: given }) }).capabilities;

  test('have all their contracts and are sorted by name', () => {
    expect(linesOf().map(({ name, input }) => [name, input !== undefined])).toEqual([
      ['a.fetch', true],
      ['m.small', true],
      ['z.count', true],
    ]);
    expect(linesOf(Object.fromEntries(Object.entries(declarations).toReversed()))).toEqual(linesOf());
  });
});

describe('the conversation of a planning step', () => {
  const wrong = [issue('GRAFT_CYCLE', 'a waits for a')];
  const first = briefOf({ ...request, frame: framed({ available: { steps: 7 } }) });
  const second = briefOf({
    ...request,
    attempt: 2,
    packet: { phase: 2 },
    feedback: wrong,
    rejected: 'a',
    previous: first,
  });

  test('keeps what the first attempt was shown, and every rejected fragment', () => {
    expect(first).not.toHaveProperty('earlier');
    expect(second.earlier).toEqual({
      first: { packet: { phase: 1 }, budget: { steps: 7 }, converge: false },
      rejections: [{ fragment: 'a', issues: wrong }],
    });
    const third = briefOf({ ...request, attempt: 3, feedback: [], previous: second });
    expect(third).not.toHaveProperty('earlier');
    const other = [issue('GRAFT_CYCLE', 'b waits for b')];
    const again = briefOf({ ...request, attempt: 3, feedback: other, rejected: 'b', previous: second });
    expect(again.earlier?.first).toEqual(second.earlier?.first);
    expect(again.earlier?.rejections.map(({ fragment }) => fragment)).toEqual(['a', 'b']);
  });

  test('does not grow while an attempt is resumed, or tried again after its model failed', () => {
    const resumed = briefOf({ ...request, attempt: 2, feedback: wrong, rejected: 'a', previous: second });
    const retried = briefOf({ ...request, attempt: 3, feedback: wrong, rejected: 'a', previous: second });
    expect(resumed.earlier).toEqual(second.earlier);
    expect(retried.earlier).toEqual(second.earlier);
  });
});
