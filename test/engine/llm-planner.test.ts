// The planner that asks a model, in a run: it looks results up, asks people, corrects rejected plans, and may declare a goal infeasible.

import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import type { Json } from '../../src/base/json.ts';
import { good } from '../../src/base/result.ts';
import type { Limit } from '../../src/budget/amount.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { AskModel } from '../../src/engine/record/effect.ts';
import { type GateAnswer, World } from '../../src/testing/world.ts';
import { askedOf, calls, inTurn, plans, says, toldIn, trouble } from './models-say.ts';
import { type StepSketch, templateOf, thinker } from './template-of.ts';

interface Setting {
  readonly model: (asked: AskModel) => EffectOutcome | undefined;
  readonly plan?: Partial<StepSketch>;
  readonly person?: () => GateAnswer | undefined;
  readonly limit?: Limit;
  readonly before?: readonly StepSketch[];
}

function given({ model, plan = {}, person, limit, before = [{ name: 'ingest' }] }: Setting): World {
  const template = templateOf({
    steps: [
      ...before,
      {
        name: 'plan',
        after: before.map(({ name }) => name),
        planning: { target: 'end', planner: { kind: 'llm' }, goal: 'Find out.' },
        ...plan,
      },
      {
        name: 'end',
        type: 'deferred',
        after: ['plan'],
        convergence: { policy: 'all_settled', early: false, onExhaustion: 'converge' },
      },
    ],
    models: { default: thinker },
    ...(limit === undefined ? {} : { budget: { limit, landingReserve: 0 } }),
  });
  const value = { rows: Array.from({ length: 300 }, (_, id) => ({ id, text: `row ${id}` })) };
  return new World(template, {
    perform: (work) => {
      if (work.type === 'ask-model') return model(work);
      return work.type === 'ask-planner' ? plans(template, work) : good(value);
    },
    ...(person === undefined ? {} : { review: person }),
  }).begin();
}

const step = (name: string, more: object = {}): Json =>
  JSON.parse(JSON.stringify({ name, capability: 'work', ...more }));
const planOf = (world: World) => present(world.state.steps.get('plan'), 'plan');
const grown = (world: World) => [...world.state.steps.keys()].filter((id) => id.includes('/'));
const spentOf = (world: World) => present(world.state.ledger.accounts.get('run'), 'run').spent;

describe('the planner that asks a model', () => {
  it('gets the goal, the known results and its capabilities, and its fragment is grafted', () => {
    const world = given({ model: () => says({ rationale: 'so', steps: [step('look')] }) }).run();
    expect(grown(world)).toEqual(['plan.1/look']);
    const [asked] = askedOf(world);
    expect(asked).toMatchObject({ purpose: 'plan', request: { answer: { name: 'fragment' } } });
    const told = toldIn(present(asked, 'ask'));
    expect(told).toMatch(
      /^system: You plan.*<data name="capabilities">\nwork\(\.\.\.\).*user: # Goal\nFind out\..*<data name="packet">.*# Bounds\n/s,
    );
    expect(asked?.request).not.toHaveProperty('tools');
    expect(world.events.find(({ type }) => type === 'call.started')).toMatchObject({
      prompt: expect.stringMatching(/^llm-planner@3 [\w-]{12}$/),
    });
  });

  it('sees dollars and tokens to two digits, so that a fraction of a cent does not change the prompt', () => {
    const told = (cost: number, tokens: number) => {
      const limit: Limit = { cost_usd: cost, tokens, llm_calls: 123 };
      const world = given({ model: () => says({ steps: [] }), limit }).run();
      return toldIn(present(askedOf(world)[0], 'ask'));
    };
    const first = told(892_526, 123_456);
    expect(first).toContain('Left of the budget: 120 llm_calls, $0.89, 120000 tokens.');
    expect(first.split('120000')).toHaveLength(2);
    expect(told(890_017, 120_700)).toBe(first);
  });

  it('finds a fragment in the text around it', () => {
    const text = `Here you are:\n\`\`\`json\n${JSON.stringify({ steps: [step('look')] })}\n\`\`\``;
    expect(grown(given({ model: () => says(text) }).run())).toEqual(['plan.1/look']);
  });

  it('corrects a fragment by its issues, which follow it in the conversation', () => {
    const world = given({
      model: inTurn(says({ steps: [step('look', { capability: 'wrok' })] }), says({ steps: [step('look')] })),
    }).run();
    expect(grown(world)).toEqual(['plan.1/look']);
    const [first, second] = askedOf(world).map(({ request }) => request.messages);
    expect(second?.slice(0, 2)).toEqual(first);
    expect(second?.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(second?.[2]?.content).toBe(JSON.stringify({ steps: [step('look', { capability: 'wrok' })] }));
    expect(second?.[3]?.content).toMatch(
      /^Your fragment was rejected:\n- steps\[0\].*did you mean "work".*\n\nYou may use work; agents: default\./s,
    );
    expect(planOf(world).attempt).toBe(2);
  });

  it('ends when the same issues come twice', () => {
    const world = given({ model: () => says({ steps: [step('look', { capability: 'wrok' })] }) }).run();
    expect(askedOf(world)).toHaveLength(2);
    expect(planOf(world)).toMatchObject({ status: 'failed', failure: { code: 'PLAN_INVALID' } });
    expect(planOf(world).failure?.message).toMatch(/proposed the same rejected plan twice/);
  });

  it('looks up more of a result, or a whole contract, at no cost before it plans', () => {
    const world = given({
      model: inTurn(
        says({ look: [{ result: 'ingest#1', path: 'rows.7' }, { result: 'nothing' }, { capability: 'work' }] }),
        says({ steps: [] }),
      ),
    }).run();
    const [first, second] = askedOf(world).map(({ request }) => request.messages);
    expect(second?.slice(0, 2)).toEqual(first);
    expect(second?.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    const shown = second?.[3]?.content ?? '';
    expect(shown).toContain('{"ref":"ingest#1","shown":"included","value":{"id":7,"text":"row 7"}}');
    expect(shown).toMatch(/CONTEXT_REF_UNKNOWN: .*; take a reference from the index/);
    expect(shown).toContain('{"name":"work","description":"Does some work.","effects":["compute"]}');
    expect(shown).toMatch(/\nNow answer with the fragment\.$/);
    expect(spentOf(world)).toMatchObject({ llm_calls: 2, tool_calls: 1 });
    expect(planOf(world)).toMatchObject({ status: 'completed', attempt: 1 });
  });

  it('may look a limited number of times, and is told when to stop', () => {
    const looks = () => says({ look: [{ result: 'ingest#1' }] });
    const world = given({ model: looks, limit: { llm_calls: 50 } }).run();
    const told = askedOf(world).map(toldIn);
    expect(told).toHaveLength(12);
    expect(told.filter((each) => each.includes('You have looked as often as you may.'))).toHaveLength(2);
    expect(planOf(world).failure?.message).toContain('asks to see more and brings no plan');
  });

  it('understands tool calls of models, and of journals of earlier versions', () => {
    const world = given({
      model: inTurn(
        calls(['fetch_context', { ref: 'ingest#1', path: 'rows.7' }], ['google', {}]),
        says({ steps: [step('look')] }),
      ),
    }).run();
    const last = present(askedOf(world)[1], 'second ask').request.messages.slice(2);
    expect(last.map(({ role }) => role)).toEqual(['assistant', 'user']);
    expect(last[0]?.content).toBe('{"look":[{"ref":"ingest#1","path":"rows.7"},{}]}');
    expect(last[1]?.content).toMatch(/"value":\{"id":7.*There are no tools here\. Answer \{"look"/s);
    expect(grown(world)).toEqual(['plan.1/look']);
  });

  it('asks a person once, and continues with the answer', () => {
    const world = given({
      model: inTurn(says({ needs_clarification: { question: 'Which?' } }), says({ steps: [step('look')] })),
      person: () => ({ verdict: 'answer', value: 'the blue one' }),
    }).run();
    expect(grown(world)).toEqual(['plan.1/look']);
    expect(askedOf(world)).toHaveLength(2);
    const [first, second] = askedOf(world).map(({ request }) => request.messages);
    expect(second?.slice(0, 2)).toEqual(first);
    expect(second?.[3]?.content).toBe('The answer: "the blue one"\nNow answer with the fragment.');
  });

  it('is stopped at the limit of questions when it only asks', () => {
    let asked = 0;
    const world = given({
      model: () => says({ needs_clarification: { question: `Which of ${++asked}?` } }),
      person: () => ({ verdict: 'answer', value: 'this' }),
    }).run();
    expect(planOf(world)).toMatchObject({ status: 'failed', failure: { code: 'CLARIFICATIONS_EXCEEDED' } });
    expect(askedOf(world)).toHaveLength(4);
  });

  it('may declare the goal infeasible', () => {
    const world = given({ model: () => says({ impossible: 'no data' }) }).run();
    expect(planOf(world)).toMatchObject({ status: 'failed', failure: { code: 'PLAN_IMPOSSIBLE', message: 'no data' } });
  });

  it('is asked again within one attempt when its answer is no JSON or was cut off', () => {
    const world = given({
      model: inTurn(
        says('I would look around.'),
        says('{"steps": [', { finish: 'length' }),
        says({ steps: [step('look')] }),
      ),
    }).run();
    const [, second, third] = askedOf(world).map(toldIn);
    expect(second).toContain('Your answer holds no JSON value: it begins "I would look around.".');
    expect(third).toContain('cut off at its longest. Answer again, with a smaller plan');
    expect(planOf(world)).toMatchObject({ status: 'completed', attempt: 1 });
  });

  it('is asked twice again for rubbish, which the review then rejects, and fails the second time', () => {
    const world = given({ model: () => says('no plan') }).run();
    expect(askedOf(world)).toHaveLength(6);
    expect(planOf(world)).toMatchObject({ status: 'failed', attempt: 2, failure: { code: 'PLAN_INVALID' } });
  });

  it('says that its plan is too long for its model when each answer is cut off', () => {
    const world = given({ model: () => says('{"steps": [', { finish: 'length' }) }).run();
    expect(askedOf(world)).toHaveLength(3);
    expect(planOf(world)).toMatchObject({ status: 'failed', attempt: 1, failure: { code: 'PLAN_CUT_OFF' } });
  });

  it.each([
    ['refusal', 'MODEL_REFUSED'],
    ['filter', 'MODEL_FILTERED'],
  ] as const)('fails for good when the model answers with a %s', (finish, code) => {
    const world = given({ model: () => says('no', { finish }) }).run();
    expect(askedOf(world)).toHaveLength(1);
    expect(planOf(world)).toMatchObject({ status: 'failed', failure: { code } });
  });

  it('is asked again when its model could not be reached, until its tries are used up', () => {
    const unavailable = (length: number) => Array.from({ length }, () => trouble('MODEL_UNAVAILABLE'));
    const asked = (failures: number) =>
      given({ model: inTurn(...unavailable(failures), says({ steps: [step('look')] })) });
    const world = asked(2).run();
    expect(planOf(world)).toMatchObject({ status: 'completed', attempt: 1 });
    expect(spentOf(world).llm_calls).toBe(3);
    const failed = asked(3).run();
    expect(planOf(failed)).toMatchObject({ status: 'failed', attempt: 1 });
    expect(planOf(failed).failure?.message).toMatch(/MODEL_UNAVAILABLE; 3 tries of the step failed/);
  });
});

describe('a planner that cannot pay for its next call', () => {
  const looksFirst = () => inTurn(says({ look: [{ result: 'ingest#1' }] }), says({ steps: [step('look')] }));

  it('fails with a budget failure, and its target converges', () => {
    const world = given({ model: looksFirst(), limit: { llm_calls: 1 } }).run();
    expect(planOf(world)).toMatchObject({ status: 'failed', failure: { code: 'BUDGET_EXCEEDED' } });
    expect(world.state.ended).toMatchObject({ status: 'completed', partial: true });
    expect(world.state.stop).toMatchObject({ key: 'budget.max_total_llm_calls' });
  });

  it('does not begin when it cannot pay for the first', () => {
    const world = given({ model: looksFirst(), limit: { llm_calls: 0 } }).run();
    expect(planOf(world)).toMatchObject({ status: 'skipped', skipped: 'budget', attempt: 0 });
  });

  it('grafts nothing, so that its phase ends at the target of another phase', () => {
    const first: StepSketch = {
      name: 'first',
      planning: {
        target: 'plan',
        planner: { kind: 'fixed', fragment: { steps: [{ name: 'a', capability: 'work' }] } },
      },
    };
    const world = given({
      model: inTurn(says({ look: [{ result: 'first.1/a#1' }] })),
      limit: { llm_calls: 1 },
      before: [first],
    });
    world.run();
    expect(planOf(world).status).toBe('completed');
    expect(world.state.phases.get('plan')).toMatchObject({ forced: true, steps: [] });
    expect(world.state.ended).toMatchObject({ status: 'completed', partial: true });
  });
});
