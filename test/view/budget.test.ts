// Views of budgets: one line, a tree of accounts, and the bound of a template.
import { describe, expect, it } from 'vitest';
import type { Event } from '../../src/engine/record/event.schema.ts';
import { boundTable } from '../../src/view/budget/bound-table.ts';
import { budgetLine } from '../../src/view/budget/budget-line.ts';
import { budgetText, budgetTree } from '../../src/view/budget/budget-tree.ts';
import { landingCoverText } from '../../src/view/budget/landing-cover-text.ts';
import { templateOf } from '../engine/template-of.ts';
import { asked, began, completed, frame, grafted, map, outOfMoney, ragged, tell, textOf } from './story.ts';

describe('the budget line', () => {
  it('shows the spent part of each limit', () => {
    expect(budgetLine(ragged().state)).toBe('5 of 100 steps, 1 of 5 phases, $0.00 of $5.00');
  });

  it('uses the singular for one', () => {
    const template = templateOf({ steps: [{ name: 'only' }], budget: { limit: { steps: 1, phases: 1 } } });
    expect(budgetLine(tell(template, []).state)).toBe('1 of 1 step, 0 of 1 phase, $0.00');
  });

  it('leaves out limits that are not set', () => {
    const template = templateOf({ steps: [{ name: 'only' }], budget: { limit: {} } });
    expect(budgetLine(tell(template, []).state)).toBe('1 step, 0 phases, $0.00');
  });
});

describe('the tree of accounts', () => {
  it('lists limited and used resources with their remainders', () => {
    const { state, history } = ragged();
    const { run } = budgetTree(state, history);
    expect(run.rows.find(({ resource }) => resource === 'steps')).toEqual({
      resource: 'steps',
      limit: 100,
      spent: 5,
      reserved: 0,
      remaining: 95,
      landing: 0,
    });
    expect(run.rows.find(({ resource }) => resource === 'tool_calls')).toMatchObject({ spent: 3 });
    expect(run.rows.some(({ resource }) => resource === 'tokens_in')).toBe(false);
  });

  it('shows the reservation of a running attempt', () => {
    const { state, history } = tell(frame, [began('ingest', { reserved: { tool_calls: 1 } })]);
    const row = budgetTree(state, history).run.rows.find(({ resource }) => resource === 'tool_calls');
    expect(row).toMatchObject({ spent: 0, reserved: 1 });
  });

  it('shows a raised time limit', () => {
    const raised: Event = { type: 'budget.raised', account: 'run', limit: {}, wallClock: 7_200_000, by: 'bob' };
    const { state, history } = tell(frame, [raised]);
    expect(budgetTree(state, history).run.rows.find(({ resource }) => resource === 'time')?.limit).toBe(7_200_000);
  });

  it('shows the clock of each account with a time limit, and the account that limits the remainder', () => {
    const own = { budget: { limit: {}, wallClock: 60_000 } };
    const steps = frame.steps.map((step) => (step.name === 'plan' ? { ...step, ...own } : step));
    const { state, history } = tell({ ...frame, steps, budget: { ...frame.budget, wallClock: 50_000 } }, [
      began('ingest'),
      completed('ingest'),
      began('plan'),
      { type: 'budget.raised', account: 'plan', limit: {}, wallClock: 90_000, by: 'bob' },
      { type: 'plan.proposed', step: 'plan', attempt: 1, reply: { value: null } },
    ]);
    const time = budgetTree(state, history).run.accounts[0]?.rows.find(({ resource }) => resource === 'time');
    expect(time).toMatchObject({ limit: 90_000, before: 60_000, reserved: 0, within: 'run', landing: 0 });
    expect(time?.spent).toBeGreaterThan(0);
    expect(time?.remaining).toBeLessThan(50_000);
  });

  it("counts the use of a fan-out's items to the phase of the fan-out", () => {
    const { state, history } = tell(frame, [
      began('ingest'),
      completed('ingest'),
      began('plan'),
      grafted('plan', 'report', [map]),
      completed('plan'),
      { type: 'fan_out.expanded', step: 'plan.1/map', items: [{ value: 1 }, { value: 2 }] },
      began('plan.1/map/0'),
      completed('plan.1/map/0', null, { bill: { tool_calls: 2 } }),
    ]);
    expect(budgetTree(state, history).phases[0]?.spent).toEqual({ tool_calls: 2 });
  });

  it('does not count an attempt as failed whose plan is under review', () => {
    const { state, history } = tell(frame, [began('ingest'), asked('ingest', 'approval', { bill: { tool_calls: 2 } })]);
    expect(budgetTree(state, history).failed).toEqual({});
  });

  it('keeps failed attempts and assumed charges apart', () => {
    const lost: Event = { type: 'attempt.lost', step: 'ingest', attempt: 1, assumed: { tool_calls: 1 } };
    const failed: Event = {
      type: 'attempt.failed',
      step: 'ingest',
      attempt: 1,
      failure: { code: 'FILE_MISSING', message: 'gone', retry: 'may' },
      bill: { tool_calls: 2 },
      retryAt: 0,
    };
    const { state, history } = tell(frame, [
      began('ingest', { reserved: { tool_calls: 1 } }),
      lost,
      began('ingest', { delivery: 2 }),
      failed,
      began('ingest', { attempt: 2 }),
      completed('ingest', null, { bill: { tool_calls: 4 } }),
    ]);
    const tree = budgetTree(state, history);
    expect(tree.assumed).toEqual({ tool_calls: 1 });
    expect(tree.failed).toEqual({ tool_calls: 2 });
    expect(tree.run.rows.find(({ resource }) => resource === 'tool_calls')?.spent).toBe(7);
  });

  it('splits the spending by phase', () => {
    const { state, history } = ragged();
    expect(budgetTree(state, history).phases).toEqual([{ planner: 'plan', steps: 2, spent: { tool_calls: 2 } }]);
  });

  it('nests the account of a step with its own budget', () => {
    const template = templateOf({
      steps: [
        { name: 'plan', planning: { target: 'report' }, budget: { limit: { steps: 10 } } },
        { name: 'report', type: 'deferred', after: ['plan'] },
      ],
    });
    const { state, history } = tell(template, []);
    const tree = budgetTree(state, history);
    expect(tree.run.accounts.map(({ account }) => account)).toEqual(['plan']);
    expect(textOf(budgetText(tree))).toContain('  plan');
  });

  it('shows raised limits, and no larger remainder for a part than for the whole', () => {
    const template = templateOf({
      steps: [
        { name: 'plan', planning: { target: 'report' }, budget: { limit: { steps: 10 } } },
        { name: 'report', type: 'deferred', after: ['plan'] },
      ],
      budget: { limit: { steps: 12 } },
    });
    const { state, history } = tell(template, [
      { type: 'budget.raised', account: 'plan', limit: { steps: 50 }, by: 'ada' },
      { type: 'budget.raised', account: 'run', limit: {}, wallClock: 3_600_000, by: 'ada' },
    ]);
    const { run } = budgetTree(state, history);
    expect(run.accounts[0]?.rows).toMatchObject([{ limit: 50, before: 10, remaining: 10, within: 'run' }]);
    expect(run.rows.find(({ resource }) => resource === 'time')).toMatchObject({ limit: 3_600_000, before: 1_800_000 });
    const text = textOf(budgetText(budgetTree(state, history)));
    expect(text).toMatch(/plan +steps +50 \(was 10\) +0 +0 +10 \(run\)/);
  });

  it('names the gate that asks about a reached limit', () => {
    const exhaustion = {
      account: 'run',
      resource: 'steps',
      limit: 5,
      spent: 5,
      reserved: 0,
      landing: 0,
      key: 'budget.max_total_steps',
    } as const;
    const { state, history } = tell(frame, [
      {
        type: 'gate.opened',
        gate: 'g1',
        step: 'ingest',
        kind: 'exhaustion',
        prompt: 'what now?',
        decision: {},
        exhaustion,
      },
    ]);
    expect(budgetTree(state, history).run).toMatchObject({ asked: 'g1' });
    expect(textOf(budgetText(budgetTree(state, history)))).toContain(
      'asked about in g1: budget.max_total_steps: 5 of 5 steps used',
    );
  });

  it('names the reached limit', () => {
    const { state, history } = tell(frame, [{ type: 'budget.exhausted', ...outOfMoney }]);
    expect(textOf(budgetText(budgetTree(state, history)))).toContain(
      'exhausted: budget.max_cost_budget: $4.9312 of $5.00 used, $0.07 reserved (landing reserve $0.50 untouched)',
    );
  });
});

describe('the table of bounds', () => {
  it('names the limit of each resource, and marks unlimited resources', () => {
    const text = textOf(
      boundTable([
        { resource: 'steps', ifNothingFails: { least: 3, most: 57 }, bound: 100, binds: 'budget.max_total_steps' },
        {
          resource: 'time',
          ifNothingFails: { least: 0, most: 1_800_000 },
          bound: 1_800_000,
          binds: 'budget.max_wall_clock_time',
        },
        { resource: 'cost_usd', ifNothingFails: { least: 20_000, most: 20_000 }, bound: 60_000, binds: 'the template' },
        { resource: 'tokens', ifNothingFails: { least: 0 }, bound: undefined, binds: 'nothing' },
        {
          resource: 'tool_calls',
          ifNothingFails: { least: 2 },
          bound: undefined,
          binds: 'the template',
          note: 'no limit',
        },
      ]),
    );
    expect(text).toMatch(/steps +3 to 57 +100 +budget\.max_total_steps/);
    expect(text).toMatch(/time +up to 30m +30m/);
    expect(text).toMatch(/cost_usd +\$0\.02 +\$0\.06/);
    expect(text).toMatch(/tokens +not known +unbounded/);
    expect(text).toMatch(/tool_calls +2 or more +unbounded +the template +no limit/);
  });
});

describe('the reserve for the landing set', () => {
  const cover = { steps: ['end', 'tell'], reserve: 10, uncovered: [] };

  it('is not mentioned if it is sufficient', () => {
    expect(landingCoverText(cover)).toEqual([]);
  });

  it('is shown for each limit where it may be too small, with a sufficient reserve', () => {
    const uncovered = [
      { resource: 'tool_calls', limit: 20, kept: 2, needs: 6, reserve: 26 },
      { resource: 'cost_usd', limit: 1_000_000, kept: 100_000, needs: 1_200_000 },
    ] as const;
    expect(textOf(landingCoverText({ ...cover, uncovered })).split('\n')).toEqual([
      'landing_reserve (10%) may not be enough for what runs after all planning: end, tell',
      '  tool_calls: 2 of 20 kept, and 6 may be needed: landing_reserve: 26% would keep as much',
      '  cost_usd: $0.10 of $1.00 kept, and $1.20 may be needed: the limit itself is less',
    ]);
  });
});
