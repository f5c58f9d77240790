// Runs that wait for people: answers from this and other processes, late answers, and refused answers.
import { describe, expect, it, vi } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { defineCapability } from '../../src/capabilities/capability.ts';
import type { RunOrder } from '../../src/engine/record/order.schema.ts';
import type { Engine } from '../../src/runtime/api/engine.ts';
import { newHolder } from '../../src/store/holder.ts';
import { emptyMemory, openMemoryJournal } from '../../src/store/memory-journal.ts';
import { openSqliteJournal } from '../../src/store/sqlite-journal.ts';
import { type StepSketch, templateOf } from '../engine/template-of.ts';
import { patience } from '../patience.ts';
import { codes, engineOf, gated, good, hurried, pathTo } from './set-up.ts';

const review = (name: string, more: Partial<NonNullable<StepSketch['gate']>> = {}): StepSketch => ({
  name,
  type: 'human_review',
  gate: { prompt: `is ${name} right?`, onExpiry: 'fail', ...more },
});

const approve: RunOrder = { type: 'review', gate: 'g1', verdict: 'approve', by: 'ada' };

/** A template with a review, and a step after it. */
const asking = templateOf({ steps: [review('check'), { name: 'after', after: ['check'] }] });

async function waiting(engine: Engine, template = asking): Promise<string> {
  const report = await good(await engine.start(template)).done;
  expect(report.status).toBe('waiting');
  return report.run;
}

describe.each([
  ['a SQLite file', () => ({})],
  ['memory', () => ({ journal: openMemoryJournal() })],
])('a run over %s that waits for people', (_, journal) => {
  it('reports its question, and no process drives it', async () => {
    const engine = engineOf(journal());
    const report = await good(await engine.start(asking)).done;
    expect(report).toMatchObject({
      status: 'waiting',
      output: null,
      gates: [{ gate: 'g1', kind: 'review', step: 'check', prompt: 'is check right?', decision: { type: 'object' } }],
    });
    expect(engine.runs()).toMatchObject([{ status: 'waiting', driven: false, gates: 1 }]);
  });

  it('continues in the process that answers it', async () => {
    const engine = engineOf(journal());
    const run = await waiting(engine);
    const { handle } = good(await engine.order(run, { ...approve, why: 'looks fine' }));
    expect(await handle?.done).toMatchObject({ status: 'completed', output: { after: { n: 1 } } });
    expect(good(engine.read(run)).state.steps.get('check')?.result).toEqual({
      value: { approved: true, notes: 'looks fine' },
    });
    expect(engine.runs()).toMatchObject([{ status: 'completed', gates: 0 }]);
  });

  it('waits again at the same gate when it is resumed without an answer', async () => {
    const engine = engineOf(journal());
    const run = await waiting(engine);
    const report = await good(await engine.resume(run)).done;
    expect(report).toMatchObject({ status: 'waiting', gates: [{ gate: 'g1' }] });
    const { handle } = good(await engine.order(run, approve));
    expect((await handle?.done)?.status).toBe('completed');
  });

  it('records no event for a refused answer', async () => {
    const engine = engineOf(journal());
    const run = await waiting(engine);
    const before = good(engine.read(run)).events.length;
    const answers: readonly [RunOrder, string][] = [
      [{ ...approve, gate: 'g9' }, 'GATE_UNKNOWN'],
      [{ ...approve, verdict: 'answer', value: 'yes' }, 'GATE_ANSWER_INVALID'],
      [{ ...approve, verdict: 'edit', value: {} }, 'GATE_VERDICT_INVALID'],
      [{ type: 'retry-step', step: 'after', by: 'ada' }, 'STEP_NOT_RETRYABLE'],
      [{ type: 'resolve-step', step: 'nowhere', value: 1, by: 'ada' }, 'STEP_MISSING'],
    ];
    for (const [order, code] of answers) expect(codes(await engine.order(run, order))).toEqual([code]);
    expect(good(engine.read(run)).events.length).toBe(before);
    expect(engine.runs()).toMatchObject([{ status: 'waiting', driven: false }]);
  });

  it('records one decision when two people answer at once', async () => {
    const engine = engineOf(journal());
    const run = await waiting(engine, templateOf({ steps: [review('check'), review('other')] }));
    const answers = await Promise.all([
      engine.order(run, { ...approve, by: 'ada' }),
      engine.order(run, { ...approve, verdict: 'reject', by: 'ben' }),
    ]);
    expect(answers.flatMap(codes)).toEqual(['GATE_CLOSED']);
    for (const answer of answers) if (answer.ok) await answer.value.handle?.done;
    const decided = good(engine.read(run)).events.filter(({ event }) => event.type === 'gate.decided');
    expect(decided).toMatchObject([{ event: { by: answers[0].ok ? 'ada' : 'ben' } }]);
  });
});

describe('a run with another active branch', () => {
  const branches = templateOf({ steps: [review('check'), { name: 'long' }, { name: 'after', after: ['check'] }] });

  it('follows an answer from another process, and confirms it', async () => {
    const { capability, begun, open } = gated();
    const driving = engineOf({ capabilities: [capability] });
    const elsewhere = engineOf({ capabilities: [capability] });
    const handle = good(await driving.start(branches));
    await begun;
    await vi.waitFor(
      () => expect(elsewhere.runs()).toMatchObject([{ status: 'running', gates: 1, driven: true }]),
      patience,
    );
    expect(good(await elsewhere.order(handle.id, approve))).toEqual({});
    expect(good(elsewhere.read(handle.id)).state.steps.get('check')?.status).toBe('completed');
    open();
    expect((await handle.done).status).toBe('completed');
  });

  it('refuses the second of two answers from other processes', async () => {
    const { capability, begun, open } = gated();
    const handle = good(await engineOf({ capabilities: [capability] }).start(branches));
    const [one, other] = [engineOf(), engineOf()];
    await begun;
    await vi.waitFor(() => expect(one.runs()).toMatchObject([{ gates: 1 }]), patience);
    const answers = await Promise.all([
      one.order(handle.id, approve),
      other.order(handle.id, { ...approve, by: 'ben' }),
    ]);
    expect(answers.flatMap(codes)).toEqual(['GATE_CLOSED']);
    open();
    expect((await handle.done).status).toBe('completed');
  });

  it('follows or refuses an answer from its own process', async () => {
    const { capability, begun, open } = gated();
    const handle = good(await engineOf({ capabilities: [capability] }).start(branches));
    await begun;
    expect(codes(await handle.order({ ...approve, gate: 'g7' }))).toEqual(['GATE_UNKNOWN']);
    expect(codes(await handle.order(approve))).toEqual([]);
    open();
    expect((await handle.done).status).toBe('completed');
    expect(codes(await handle.order(approve))).toEqual(['RUN_AT_REST']);
  });

  it('accepts an answer of a megabyte without cutting it', async () => {
    const { capability, begun, open } = gated();
    const anything = templateOf({ steps: [review('check', { decision: {} }), { name: 'long' }] });
    const handle = good(
      await engineOf({ capabilities: [capability] }).start({
        ...anything,
        limits: { lisp: {}, resultBytes: 5_000_000 },
      }),
    );
    await begun;
    const value: Json = { text: 'grüß '.repeat(200_000) };
    const elsewhere = engineOf();
    await vi.waitFor(() => expect(elsewhere.runs()).toMatchObject([{ gates: 1 }]), patience);
    good(await elsewhere.order(handle.id, { ...approve, verdict: 'answer', value }));
    open();
    expect((await handle.done).output).toMatchObject({ check: value });
  });
});

describe('an order to a driver that does not read its inbox', () => {
  it('is carried out by the ordering process once the driver releases the run', async () => {
    const engine = engineOf();
    const run = await waiting(engine);
    const journal = openSqliteJournal(pathTo('.reconverge', 'runs.db'));
    const acquired = journal.acquire(run, newHolder(), Date.now(), 60_000);
    if (!acquired.ok) throw new Error('the lease is not free');
    const ordered = engine.order(run, approve);
    await vi.waitFor(() => expect(journal.inbox(run)).toHaveLength(1), patience);
    journal.release(acquired.value);
    const { handle } = good(await ordered);
    expect((await handle?.done)?.status).toBe('completed');
    expect(journal.inbox(run)).toEqual([]);
    await journal.close();
  });

  it('stays in the inbox as pending while the driver holds the run', async () => {
    const clock = hurried();
    const memory = emptyMemory();
    const engine = engineOf({ journal: openMemoryJournal({ memory }), clock });
    const run = await waiting(engine);
    const journal = openMemoryJournal({ memory });
    journal.acquire(run, newHolder(), clock.now(), 60_000);
    expect(good(await engine.order(run, approve))).toEqual({ pending: true });
    expect(journal.inbox(run)).toMatchObject([{ by: 'ada' }]);
  });
});

describe('an inbox item that is not a valid order', () => {
  it('stays in the inbox, and the run follows later orders', async () => {
    const { capability, begun, open } = gated();
    const memory = emptyMemory();
    const handle = good(
      await engineOf({ journal: openMemoryJournal({ memory }), capabilities: [capability] }).start(asking),
    );
    const journal = openMemoryJournal({ memory });
    const commands = [
      '{}',
      '[]',
      '{"type":"dance"}',
      '{"type":"review","gate":1}',
      '{"type":"constructor"}',
      '{"type":"raise-budget","account":"run","limit":{"joy":1}}',
    ];
    for (const [index, command] of commands.entries())
      journal.post(handle.id, { id: String(index), command, by: 'ada', why: '', at: 0 });
    expect((await handle.done).status).toBe('waiting');
    const { handle: next } = good(await engineOf({ journal, capabilities: [capability] }).order(handle.id, approve));
    await begun;
    open();
    expect((await next?.done)?.status).toBe('completed');
    expect(journal.inbox(handle.id)).toHaveLength(commands.length);
  });
});

describe('a run whose driver waits for a person', () => {
  it('continues when another process answers it', async () => {
    const handle = good(await engineOf().start(asking, { wait: true }));
    const elsewhere = engineOf();
    await vi.waitFor(() => expect(elsewhere.runs()).toMatchObject([{ status: 'waiting', driven: true }]), patience);
    good(await elsewhere.order(handle.id, approve));
    expect((await handle.done).status).toBe('completed');
  });

  it('still waits when its driver is stopped', async () => {
    const handle = good(await engineOf().start(asking, { wait: true }));
    await vi.waitFor(() => expect(engineOf().runs()).toMatchObject([{ status: 'waiting' }]), patience);
    handle.stop();
    expect(await handle.done).toMatchObject({ status: 'waiting', gates: [{ gate: 'g1' }] });
  });

  it('continues when its gate expires', async () => {
    const journal = openMemoryJournal();
    const expiring = templateOf({ steps: [review('check', { expiresIn: 3_600_000, onExpiry: 'approve' })] });
    const handle = good(await engineOf({ journal, clock: hurried() }).start(expiring, { wait: true }));
    expect(await handle.done).toMatchObject({ status: 'completed', output: { check: { approved: true, notes: '' } } });
  });
});

describe('a gate that expires while no process drives its run', () => {
  it('refuses a late answer, and fails the run as soon as it is resumed', async () => {
    const clock = hurried();
    const engine = engineOf({ journal: openMemoryJournal(), clock });
    const run = await waiting(engine, templateOf({ steps: [review('check', { expiresIn: 60_000 })] }));
    clock.pass(61_000);
    expect(codes(await engine.order(run, approve))).toEqual(['GATE_CLOSED']);
    expect(await good(await engine.resume(run)).done).toMatchObject({
      status: 'failed',
      failure: { code: 'GATE_EXPIRED' },
    });
  });
});

describe('the time limit of a step', () => {
  it('makes the driver abort the step while the run has time left', async () => {
    let why: unknown;
    const hanging = defineCapability({
      name: 'work',
      description: 'Works until it is told to stop.',
      effects: ['compute'],
      run: (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            why = signal.reason;
            reject(why);
          });
        }),
    });
    const steps: StepSketch[] = [{ name: 'slow', timeout: 600_000, budget: { limit: {}, wallClock: 10_000 } }];
    const engine = engineOf({ journal: openMemoryJournal(), clock: hurried(), capabilities: [hanging] });
    const report = await good(await engine.start(templateOf({ steps }))).done;
    expect(report).toMatchObject({ status: 'failed', failure: { code: 'BUDGET_EXCEEDED' } });
    expect(report.failure?.message).toMatch(/^slow: steps\.slow\.budget\.max_wall_clock_time: 10s of 10s used/);
    expect(why).toBeDefined();
  });
});

describe('operators', () => {
  it('give a held step its result, and the run continues', async () => {
    const engine = engineOf();
    const run = await waiting(engine);
    const order: RunOrder = {
      type: 'resolve-step',
      step: 'check',
      value: { approved: true },
      by: 'ada',
      why: 'by phone',
    };
    const { handle } = good(await engine.order(run, order));
    expect((await handle?.done)?.status).toBe('completed');
    expect(good(engine.read(run)).events).toContainEqual(
      expect.objectContaining({
        event: expect.objectContaining({ type: 'step.resolved', by: 'ada', why: 'by phone' }),
      }),
    );
  });

  it('raise a limit of a run that another process drives', async () => {
    const { capability, begun, open } = gated();
    const handle = good(await engineOf({ capabilities: [capability] }).start(templateOf({ steps: [{ name: 'a' }] })));
    await begun;
    const elsewhere = engineOf();
    good(await elsewhere.order(handle.id, { type: 'raise-budget', account: 'run', limit: { steps: 500 }, by: 'ada' }));
    expect(good(elsewhere.read(handle.id)).state.ledger.accounts.get('run')?.limit.steps).toBe(500);
    open();
    await handle.done;
  });
});
