// Twelve missions with orders that no tool serves: no run reports success for work that never happened.
import { afterEach, describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { type Capability, defineCapability } from '../../src/capabilities/capability.ts';
import { CapabilityError } from '../../src/capabilities/capability-error.ts';
import type { Engine } from '../../src/runtime/api/engine.ts';
import type { RunReport } from '../../src/runtime/api/run-report.ts';
import { type ModelServer, openModelServer } from '../../src/testing/model-server.ts';
import { root } from '../sources.ts';
import { codes, engineOf, good } from './set-up.ts';

const refunded: number[] = [];
let server: ModelServer | undefined;
afterEach(async () => {
  refunded.length = 0;
  await server?.close();
  server = undefined;
});

const list = defineCapability({
  name: 'orders.list',
  description: 'Lists the orders of the shop.',
  input: '{}',
  output: '[{id :int, total :int}]',
  effects: ['network'],
  run: () => [{ id: 7, total: 120 }],
});
const refund = defineCapability({
  name: 'orders.refund',
  description: 'Refunds an order.',
  input: '{order :int}',
  effects: ['write'],
  repeat: 'safe',
  run: ({ order }) => {
    refunded.push(order);
    return { refunded: order };
  },
});
const capabilities = [list, refund];

/** Pursues a goal without any model. */
async function alone(goal: string) {
  const engine = engineOf({ capabilities });
  const begun = await engine.pursue(goal, { frame: { capabilities: [] } });
  return { engine, begun };
}

/** Pursues a goal with a model over HTTP that finds no tool for a task, answers with the plan, and calls each task done. */
async function withModel(goal: string, plan: Json, more: readonly Capability[] = []) {
  const choices = [1, 2, 3].map((task) => ({ task, none: 'no tool does it' }));
  server = await openModelServer({
    script: [
      { when: { system: 'You choose which tool' }, reply: { json: { choices } }, times: 'always' },
      { when: { system: 'You plan' }, reply: { json: plan }, times: 'always' },
      { reply: { text: 'Done.' }, times: 'always' },
    ],
  });
  const engine = engineOf({ capabilities: [...capabilities, ...more], surroundings: { OPENAI_BASE_URL: server.url } });
  const models = { default: { model: 'any', max_retries: 0, prices: { input: '$0', output: '$0' } } };
  const begun = await engine.pursue(goal, { frame: { capabilities: [], models } });
  return { engine, report: await approved(engine, await good(begun).done) };
}

/** Approves each call that a person must approve. */
async function approved(engine: Engine, report: RunReport): Promise<RunReport> {
  const gate = report.gates?.[0]?.gate;
  if (gate === undefined) return report;
  const approval = { type: 'review', gate, verdict: 'approve', by: 'ada' } as const;
  const next = await good(await engine.order(report.run, approval)).handle?.done;
  return next === undefined ? report : approved(engine, next);
}

/** The plan of a careless model: an agent without tools gets the whole goal. */
const careless = (goal: string): Json => ({
  rationale: 'the agent does it',
  steps: [{ name: 'do_it', agent: 'default', description: goal }],
});

const outcomes = ({ orders = [] }: RunReport) =>
  orders.map(({ outcome, says, steps }) => [outcome, says, ...steps.map(({ by }) => by)]);

const CHANGES = 'it changes something, and agent "default" has no tools';
const UNREAD = 'it needs what has not been read, and agent "default" has no tools';

describe('an order that no capability serves', () => {
  const beyond: readonly (readonly [goal: string, why: string])[] = [
    ['Send the report to anna@example.com', CHANGES],
    ['Create a ticket for the outage, then list the orders', CHANGES],
    ["Summarise the minutes of yesterday's meeting", UNREAD],
    ['Book a table for two at eight', CHANGES],
    ['List the orders, then delete the oldest one', CHANGES],
    ['Read https://example.com/terms, then summarise it', UNREAD],
    ['Write a report about the orders to report.md', CHANGES],
    ['Lösche die alten Bestellungen', CHANGES],
  ];

  it.each(beyond)(
    'is not given to an agent without tools, and a careless plan fails the run: %s',
    async (goal, why) => {
      const { report } = await withModel(goal, careless(goal));
      expect(report).toMatchObject({ status: 'failed', partial: true, failure: { code: 'PLAN_IMPOSSIBLE' } });
      expect(report.failure?.message).toContain(why);
      expect(outcomes(report).every(([outcome]) => outcome === 'not_done')).toBe(true);
    },
  );

  it.each(beyond)('fails the run with the reason of a model that calls it impossible: %s', async (goal) => {
    const { report } = await withModel(goal, { impossible: 'nothing here can do it' });
    expect(report).toMatchObject({ status: 'failed', failure: { code: 'PLAN_IMPOSSIBLE' } });
    expect(report.failure?.message).toContain('nothing here can do it');
  });

  it.each(beyond.filter(([goal]) => !goal.includes('report.md')))(
    'starts no run without a model: %s',
    async (goal, why) => {
      const { engine, begun } = await alone(goal);
      expect(codes(begun)).toEqual(['MODEL_NOT_CONFIGURED']);
      expect(JSON.stringify(begun)).toContain(JSON.stringify(why).slice(1, -1));
      expect(engine.runs()).toEqual([]);
    },
  );

  it('makes the run ask a person for a capability, and fails the run when the person chooses none', async () => {
    const { engine, begun } = await alone('Write a report about the orders to report.md');
    const report = await good(begun).done;
    expect(report).toMatchObject({ status: 'waiting', gates: [{ kind: 'clarification' }] });
    const answer = { type: 'review', gate: 'g1', verdict: 'answer', value: 'none of these', by: 'ada' } as const;
    const end = await good(await engine.order(report.run, answer)).handle?.done;
    expect(end).toMatchObject({ status: 'failed', failure: { code: 'PLAN_IMPOSSIBLE' } });
  });
});

describe('orders that an agent can carry out by writing text', () => {
  it('are done by the agent: List the orders, then write a summary of them', async () => {
    const goal = 'List the orders, then write a summary of them';
    const { report } = await withModel(goal, careless(goal));
    expect(report).toMatchObject({ status: 'completed', partial: false });
    expect(outcomes(report)).toEqual([
      ['done', 'List the orders', 'orders.list'],
      ['done', 'write a summary of them', 'agent default'],
    ]);
    expect(codes((await alone(goal)).begun)).toEqual(['MODEL_NOT_CONFIGURED']);
  });

  it('are done by the agent: Draft a letter to the landlord, then make it shorter', async () => {
    const goal = 'Draft a letter to the landlord, then make it shorter';
    const { report } = await withModel(goal, careless(goal));
    expect(report).toMatchObject({ status: 'completed', partial: false });
    expect(outcomes(report).map(([outcome]) => outcome)).toEqual(['done', 'done']);
    expect(codes((await alone(goal)).begun)).toEqual(['MODEL_NOT_CONFIGURED']);
  });
});

describe('Use orders.broken, then list the orders', () => {
  it('is completed in part when the call fails and an agent without the tool answers in its place', async () => {
    const broken = defineCapability({
      name: 'orders.broken',
      description: 'Breaks.',
      effects: ['read'],
      run: () => {
        throw new CapabilityError('SHELF_FELL', 'the shelf fell', { retry: 'never' });
      },
    });
    const goal = 'List the orders, then use orders.broken';
    const { report } = await withModel(goal, careless('Write what orders.broken found'), [broken]);
    expect(report).toMatchObject({ partial: true });
    expect(report.orders).toMatchObject([
      { says: 'List the orders', outcome: 'done' },
      { says: 'use orders.broken', outcome: 'not_done', why: expect.stringContaining('SHELF_FELL') },
    ]);
  });
});

describe('Refund order 7, but ask me first', () => {
  it.each([
    [true, false, ['done', 'done'], [7]],
    [false, true, ['done', 'not_done'], []],
  ])('refunds only with the consent of a person: the answer is %s', async (agreed, partial, ends, calls) => {
    const { engine, begun } = await alone('Refund order 7, but ask me first');
    const { run } = await good(begun).done;
    const value = { approved: agreed, notes: '' };
    const answer = { type: 'review', gate: 'g1', verdict: 'answer', value, by: 'ada' } as const;
    const next = await good(await engine.order(run, answer)).handle?.done;
    const end = next && (await approved(engine, next));
    expect(end).toMatchObject({ status: 'completed', partial });
    expect(end === undefined ? [] : outcomes(end).map(([outcome]) => outcome)).toEqual(ends);
    expect(refunded).toEqual(calls);
  });
});

describe('If an order is above 100, refund it and send a mail to Anna', () => {
  const goal = 'If an order is above 100, refund it and send a mail to Anna';
  const step = { name: 'refund_it', capability: 'orders.refund', input: { order: 7 }, description: 'Refund order 7' };

  it('starts no run without a model', async () => {
    expect(codes((await alone(goal)).begun)).toEqual(['MODEL_NOT_CONFIGURED']);
  });

  it('completes in part when the plan of a model sends no mail', async () => {
    const { report } = await withModel(goal, { rationale: 'one call', steps: [step] });
    expect(report).toMatchObject({ status: 'completed', partial: true });
    expect(report.orders).toMatchObject([
      { says: 'If an order is above 100, refund it', outcome: 'done', steps: [{ step: 'plan.1/refund_it' }] },
      { says: 'send a mail to Anna', outcome: 'not_done', steps: [], why: 'no step of the plan does it' },
    ]);
  });

  it('reports the mail as not done when an agent claims to have sent it', async () => {
    const mail = {
      name: 'mail',
      agent: 'default',
      description: 'Tell Anna about it',
      input: { about: '{{ results.refund_it }}' },
    };
    const { report } = await withModel(goal, { rationale: 'two', steps: [step, mail] });
    expect(report).toMatchObject({ status: 'completed', partial: true });
    expect(report.orders?.[1]).toMatchObject({ says: 'send a mail to Anna', outcome: 'not_done' });
  });

  it('reports the refund as not needed when the condition of the plan does not hold', async () => {
    const { report } = await withModel(goal, {
      rationale: 'by the list',
      steps: [
        { name: 'orders', capability: 'orders.list', input: {} },
        { ...step, dependencies: ['orders'], when: '(> (:total (first (:orders data/results))) 500)' },
      ],
    });
    expect(report.orders?.[0]).toMatchObject({ outcome: 'not_needed' });
    expect(refunded).toEqual([]);
  });
});

describe('If the sales are high, write the report to report.md', () => {
  const goal = 'If the sales are high, list the orders, and write the report to report.md';
  const written: string[] = [];
  const save = defineCapability({
    name: 'reports.save',
    description: 'Writes a report to a file.',
    input: '{path :string, text :string}',
    effects: ['write'],
    repeat: 'safe',
    run: ({ path }) => {
      if (path.startsWith('/')) throw new CapabilityError('PATH_REFUSED', 'not there', { retry: 'never' });
      written.push(path);
      return { path };
    },
  });
  const agents = { scribe: { prompt: 'You write reports.', tools: ['reports.save'] } };
  const description = 'Write the report to report.md';

  /** The report of a run in which the agent makes these calls and then says that it is done. */
  async function withAgent(calls: readonly Json[]) {
    written.length = 0;
    const steps = [{ name: 'write_report', agent: 'scribe', description }];
    server = await openModelServer({
      script: [
        { when: { system: 'You plan' }, reply: { json: { rationale: 'an agent', agents, steps } }, times: 'always' },
        ...calls.map((each) => ({ reply: { toolCalls: [{ name: 'reports_save', arguments: each }] } })),
        { reply: { text: 'The report is written.' }, times: 'always' },
      ],
    });
    const engine = engineOf({ capabilities: [...capabilities, save], surroundings: { OPENAI_BASE_URL: server.url } });
    const models = { default: { model: 'any', max_retries: 0, prices: { input: '$0', output: '$0' } } };
    const begun = await engine.pursue(goal, { frame: { capabilities: [], models } });
    return approved(engine, await good(begun).done);
  }

  it.each([
    ['calls no tool', []],
    ['makes a call that fails', [{ path: '/report.md', text: 'much' }]],
  ])('is not done by an agent that %s and says that the report is written', async (_, calls) => {
    const report = await withAgent(calls);
    expect(report).toMatchObject({ status: 'completed', partial: true });
    expect(report.orders?.at(-1)).toMatchObject({
      outcome: 'not_done',
      steps: [{ step: 'plan.1/write_report' }],
      why: 'agent "scribe" called no tool that changes anything with success',
    });
    expect(written).toEqual([]);
  });

  it('is done by an agent that calls its tool, with the approval of a person', async () => {
    const report = await withAgent([{ path: 'report.md', text: 'much' }]);
    expect(report.orders?.at(-1)).toMatchObject({ outcome: 'done', steps: [{ by: 'agent scribe' }] });
    expect(written).toEqual(['report.md']);
  });

  it.each([
    ['other.md', 'not_done'],
    ['reports/report.md', 'done'],
  ])('counts a call that writes %s as %s', async (path, outcome) => {
    const input = { path, text: 'much' };
    const steps = [{ name: 'write_report', capability: 'reports.save', input, description }];
    const { report } = await withModel(goal, { rationale: 'one call', steps }, [save]);
    expect(report.orders?.at(-1)).toMatchObject({ outcome });
  });
});

describe('If it is stale, delete the draft order', () => {
  it.each([
    [true, 'done'],
    [false, 'not_done'],
  ])('has the outcome that the result of the call tells: deleted is %s', async (deleted, outcome) => {
    const remove = defineCapability({
      name: 'drafts.delete',
      description: 'Deletes a draft order.',
      input: '{id :int}',
      effects: ['delete'],
      run: () => ({ deleted }),
    });
    const steps = [
      { name: 'delete_it', capability: 'drafts.delete', input: { id: 7 }, description: 'Delete the draft' },
    ];
    const plan = { rationale: 'one call', steps };
    const { report } = await withModel('If it is stale, delete the draft order', plan, [remove]);
    expect(report).toMatchObject({ status: 'completed', partial: !deleted, orders: [{ outcome }] });
  });
});

describe('If there is milk, append it to notes.md', () => {
  it('is not done by a call that has nothing to do with the file', async () => {
    const append = defineCapability({
      name: 'log.append',
      description: 'Appends an entry to a log.',
      input: '{log :string, entry :string}',
      effects: ['write'],
      repeat: 'safe',
      run: ({ log }) => ({ log, entries: 1 }),
    });
    const input = { log: 'notes', entry: 'milk' };
    const steps = [{ name: 'append_milk', capability: 'log.append', input, description: 'Append the milk' }];
    const goal = 'If there is milk, append the milk to notes.md';
    const { report } = await withModel(goal, { rationale: 'one call', steps }, [append]);
    expect(report).toMatchObject({ status: 'completed', partial: true });
    expect(report.orders).toMatchObject([{ outcome: 'not_done', why: 'the call is not about notes.md' }]);
  });
});

describe('Append the milk to README.md', () => {
  it('is not done by a call that gets the file as an attachment and puts nothing into it', async () => {
    const append = defineCapability({
      name: 'milk.append',
      description: 'Append the milk to a list.',
      input: '{}',
      effects: ['write'],
      repeat: 'safe',
      run: () => ({ entries: 1 }),
    });
    const engine = engineOf({ folder: root, capabilities: [append] });
    const begun = await engine.pursue('Append the milk to README.md', { frame: { capabilities: [] } });
    const report = await approved(engine, await good(begun).done);
    expect(report).toMatchObject({ status: 'completed', partial: true });
    expect(report.orders).toMatchObject([{ outcome: 'not_done', why: 'the call is not about README.md' }]);
  });
});
