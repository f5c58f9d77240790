// Dollars and seconds: templates, planners, rules and gates see decimals, and the ledger keeps integers.

import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { good } from '../../src/base/result.ts';
import { defaultRunBudget } from '../../src/budget/limits.ts';
import { valueIn } from '../../src/engine/record/stored-value.ts';
import { reportOf } from '../../src/runtime/drive/report-of.ts';
import type { PlanningSpec } from '../../src/template/step-spec.ts';
import { World } from '../../src/testing/world.ts';
import { templateOf, work } from './template-of.ts';

const DIME = 100_000;
const capabilities = [{ ...work, cost: { micro_dollars: DIME } }];

function worldOf(review: PlanningSpec['review']): World {
  const template = templateOf({
    steps: [
      { name: 'a' },
      { name: 'b', after: ['a'] },
      { name: 'c', after: ['b'] },
      { name: 'plan', planning: { target: 'end', ...(review === undefined ? {} : { review }) }, after: ['c'] },
      {
        name: 'end',
        type: 'deferred',
        capability: 'work',
        after: ['plan'],
        input: ['{{ run.spent.cost_usd }}', '{{ run.budget.cost_usd }}', '{{ run.budget.time }}', '{{ run.elapsed }}'],
      },
    ],
    capabilities,
    budget: { limit: { ...defaultRunBudget.limit, cost_usd: 2_500_000 }, wallClock: 90_000, landingReserve: 0 },
  });
  const plan: Json = { rationale: 'one more', steps: [{ name: 'd', capability: 'work' }] };
  return new World(template, {
    perform: ({ type }) => good(type === 'ask-planner' ? plan : { ok: true }),
  })
    .begin()
    .run();
}

describe('money and time in a run', () => {
  it('are dollars and seconds in `{{ run }}`, without binary noise after three dimes', () => {
    const world = worldOf(undefined);
    const landed = world.performed.findLast(({ type }) => type === 'call-capability');
    expect(landed).toMatchObject({ step: 'end', input: [0.4, 2.5, 90, expect.any(Number)] });
    const [, , , elapsed] = (landed as { readonly input: readonly number[] }).input;
    expect(elapsed).toBeLessThan(90);
    expect(world.state.ledger.accounts.get('run')?.spent.cost_usd).toBe(5 * DIME);
  });

  it('are dollars and seconds in the brief and the packet of a planner', () => {
    const [asked] = worldOf(undefined).performed.flatMap((each) => (each.type === 'ask-planner' ? [each.brief] : []));
    expect(asked?.budget).toMatchObject({ cost_usd: 2.2, steps: 95 });
    expect(asked?.budget.time).toBeLessThanOrEqual(90);
    expect(asked?.packet).toMatchObject({ budget: { remaining: { cost_usd: 2.2 } } });
  });

  it('are dollars and seconds at the gate of a plan, and in the rule that opens it', () => {
    const when = { $lisp: '(and (= 0.1 (get-in data/plan [:estimate :cost_usd])) (<= (:time data/budget) 90))' };
    const gate = worldOf({ when }).state.gates.get('g1');
    expect(gate?.kind).toBe('plan_review');
    const shown = gate?.context && valueIn(gate.context, new Map());
    expect(shown).toMatchObject({ estimate: { cost_usd: 0.1 }, budget: { cost_usd: 2.2 } });
  });

  it('are dollars and seconds in the report of the run', () => {
    const report = reportOf(worldOf(undefined).state, 'ended', () => undefined);
    expect(report.spent).toMatchObject({ cost_usd: 0.5, tool_calls: 5 });
    expect(report.elapsed).toBeLessThan(90);
  });
});
