// How many goals are resolved as people meant them, and that none is resolved to something that destroys what nobody meant.
import { describe, expect, it } from 'vitest';
import { rankCapabilities } from '../../../src/planning/resolve/rank.ts';
import { catalogue, domains, type Goals } from '../match/catalogue.ts';

interface Shares {
  readonly accepted: number;
  readonly first: number;
  readonly rejected: number;
  readonly wrong: readonly string[];
}

const DESTROYS = /delete|remove|drop|erase|trash|cancel|kick|drain|archive|expire|detach|unfollow|unpublish/i;

function sharesOf(part: 'goals' | 'aside', among: readonly string[]): Shares {
  const results = among.flatMap((domain) => {
    const { declarations, [part]: goals } = catalogue(domain);
    return Object.entries(goals satisfies Goals).map(([goal, wanted]) => {
      const { verdict, candidates } = rankCapabilities(goal, declarations);
      const [first, second] = candidates;
      const isFirst = first?.name === wanted && verdict !== 'rejected' && first.score > (second?.score ?? 0);
      return { goal, wanted, verdict, first: first?.name ?? '', isFirst };
    });
  });
  const served = results.filter(({ wanted }) => wanted !== null);
  const unserved = results.filter(({ wanted }) => wanted === null);
  const share = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);
  return {
    accepted: share(served.filter((each) => each.verdict === 'accepted' && each.isFirst).length, served.length),
    first: share(served.filter(({ isFirst }) => isFirst).length, served.length),
    rejected: share(unserved.filter(({ verdict }) => verdict === 'rejected').length, unserved.length),
    wrong: results
      .filter((each) => each.verdict === 'accepted' && each.first !== each.wanted && DESTROYS.test(each.first))
      .map(({ goal, first }) => `${goal}: ${first}`),
  };
}

describe('the share of goals that are resolved right', () => {
  it('is high where the scorer was made', () => {
    const { accepted, first } = sharesOf('goals', domains);
    expect(accepted).toBeGreaterThan(0.95);
    expect(first).toBeGreaterThan(0.96);
  });

  it('is nine of ten on what was put aside', () => {
    const { accepted, first } = sharesOf('aside', domains);
    expect(accepted).toBeGreaterThan(0.9);
    expect(first).toBeGreaterThan(0.92);
  });

  it('is nine of ten at least on each host of repositories', () => {
    for (const domain of ['github', 'hosting', 'forge', 'codehost', 'pulls']) {
      const { first } = sharesOf('goals', [domain]);
      expect(first, domain).toBeGreaterThan(0.93);
    }
  });
});

describe('a goal that no tool serves', () => {
  it('is rejected', () => {
    expect(sharesOf('goals', domains).rejected).toBe(1);
    expect(sharesOf('aside', domains).rejected).toBe(1);
  });
});

describe('what destroys', () => {
  it('is never chosen for a goal that meant another', () => {
    expect(sharesOf('goals', domains).wrong).toEqual([]);
    expect(sharesOf('aside', domains).wrong).toEqual([]);
  });
});
