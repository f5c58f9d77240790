// Floors of the match on fourteen catalogues, with goals as people word them: nothing wrong is certain, and the right tool is near.
import { describe, expect, it } from 'vitest';
import { matchGoal } from '../../../src/goals/match/match.ts';
import { catalogue, domains } from './catalogue.ts';

const NEAR = 8;

const judged = domains.flatMap((domain) => {
  const { declarations, goals, aside } = catalogue(domain);
  return Object.entries({ ...goals, ...aside }).map(([goal, right]) => {
    const { certain, candidates } = matchGoal(goal, declarations);
    const place = candidates.findIndex(({ name }) => name === right);
    return { domain, goal, right, certain: certain?.name, isNear: place >= 0 && place < NEAR };
  });
});
const served = judged.filter(({ right }) => right !== null);
const unserved = judged.filter(({ right }) => right === null);

describe('goals for fourteen catalogues', () => {
  it('are 1,157 that a tool serves and 176 that none does', () => {
    expect([served.length, unserved.length]).toEqual([1157, 176]);
  });

  it('are never certain of a wrong tool', () => {
    expect(judged.filter(({ right, certain }) => certain !== undefined && certain !== right)).toEqual([]);
  });

  it('find the right tool among the nearest eight for 94 of 100, and prove it for 26', () => {
    expect(served.filter(({ isNear }) => isNear).length / served.length).toBeGreaterThanOrEqual(0.94);
    expect(served.filter(({ right, certain }) => certain === right).length / served.length).toBeGreaterThanOrEqual(
      0.26,
    );
  });
});
