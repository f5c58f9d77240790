// The failures of a run as links, and its meters.
import { describe, expect, it } from 'vitest';
import { failureGroups } from '../../../src/view/head/failure-groups.ts';
import { type BudgetRow, isNearlySpent, metersOf, shortAmount } from '../../../src/view/head/meters.ts';
import type { RootCause } from '../../../src/view/summary.ts';

const cause = (step: string, message: string, outcome?: 'repaired' | 'failed', code = 'WEB_DOWN'): RootCause => ({
  step,
  code,
  message,
  behind: 0,
  ...(outcome === undefined ? {} : { takenUp: { by: 'plan~2', outcome } }),
});
const groupsOf = (failed: readonly RootCause[]) =>
  failureGroups({ failed, tolerated: [] }).map(({ link, note, steps }) => ({ link, note, count: steps.length }));

describe('the failures of a run', () => {
  it('are links to steps with their causes, while there are few', () => {
    expect(
      groupsOf([
        cause('plan.1/map', 'the warehouse answered 503: try later'),
        cause('check', 'too few rows', 'repaired'),
      ]),
    ).toEqual([
      { link: 'map', note: '… answered 503', count: 1 },
      { link: 'check', note: 'too few rows, ⟲ repaired', count: 1 },
    ]);
  });

  it('are grouped by their cause from five on, the unrepaired and the many first', () => {
    const sources = [1, 2, 3].map((number) => cause(`p${number}/dedupe`, `source ${number} answered 503`));
    const rows = [1, 2].map((number) => cause(`p${number}/check`, 'too few rows', 'repaired', 'VERIFICATION_FAILED'));
    const lost = cause('p1/check', 'too few rows', 'failed', 'VERIFICATION_FAILED');
    expect(groupsOf([...rows, lost, ...sources])).toEqual([
      { link: '3 × … answered 503', note: 'dedupe', count: 3 },
      { link: 'check', note: 'too few rows, ⟲ not repaired', count: 1 },
      { link: '2 × too few rows, ⟲ repaired', note: 'check', count: 2 },
    ]);
  });

  it('share the beginning of their message if their end differs, and else their code', () => {
    const late = ['a', 'b', 'c'].map((name) => cause(name, `no answer from ${name}`));
    const odd = ['x y', 'v w'].map((text, index) => cause(`s${index}`, `${index} ${text} problems`, undefined, 'ODD'));
    expect(groupsOf([...late, ...odd]).map(({ link }) => link)).toEqual(['3 × no answer from …', '2 × … problems']);
  });
});

describe('the meters', () => {
  const row = (resource: BudgetRow['resource'], spent: number, limit?: number, landing = 0): BudgetRow => ({
    resource,
    spent,
    reserved: 0,
    landing,
    ...(limit === undefined ? {} : { limit }),
  });

  it('show limits before amounts without a limit, seven at most, in one order', () => {
    const rows = [
      ...(['phases', 'steps', 'llm_calls', 'tokens_in', 'cost_usd', 'tool_calls', 'replans'] as const).map((resource) =>
        row(resource, 1, resource === 'tokens_in' || resource === 'cost_usd' ? undefined : 10),
      ),
      row('tokens', 10, 100),
      row('time', 10, 100),
    ];
    expect(metersOf(rows).map(({ resource }) => resource)).toEqual([
      'time',
      'steps',
      'phases',
      'llm_calls',
      'tool_calls',
      'replans',
      'tokens',
    ]);
  });

  it('warn from nine tenths of what may be spent before landing', () => {
    expect(isNearlySpent(row('cost_usd', 80, 100, 10))).toBe(false);
    expect(isNearlySpent(row('cost_usd', 81, 100, 10))).toBe(true);
    expect(isNearlySpent(row('cost_usd', 81))).toBe(false);
  });

  it('print money in cents, and two digits below a cent', () => {
    expect([23_105, 4_012, 40, 0, 2_310_000].map((amount) => shortAmount('cost_usd', amount))).toEqual([
      '$0.02',
      '$0.0040',
      '$0.000040',
      '$0.00',
      '$2.31',
    ]);
    expect(shortAmount('steps', 2906)).toBe('2,906');
  });
});
