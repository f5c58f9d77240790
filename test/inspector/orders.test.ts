// Orders from the page other than gate answers: accepted and refused like the orders of the command line, and carried out once.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { defineCapability } from '../../src/capabilities/capability.ts';
import type { Event } from '../../src/engine/record/event.schema.ts';
import { ask, own, served, type TestServer, token } from './served.ts';

/** A template whose second step waits until the door is open, with planned steps after it. */
const plan = `
reconverge: 1
name: door
steps:
  - { name: first, handler: door.note, input: { name: first } }
  - { name: door, handler: door.wait, dependencies: [first], input: { name: door } }
  - name: plan
    type: planning
    dependencies: [door]
    goal: Say who was here.
    convergence_target: last
    planner:
      kind: lisp
      source: !lisp |
        {:rationale "a guest" :steps [{:name "ann" :capability "door.note" :input {:name "ann"}}]}
  - name: last
    type: deferred
    dependencies: [plan]
    convergence: { policy: all_settled }
    handler: door.note
    input: { name: last }
`;

interface AtTheDoor {
  readonly here: TestServer;
  readonly run: string;
  readonly ended: Promise<unknown>;
  open(): void;
}

/** A run that has reached the door, driven in the server's process. */
async function atTheDoor(): Promise<AtTheDoor> {
  const here = await served();
  writeFileSync(join(here.folder, 'plan.yaml'), plan);
  const door = Promise.withResolvers<void>();
  const named = { description: 'Say that one was here.', input: '{name :string}', effects: ['read'] } as const;
  const note = defineCapability({ ...named, name: 'door.note', run: (input) => input });
  const wait = defineCapability({
    ...named,
    name: 'door.wait',
    async run(input, { signal }) {
      const gone = new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      await Promise.race([door.promise, gone]);
      return input;
    },
  });
  const template = await here.engine.load('plan.yaml', { capabilities: [note, wait] });
  if (!template.ok) throw new Error(JSON.stringify(template.error));
  const started = await here.engine.start(template.value);
  if (!started.ok) throw new Error(JSON.stringify(started.error));
  const { id, events, done } = started.value;
  onTestFinished(() => door.resolve());
  for await (const { event } of events) if (event.type === 'attempt.started' && event.step === 'door') break;
  return { here, run: id, ended: done, open: door.resolve };
}

async function post(here: TestServer, path: string, body: unknown): Promise<unknown> {
  const request = { method: 'POST', headers: own(here), body: JSON.stringify(body) };
  const { status, text } = await ask(here, `/${token}/api/runs/${path}`, request);
  expect(status).toBe(200);
  return JSON.parse(text);
}

function eventsOf<Type extends Event['type']>({ engine }: TestServer, run: string, type: Type) {
  const record = engine.read(run);
  const events = record.ok ? record.value.events : [];
  return events.flatMap(({ event }) => (event.type === type ? [event as Extract<Event, { type: Type }>] : []));
}

const refused = (code: string) => ({ ok: false, issues: [{ code }] });

describe('an order of the page', () => {
  it('raises the budget of the run, with the name and reason of the signer', async () => {
    const { here, run } = await atTheDoor();
    const order = { order: 'raise-budget', account: 'run', budget: { max_total_steps: '150', max_cost_budget: '$7' } };
    expect(await post(here, `${run}/orders`, { ...order, by: 'eve', why: 'worth it' })).toEqual({
      ok: true,
      pending: false,
    });
    expect(eventsOf(here, run, 'budget.raised')).toMatchObject([
      { account: 'run', limit: { steps: 150, cost_usd: 7_000_000 }, by: 'eve', why: 'worth it' },
    ]);
  });

  it('is signed by the person who serves the page if it carries no signature', async () => {
    const { here, run } = await atTheDoor();
    await post(here, `${run}/orders`, { order: 'retry-step', step: 'door', by: '  ', why: '' });
    const [retried] = eventsOf(here, run, 'step.retried');
    expect(retried).toMatchObject({ step: 'door', by: 'ann' });
    expect(retried).not.toHaveProperty('why');
  });

  it('gives a step its result, read as JSON or as words, and the run continues', async () => {
    const { here, run, ended } = await atTheDoor();
    await post(here, `${run}/orders`, { order: 'resolve-step', step: 'door', text: '{"name": "by hand"}' });
    await ended;
    const record = here.engine.read(run);
    expect(record.ok && record.value.state.steps.get('door')?.result).toEqual({ value: { name: 'by hand' } });
    expect(record.ok && record.value.state.ended?.status).toBe('completed');
  });

  it('cancels the run or pauses it', async () => {
    const { here, run, ended } = await atTheDoor();
    expect(await post(here, `${run}/orders`, { order: 'pause' })).toMatchObject({ ok: true });
    expect(await post(here, `${run}/orders`, { order: 'cancel', why: 'enough' })).toMatchObject({ ok: true });
    await ended;
    expect(here.engine.runs()).toMatchObject([{ id: run, status: 'cancelled' }]);
  });

  it('is carried out once, however often it is sent under one key', async () => {
    const { here, run } = await atTheDoor();
    const order = { order: 'retry-step', step: 'door', key: 'k1' };
    const [first, second] = await Promise.all([post(here, `${run}/orders`, order), post(here, `${run}/orders`, order)]);
    expect(second).toEqual(first);
    expect(await post(here, `${run}/orders`, order)).toEqual(first);
    expect(eventsOf(here, run, 'step.retried')).toHaveLength(1);
    await post(here, `${run}/orders`, { ...order, key: 'k2' });
    expect(eventsOf(here, run, 'step.retried')).toHaveLength(2);
  });

  it.each([
    ['INPUT_INVALID', { order: 'raise-budget', account: 'run' }],
    ['INPUT_INVALID', { order: 'retry-step', step: 'door', more: 1 }],
    ['INPUT_INVALID', { order: 'resolve-step', step: 'door', text: '{"name": ' }],
    ['INPUT_INVALID', { order: 'cancel', by: 'x'.repeat(200) }],
    ['BUDGET_KEY_UNKNOWN', { order: 'raise-budget', account: 'run', budget: { max_steps: '1' } }],
    ['BUDGET_VALUE_UNREADABLE', { order: 'raise-budget', account: 'run', budget: { max_total_steps: 'many' } }],
    ['BUDGET_NOT_RAISED', { order: 'raise-budget', account: 'run', budget: { max_total_steps: '1' } }],
    ['ACCOUNT_UNKNOWN', { order: 'raise-budget', account: 'nobody', budget: { max_total_steps: '200' } }],
    ['STEP_NOT_RETRYABLE', { order: 'retry-step', step: 'first' }],
    ['STEP_NOT_RESOLVABLE', { order: 'resolve-step', step: 'plan', text: '1' }],
    ['STEP_MISSING', { order: 'retry-step', step: 'window' }],
  ])('is refused with %s: %j', async (code, order) => {
    const { here, run } = await atTheDoor();
    expect(await post(here, `${run}/orders`, order)).toMatchObject(refused(code));
  });
});

describe('a fork of the page', () => {
  it('starts with the history up to its event, has its own limits, and runs by itself', async () => {
    const { here, run, ended, open } = await atTheDoor();
    open();
    await ended;
    const wish = { at: 3, budget: { max_total_steps: '40' }, by: 'eve', why: 'what if', key: 'k1' };
    const answered = (await post(here, `${run}/forks`, wish)) as { readonly run: string };
    expect(answered).toMatchObject({ ok: true });
    expect(await post(here, `${run}/forks`, wish)).toEqual(answered);
    expect(here.engine.runs()).toHaveLength(2);
    expect(eventsOf(here, answered.run, 'run.forked')).toMatchObject([
      { from: run, at: 3, by: 'eve', why: 'what if', changes: ['max_total_steps 40'] },
    ]);
    const record = here.engine.read(answered.run);
    expect(record.ok && record.value.template.budget.limit.steps).toBe(40);
  });

  it('is refused for an unknown event, an unknown run, or an invalid input', async () => {
    const { here, run } = await atTheDoor();
    expect(await post(here, `${run}/forks`, { at: 900 })).toMatchObject(refused('FORK_POINT_UNKNOWN'));
    expect(await post(here, 'nowhere/forks', { at: 1 })).toMatchObject(refused('RUN_UNKNOWN'));
    expect(await post(here, `${run}/forks`, { at: 'now' })).toMatchObject(refused('INPUT_INVALID'));
    expect(await post(here, `${run}/forks`, { at: 3, budget: { max_total_steps: '1' } })).toMatchObject(
      refused('BUDGET_BELOW_TEMPLATE'),
    );
  });

  it('is accepted only from the page of the inspector', async () => {
    const { here, run } = await atTheDoor();
    const { origin: _, ...others } = own(here);
    const request = { method: 'POST', headers: others, body: '{"at":3}' };
    expect((await ask(here, `/${token}/api/runs/${run}/forks`, request)).status).toBe(403);
    const foreign = { ...request, headers: { ...own(here), origin: 'http://evil.example' } };
    expect((await ask(here, `/${token}/api/runs/${run}/forks`, foreign)).status).toBe(403);
    expect(here.engine.runs()).toHaveLength(1);
  });
});
