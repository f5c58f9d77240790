// Plans without a template: their reports, refusals before anything starts, and given results.
import { afterEach, describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { defineCapability } from '../../src/capabilities/capability.ts';
import { scriptedModel } from '../../src/llm/scripted-model.ts';
import type { Engine, PlanOptions } from '../../src/runtime/api/engine.ts';
import { type PlanOutcome, planOutcome } from '../../src/runtime/api/plan-outcome.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { executePlan } from '../../src/runtime/mission/execute-plan.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';

const engines: Engine[] = [];

afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

const calls: string[] = [];

const count = defineCapability({
  name: 'words.count',
  description: 'Counts the words of a text.',
  effects: ['compute'],
  input: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
  output: { type: 'object', required: ['words'], properties: { words: { type: 'integer' } } },
  run: (input) => {
    const { text } = input as { text: string };
    calls.push(text);
    return { words: text.split(' ').length };
  },
});

function engineOf(): Engine {
  calls.length = 0;
  const engine = createEngine({ journal: openMemoryJournal(), capabilities: [count] });
  engines.push(engine);
  return engine;
}

async function outcomeOf(plan: Json, options: PlanOptions = {}, engine = engineOf()): Promise<PlanOutcome> {
  const outcome = await executePlan(engine, plan, options);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
  return outcome.value;
}

async function refusalOf(plan: Json, options: PlanOptions = {}): Promise<readonly string[]> {
  const engine = engineOf();
  const outcome = await executePlan(engine, plan, options);
  expect(engine.runs()).toEqual([]);
  return outcome.ok ? [] : outcome.error.map(({ code, path }) => `${code} ${path.join('.')}`);
}

const first = { id: 'first', tool: 'words.count', input: { text: 'one two' } };
const second = {
  id: 'second',
  tool: 'words.count',
  input: { text: '{{ results.first.words }} words' },
  verification: '(pos? (get data/result "words"))',
};

describe('a plan', () => {
  it('runs to its end, and reports the results of its steps and the cost', async () => {
    expect(await outcomeOf({ tasks: [first, second] }, { mission: 'Count the words' })).toMatchObject({
      status: 'completed',
      results: { first: { words: 2 }, second: { words: 2 } },
      replanCount: 0,
      executionAttempts: 1,
      replanHistory: [],
      spend: { tool_calls: 2 },
    });
  });

  it('stops at its first failure, and reports the reason', async () => {
    const failing = { ...second, verification: '(if (> (:words data/result) 9) true "too few words")' };
    const last = { id: 'last', tool: 'words.count', input: { text: 'later' }, after: ['second'] };
    const outcome = await outcomeOf({ tasks: [first, failing, last] });
    expect(outcome).toMatchObject({
      status: 'failed',
      results: { first: { words: 2 } },
      ...{ replanCount: 0, executionAttempts: 1, replanHistory: [], duration: expect.any(Number) },
      spend: { tool_calls: 2 },
    });
    expect(outcome.status === 'failed' && outcome.reason.message).toContain('too few words');
    expect(calls).toEqual(['one two', '2 words']);
  });

  it('waits for a person with the results so far, and continues after the answer', async () => {
    const engine = engineOf();
    const asking = { id: 'verify', type: 'human_review', input: 'Are {{ results.first.words }} right?' };
    const plan = { tasks: [first, asking, { ...second, after: ['verify'] }] };
    const waiting = await outcomeOf(plan, {}, engine);
    expect(waiting).toMatchObject({
      status: 'waiting',
      gates: [{ gate: 'g1', step: 'plan.1/verify', prompt: 'Are 2 right?' }],
      results: { first: { words: 2 } },
      ...{ replanCount: 0, executionAttempts: 1, replanHistory: [], duration: expect.any(Number) },
      spend: { tool_calls: 1 },
    });
    const ordered = await engine.order(waiting.run, { type: 'review', gate: 'g1', verdict: 'approve', by: 'ann' });
    const report = await (ordered.ok ? ordered.value.handle?.done : undefined);
    const record = engine.read(waiting.run);
    if (report === undefined || !record.ok) throw new Error('the run did not go on');
    expect(planOutcome(report, record.value)).toMatchObject({
      status: 'completed',
      results: { verify: { approved: true }, second: { words: 2 } },
    });
  });

  it('reports every failed attempt when its repair fails too', async () => {
    const short = { ...first, verification: '(> (:words data/result) 9)', on_verification_failure: 'replan' };
    const other = { steps: [{ name: 'first', tool: 'words.count', input: { text: 'one two three' } }] };
    const again = { steps: [{ ...other.steps[0], verification: '(> (:words data/result) 9)' }] };
    const repair = { $lisp: `(json/parse-string ${JSON.stringify(JSON.stringify(again))})` };
    const planning = {
      planner: { kind: 'fixed', fragment: { steps: [short] }, repair },
      replan: { max: 1, replan_cooldown: '1ms' },
    };
    expect(await outcomeOf({ steps: [short] }, { planning, frame: { fail_fast: false } })).toMatchObject({
      status: 'failed',
      reason: { code: expect.any(String) },
      results: {},
      replanHistory: [{ output: { words: 2 } }, { output: { words: 3 } }],
    });
  });

  it('reports the number of its repairs, and the failures that they repaired', async () => {
    const short = {
      ...first,
      verification: '(if (> (:words data/result) 2) true "too few words")',
      on_verification_failure: 'replan',
    };
    const mended = { steps: [{ name: 'first', tool: 'words.count', input: { text: 'one two three' } }] };
    const repair = { $lisp: `(json/parse-string ${JSON.stringify(JSON.stringify(mended))})` };
    const planning = {
      planner: { kind: 'fixed', fragment: { steps: [short] }, repair },
      replan: { max: 1, replan_cooldown: '1ms' },
    };
    expect(await outcomeOf({ steps: [short] }, { planning, frame: { fail_fast: false } })).toMatchObject({
      status: 'completed',
      results: { first: { words: 3 } },
      replanCount: 1,
      executionAttempts: 2,
      replanHistory: [{ step: 'first', approach: 'words.count', output: { words: 2 }, diagnosis: 'too few words' }],
    });
  });
});

describe('a plan whose steps ask for a replan', () => {
  const short = {
    ...{ id: 'first', tool: 'words.count', input: { text: 'one two' } },
    ...{ verification: '(if (> (:words data/result) 2) true "too few words")', on_verification_failure: 'replan' },
  };
  const models = { default: { model: 'scripted', prices: { input: 1, output: 1 } } };

  it('is repaired by the configured model', async () => {
    const mended = [{ name: 'first', tool: 'words.count', input: { text: 'one two three' } }];
    const model = scriptedModel([
      { when: { contains: 'too few words' }, reply: { json: { rationale: 'more words', steps: mended } } },
    ]);
    const engine = createEngine({ journal: openMemoryJournal(), capabilities: [count], models: { default: model } });
    engines.push(engine);
    const planning = { replan: { replan_cooldown: '1ms' } };
    expect(await outcomeOf([short], { mission: 'Count the words', frame: { models }, planning }, engine)).toMatchObject(
      {
        status: 'completed',
        results: { first: { words: 3 } },
        replanCount: 1,
        replanHistory: [{ step: 'first', diagnosis: 'too few words' }],
      },
    );
  });

  it('fails without a model', async () => {
    expect(await outcomeOf([short])).toMatchObject({ status: 'failed', replanCount: 0 });
  });
});

describe('a plan is refused before a run starts', () => {
  it.each<{ title: string; plan: Json; options?: PlanOptions; issues: readonly string[] }>([
    { title: 'when it is a plain text', plan: 'first this, then that', issues: ['FRAGMENT_UNREADABLE '] },
    { title: 'when it is the answer `impossible`', plan: { impossible: 'no' }, issues: ['FRAGMENT_UNREADABLE '] },
    {
      title: 'when it calls an unknown capability',
      plan: { tasks: [{ id: 'a', tool: 'words.cuont' }] },
      issues: ['FRAGMENT_UNKNOWN_CAPABILITY tasks.0.tool'],
    },
    {
      title: 'when a step needs a model and none is configured',
      plan: ['Find the creator of Elixir'],
      issues: ['MODEL_NOT_CONFIGURED 0'],
    },
    {
      title: 'when the critic finds an error in it',
      plan: { tasks: [{ id: 'a', tool: 'files.write', input: { path: 'a.txt', text: 'a' } }] },
      options: { mission: 'List the files' },
      issues: ['CRITIC_WRITES_FOR_READ_GOAL tasks.0.tool'],
    },
    {
      title: 'when a result is given for a step that the plan lacks',
      plan: { tasks: [first] },
      options: { given: { frist: 1 } },
      issues: ['GIVEN_STEP_UNKNOWN '],
    },
    {
      title: 'when a given result breaks the output contract of its step',
      plan: { tasks: [first] },
      options: { given: { first: { words: 'two' } } },
      issues: ['GIVEN_RESULT_INVALID '],
    },
  ])('$title', async ({ plan, options = {}, issues }) => {
    const found = await refusalOf(plan, options);
    expect(found.filter((each) => !each.startsWith('CRITIC_GOAL'))).toEqual(issues);
  });
});

describe('an earlier result', () => {
  it('replaces the run of the step whose name it has', async () => {
    const outcome = await outcomeOf({ tasks: [first, second] }, { given: { first: { words: 40 } } });
    expect(outcome).toMatchObject({ status: 'completed', results: { first: { words: 40 }, second: { words: 2 } } });
    expect(calls).toEqual(['40 words']);
  });

  it('is taken from another run that made the same call', async () => {
    const engine = engineOf();
    const { run } = await outcomeOf({ tasks: [first] }, {}, engine);
    const outcome = await outcomeOf({ tasks: [first, second] }, { reuse: run }, engine);
    expect(outcome).toMatchObject({ status: 'completed', results: { first: { words: 2 } }, spend: { tool_calls: 1 } });
    expect(calls).toEqual(['one two', '2 words']);
  });
});
