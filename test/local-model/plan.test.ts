// A small real model plans under a grammar. The tests are about requests, tokens and ends, not about good plans.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { type PlanningTask, tasks } from '../../bench/models/tasks.ts';
import { type PlanTrial, tryPlan } from '../../bench/models/trial.ts';
import { root } from '../sources.ts';
import { expectOrderlyEnd, runLocally } from './run-locally.ts';
import { finishOf, schemaIn, tapped, textIn, tokensOf, type WireExchange } from './tapped.ts';

/** One in five tries or more ends with a completed run; see bench/models.md. */
const MOST_TRIES = 15;

function taskNamed(name: string): PlanningTask {
  const task = tasks.find((each) => each.name === name);
  return task ?? expect.fail(`there is no task "${name}"`);
}

const isPlanning = (exchange: WireExchange): boolean => schemaIn(exchange)?.$defs !== undefined;

describe('a plan of the local model', () => {
  it('is asked for with the granted names in the grammar, and every whole reply keeps to the grammar', async () => {
    await using model = await tapped();
    const tried = await tryPlan(taskNamed('prices'), { ...model, seed: 1 }, root);
    if (!tried.ok) return expect.fail(tried.error);
    const asked = model.exchanges.filter(isPlanning);
    expect(asked.length).toBe(tried.value.planCalls);
    for (const exchange of asked) {
      const schema = schemaIn(exchange) ?? {};
      expect(exchange.request).not.toHaveProperty('tools');
      expect(schema.$defs).toHaveProperty('capability.enum', ['prices.fetch', 'prices.history']);
      if (finishOf(exchange) !== 'stop') continue;
      const check = new Ajv2020({ strict: false }).compile(schema);
      expect(check(JSON.parse(textIn(exchange))), textIn(exchange)).toBe(true);
    }
    const { input, output } = tokensOf(model.exchanges);
    expect(tried.value).toMatchObject({ tokensIn: input, tokensOut: output });
  });

  it('is grafted and run to the end in some try', async ({ skip }) => {
    await using model = await tapped();
    const trials: PlanTrial[] = [];
    for (let seed = 1; seed <= MOST_TRIES; seed++) {
      const tried = await tryPlan(taskNamed('prices'), { ...model, seed }, root);
      if (!tried.ok) return expect.fail(tried.error);
      trials.push(tried.value);
      if (tried.value.status === 'completed' && tried.value.plannedSteps >= 2) break;
    }
    const last = trials.at(-1);
    if (last?.status !== 'completed') return skip(`no run of ${MOST_TRIES} with a plan of two steps was completed`);
    console.log(`try ${last.seed} was completed: ${last.plannedSteps} planned steps, plan valid ${last.plan}`);
    const types = last.record.events.map(({ event }) => event.type);
    const order = ['plan.requested', 'plan.proposed', 'fragment.grafted', 'run.ended'] as const;
    const places = order.map((type) => types.lastIndexOf(type));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    const planned = last.record.events.flatMap(({ event }) =>
      event.type === 'step.completed' && event.step.startsWith('plan.') ? [event.step] : [],
    );
    expect(planned).toHaveLength(last.plannedSteps);
  });

  it('that is cut off each time is asked for three times and never repaired', async () => {
    await using model = await tapped();
    const steps = [
      {
        name: 'plan',
        type: 'planning',
        planner: { kind: 'llm' },
        goal: 'Fetch prices.',
        allow: ['prices.*'],
        convergence_target: 'finish',
      },
      {
        name: 'finish',
        type: 'deferred',
        dependencies: ['plan'],
        handler: 'data.transform',
        input: { data: null, expr: '1' },
      },
    ];
    const profile = { max_output_tokens: 8, min_output_tokens: 8 };
    const run = await runLocally(model, { steps }, { profile });
    expect(model.exchanges.map(finishOf)).toEqual(['length', 'length', 'length']);
    expect(run.report.failed.map(({ code }) => code)).toEqual(['PLAN_CUT_OFF', 'CONVERGENCE_UNMET']);
    expect(JSON.stringify(model.exchanges[1]?.request.messages)).toContain('Your answer was cut off');
    expectOrderlyEnd(run, tokensOf(model.exchanges));
  });
});
