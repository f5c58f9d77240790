// A brief holds the facts that a planner needs.
import { describe, expect, test } from 'vitest';
import { issue } from '../../src/base/issue.ts';
import type { Declaration } from '../../src/contract/declaration.ts';
import { shownLines } from '../../src/goals/capability-lines.ts';
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
  const shown = (goal: string, allowance: number, lines = linesOf()) => shownLines(lines, goal, allowance);
  const whole = (lines: ReturnType<typeof shown>) =>
    lines.filter(({ input }) => input !== undefined).map(({ name }) => name);

  test('have all their contracts and are sorted by name', () => {
    expect(linesOf().map(({ name, input }) => [name, input !== undefined])).toEqual([
      ['a.fetch', true],
      ['m.small', true],
      ['z.count', true],
    ]);
    expect(linesOf(Object.fromEntries(Object.entries(declarations).toReversed()))).toEqual(linesOf());
  });

  test('come first in a prompt when they share words with the goal', () => {
    expect(whole(shown('Count the log lines', 200))).toEqual(['m.small', 'z.count']);
    expect(whole(shown('Fetch a page', 200))).toEqual(['a.fetch', 'm.small']);
  });

  test('come before unrelated capabilities when they serve a later part of the goal', () => {
    const many = Array.from({ length: 30 }, (_, at) => declaration(`b.note_${at}`, { input: large }));
    const all = { ...declarations, ...Object.fromEntries(many.map((each) => [each.name, each])) };
    expect(whole(shown('Read note after note, and count the lines', 400, linesOf(all)))).toContain('z.count');
  });

  test('have a signature when their contract does not fit the allowance', () => {
    const input = {
      type: 'object',
      required: ['path'],
      properties: { path: { type: 'string' }, limit: { type: 'integer' } },
    };
    const [line] = shown('', 0, linesOf({ 'a.read': declaration('a.read', { input }) }));
    expect(line).toMatchObject({ name: 'a.read', signature: '(path, limit?: int)' });
    expect(line).not.toHaveProperty('input');
  });

  test('have their contracts while the allowance lasts', () => {
    expect(whole(shown('', 10_000))).toHaveLength(3);
  });
});
