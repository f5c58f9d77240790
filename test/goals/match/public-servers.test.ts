// Goals for the tools of public servers, at their words alone: what is accepted without asking is right.
import { describe, expect, it } from 'vitest';
import { readCases, readSet } from '../../../bench/resolution/data.ts';
import { judge, outcomesOf, tallyOf } from '../../../bench/resolution/judge.ts';

const CASES = ['names', 'coercions', 'arguments', 'wirings', 'dependencies'];
const servers = readSet('tuning');
const judged = servers.flatMap((each) => judge(each));
const tally = tallyOf(judged);
const textsOf = (some: typeof judged): readonly string[] =>
  some.map(({ goal, accepted }) => `${goal.text}: ${accepted}`);

describe('the words of goals for public servers', () => {
  it('are judged with at least eight servers and two hundred goals', () => {
    expect(new Set(judged.map(({ server }) => server)).size).toBeGreaterThanOrEqual(8);
    expect(tally.goals).toBeGreaterThanOrEqual(200);
  });

  it('never prove a destructive tool when another is meant', () => {
    expect(textsOf(judged.filter(({ isHarm }) => isHarm))).toEqual([]);
  });

  it('prove a wrong tool for at most one goal in a hundred', () => {
    const wrong = judged.filter(({ accepted, isRight }) => accepted !== undefined && !isRight);
    expect(textsOf(wrong).length).toBeLessThanOrEqual(tally.goals / 100);
  });

  it('prove no tool for goals that nothing serves', () => {
    expect(tally.unserved).toBeGreaterThanOrEqual(50);
    expect(textsOf(judged.filter(({ goal, accepted }) => goal.tools.length === 0 && accepted !== undefined))).toEqual(
      [],
    );
  });

  it('rank a tool that serves among the first eight for six served goals of ten', () => {
    expect(tally.recall[8] / tally.served).toBeGreaterThanOrEqual(0.6);
  });

  it('prove the right tool for two plain goals of five', () => {
    const plain = tallyOf(judged.filter(({ goal }) => goal.kind === 'plain'));
    expect(plain.right / plain.served).toBeGreaterThanOrEqual(0.4);
  });
});

describe('a planner without a model', () => {
  const outcomes = servers.flatMap(outcomesOf);

  it('calls no wrong tool of a public server', () => {
    expect(outcomes.filter(([, outcome]) => outcome === 'called wrongly').map(([{ text }]) => text)).toEqual([]);
  });

  it('calls the right tool at once for a quarter of the served goals', () => {
    const called = outcomes.filter(([, outcome]) => outcome === 'called rightly');
    expect(called.length / tally.served).toBeGreaterThanOrEqual(0.25);
  });
});

describe('the held-out goals', () => {
  const held = readSet('held-out');

  it('are for at least eight servers that no rule was tuned on', () => {
    const tuned = new Set(servers.map(({ server }) => server));
    expect(held.length).toBeGreaterThanOrEqual(8);
    expect(held.filter(({ server }) => tuned.has(server))).toEqual([]);
  });

  it('come with cases for arguments, values, feeds and goals of several orders', () => {
    const counts = CASES.map((kind) => [kind, readCases(kind).length]);
    expect(Object.fromEntries(counts)).toEqual({
      names: 20,
      coercions: 16,
      arguments: 20,
      wirings: 8,
      dependencies: 18,
    });
  });
});
