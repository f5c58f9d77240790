// Templates as capabilities: steps start child runs, wait for their gates, are charged for their cost, and cancel them.
import { writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { defineCapability } from '../../src/capabilities/capability.ts';
import type { Engine } from '../../src/runtime/api/engine.ts';
import type { RunReport } from '../../src/runtime/api/run-report.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { patience } from '../patience.ts';
import { codes, engineOf, gated, good, hurried, pathTo } from './set-up.ts';

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(pathTo(name), `reconverge: 1\n${text}`);
}

/** A child that doubles its input. */
const child = `
name: child
description: Doubles a number.
input: "{number :int}"
output: { twice: "{{ results.twice.n }}" }
steps:
  - { name: twice, type: compute, expr: "{:n (* 2 (:number data/input))}", output: "{n :int}" }
`;

const parent = `
name: parent
capabilities: [{ template: ./child.yaml }]
steps:
  - { name: sub, handler: child, input: { number: 21 } }
  - { name: after, type: compute, dependencies: [sub], expr: "(:twice (:sub data/depends))" }
output: "{{ results.after }}"
`;

async function run(engine: Engine, file = 'parent.yaml', input: Json = {}): Promise<RunReport> {
  const handle = good(await engine.start(good(await engine.load(file)), { input }));
  return handle.done;
}

function childOf(engine: Engine, parent: string): string {
  const found = engine.runs().find((each) => each.parent === parent);
  if (found === undefined) throw new Error('it has started no run');
  return found.id;
}

describe.each([
  ['a SQLite file', () => ({})],
  ['memory', () => ({ journal: openMemoryJournal() })],
])('a step that calls a template, over %s', (_, journal) => {
  it('returns the output of the child run, and the parent run is charged for its steps', async () => {
    write({ 'child.yaml': child, 'parent.yaml': parent });
    const engine = engineOf(journal());
    const report = await run(engine);
    expect(report).toMatchObject({ status: 'completed', output: 42, spent: { steps: 3, tool_calls: 1 } });
    const started = childOf(engine, report.run);
    expect(good(engine.read(started)).state).toMatchObject({ parent: { run: report.run, step: 'sub' } });
  });
});

/** A child that asks a person. */
const asking = `
name: asking
steps:
  - { name: check, type: human_review, prompt: "is it right?" }
  - { name: made, handler: work, dependencies: [check] }
output: "{{ results.made.n }}"
`;

const waits = `
name: waits
capabilities: [{ template: ./asking.yaml }]
steps:
  - { name: sub, handler: asking }
  - { name: after, type: compute, dependencies: [sub], expr: "(:sub data/depends)" }
output: "{{ results.after }}"
`;

describe('a child run that waits for people', () => {
  async function waiting(engine: Engine): Promise<RunReport> {
    write({ 'asking.yaml': asking, 'waits.yaml': waits });
    const report = await run(engine, 'waits.yaml');
    expect(report.status).toBe('waiting');
    return report;
  }

  it('makes its parent run wait with its question, and no process drives either run', async () => {
    const engine = engineOf();
    const report = await waiting(engine);
    const child = childOf(engine, report.run);
    expect(report.gates).toMatchObject([
      { gate: 'g1/g1', kind: 'review', run: child, step: 'check', prompt: 'is it right?' },
    ]);
    expect(engine.runs()).toMatchObject([
      { id: child, status: 'waiting', driven: false, parent: report.run },
      { id: report.run, status: 'waiting', driven: false },
    ]);
  });

  it.each([
    ['by the path of its gate in the parent run', (report: RunReport) => [report.run, 'g1/g1']],
    ['by the gate of the parent run that waits for it', (report: RunReport) => [report.run, 'g1']],
    ['in the child run itself', (_: RunReport, child: string) => [child, 'g1']],
  ] as const)('is answered %s, and its parent run continues after its end', async (_, meant) => {
    const report = await waiting(engineOf());
    const engine = engineOf();
    const [named, gate] = meant(report, childOf(engine, report.run)) as [string, string];
    const { handle } = good(await engine.order(named, { type: 'review', gate, verdict: 'approve', by: 'ada' }));
    expect(await handle?.done).toMatchObject({ run: report.run, status: 'completed', output: 1 });
    expect(engine.runs().map(({ status }) => status)).toEqual(['completed', 'completed']);
  });

  it('waits again at the same gate when its parent is resumed without an answer', async () => {
    const report = await waiting(engineOf());
    const engine = engineOf();
    const again = await good(await engine.resume(report.run)).done;
    expect(again).toMatchObject({ status: 'waiting', gates: [{ gate: 'g1/g1' }] });
  });

  it('refuses an answer that its gate does not take, and both runs still wait', async () => {
    const engine = engineOf();
    const report = await waiting(engine);
    const answer = { type: 'review', gate: 'g1/g1', verdict: 'edit', value: {}, by: 'ada' } as const;
    expect(codes(await engine.order(report.run, answer))).toEqual(['GATE_VERDICT_INVALID']);
    expect(engine.runs()).toMatchObject([{ status: 'waiting' }, { status: 'waiting' }]);
  });

  it('continues in the waiting process when another process answers its gate', async () => {
    write({ 'asking.yaml': asking, 'waits.yaml': waits });
    const driving = engineOf();
    const handle = good(await driving.start(good(await driving.load('waits.yaml')), { wait: true }));
    const elsewhere = engineOf();
    await vi.waitFor(
      () => expect(elsewhere.runs()).toMatchObject([{ status: 'waiting' }, { status: 'waiting' }]),
      patience,
    );
    const child = childOf(elsewhere, handle.id);
    expect(good(await elsewhere.order(child, { type: 'review', gate: 'g1', verdict: 'approve', by: 'ada' }))).toEqual(
      {},
    );
    expect(await handle.done).toMatchObject({ status: 'completed', output: 1 });
  });

  it('fails when a person rejects its gate, and the step of its parent run fails', async () => {
    const engine = engineOf();
    const report = await waiting(engine);
    const no = { type: 'review', gate: 'g1/g1', verdict: 'reject', by: 'ada', why: 'no' } as const;
    const { handle } = good(await engine.order(report.run, no));
    const ended = await handle?.done;
    expect(ended).toMatchObject({ status: 'failed', failed: [{ step: 'sub', code: 'CHILD_FAILED' }] });
    expect(ended?.failed[0]?.message).toContain(childOf(engine, report.run));
    expect(ended?.failed[0]?.message).toContain('ada rejected gate g1: no');
  });

  it('is cancelled with its parent run', async () => {
    const engine = engineOf();
    const report = await waiting(engine);
    good(await engine.order(report.run, { type: 'cancel', by: 'ada' }));
    expect(engine.runs().map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
    const { ledger } = good(engine.read(report.run)).state;
    expect(ledger.accounts.get('run')).toMatchObject({ spent: { steps: 4, tool_calls: 1 }, reserved: { steps: 0 } });
  });

  it('fails its step in the parent run when it is cancelled itself', async () => {
    const engine = engineOf();
    const report = await waiting(engine);
    good(await engine.order(childOf(engine, report.run), { type: 'cancel', by: 'ada' }));
    expect(engine.runs().map(({ status }) => status)).toEqual(['cancelled', 'failed']);
    expect(good(engine.read(report.run)).state.steps.get('sub')?.failure?.code).toBe('CHILD_CANCELLED');
  });

  it('is cancelled when a person gives its step a result, and the parent run continues with the result', async () => {
    const engine = engineOf();
    const report = await waiting(engine);
    const order = { type: 'resolve-step', step: 'sub', value: 7, by: 'ada' } as const;
    const { handle } = good(await engine.order(report.run, order));
    expect(await handle?.done).toMatchObject({ status: 'completed', output: 7 });
    expect(engine.runs().map(({ status }) => status)).toEqual(['cancelled', 'completed']);
  });

  it('continues after its gate expires when its parent run is resumed', async () => {
    write({
      'asking.yaml': asking.replace(
        'prompt: "is it right?"',
        'prompt: "is it right?", expires_in: 1h, on_expiry: approve',
      ),
      'waits.yaml': waits,
    });
    const clock = hurried();
    const engine = engineOf({ clock });
    const first = await run(engine, 'waits.yaml');
    expect(first).toMatchObject({ status: 'waiting', gates: [{ gate: 'g1/g1', onExpiry: 'approve' }] });
    clock.pass(3_600_001);
    expect(await good(await engine.resume(first.run)).done).toMatchObject({ status: 'completed', output: 1 });
  });

  it('makes its parent run wait while it is paused', async () => {
    const engine = engineOf();
    const report = await waiting(engine);
    const child = childOf(engine, report.run);
    good(await engine.order(child, { type: 'pause', by: 'ada' }));
    expect(good(engine.gates(report.run))).toMatchObject([{ kind: 'child', step: 'sub' }]);
    const answer = { type: 'review', gate: 'g1', verdict: 'approve', by: 'ada' } as const;
    expect(codes(await engine.order(report.run, { ...answer, gate: 'g2' }))).toEqual(['GATE_VERDICT_INVALID']);
    const handle = good(await engine.resume(child));
    expect(await handle.done).toMatchObject({ run: report.run, status: 'waiting' });
    const { handle: last } = good(await engine.order(child, answer));
    expect(await last?.done).toMatchObject({ run: report.run, status: 'completed' });
  });
});

/** A child whose only step runs until it is released. */
const working = `
name: working
steps: [{ name: inside, handler: work }]
output: "{{ results.inside }}"
`;

const employs = `
name: employs
capabilities: [{ template: ./working.yaml }]
steps: [{ name: sub, handler: working }]
output: "{{ results.sub }}"
`;

describe('a child run that is under way', () => {
  const files = { 'working.yaml': working, 'employs.yaml': employs };

  it('is cancelled with its parent run, which is charged for its use', async () => {
    write(files);
    const { capability, begun } = gated();
    const engine = engineOf({ capabilities: [capability] });
    const handle = good(await engine.start(good(await engine.load('employs.yaml'))));
    await begun;
    good(await handle.order({ type: 'cancel', by: 'ada' }));
    expect((await handle.done).status).toBe('cancelled');
    expect(engine.runs().map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
    // The use of an aborted step is unknown, so its reservation is charged in full.
    const used = good(engine.read(childOf(engine, handle.id))).state.ledger.accounts.get('run')?.spent;
    expect(used).toMatchObject({ steps: 1, tool_calls: 1 });
    expect(good(engine.read(handle.id)).state.ledger.accounts.get('run')?.spent).toMatchObject({
      steps: 2,
      tool_calls: 2,
    });
  });

  it('is stopped with its parent run, and both continue when the parent run is resumed', async () => {
    write(files);
    const { capability, begun } = gated();
    const engine = engineOf({ capabilities: [capability] });
    const handle = good(await engine.start(good(await engine.load('employs.yaml'))));
    await begun;
    handle.stop();
    handle.stop();
    expect((await handle.done).status).toBe('interrupted');
    expect(engine.runs().map(({ status, driven }) => [status, driven])).toEqual([
      ['interrupted', false],
      ['interrupted', false],
    ]);
    const later = engineOf();
    expect(await good(await later.resume(handle.id)).done).toMatchObject({ status: 'completed', output: { n: 1 } });
    expect(later.runs()).toHaveLength(2);
    const attempts = good(later.read(handle.id)).events.filter(({ event }) => event.type === 'attempt.started');
    expect(attempts).toHaveLength(1);
  });

  it('continues together with its parent run when it is resumed itself', async () => {
    write(files);
    const { capability, begun } = gated();
    const engine = engineOf({ capabilities: [capability] });
    const handle = good(await engine.start(good(await engine.load('employs.yaml'))));
    await begun;
    handle.stop();
    handle.stop();
    await handle.done;
    const later = engineOf();
    const resumed = good(await later.resume(childOf(later, handle.id)));
    expect(await resumed.done).toMatchObject({ run: handle.id, status: 'completed' });
  });

  it('fails at the time limit of its parent run', async () => {
    write({
      'working.yaml': working.replace('handler: work', 'handler: work, timeout: 2h'),
      'employs.yaml': `${employs}budget: { max_wall_clock_time: 10m, landing_reserve: 0% }\n`,
    });
    const { capability, begun } = gated();
    const engine = engineOf({ capabilities: [capability], clock: hurried(1_000_000, begun) });
    const report = await run(engine, 'employs.yaml');
    expect(report).toMatchObject({ status: 'failed', failed: [{ step: 'sub', code: 'CHILD_FAILED' }] });
    expect(report.failed[0]?.message).toContain('max_wall_clock_time');
    expect(engine.runs().map(({ status, driven }) => [status, driven])).toEqual([
      ['failed', false],
      ['failed', false],
    ]);
  });
});

describe('the cost of a child run', () => {
  const priced = defineCapability({
    name: 'buy',
    description: 'Costs a dollar.',
    effects: ['network'],
    cost: { usd: 1 },
    run: () => 'bought',
  });
  const buyer = `
name: buyer
budget: { max_cost_budget: $4.00, max_total_steps: 10 }
steps:
  - { name: one, handler: buy }
  - { name: two, handler: buy, dependencies: [one] }
  - { name: three, handler: buy, dependencies: [two] }
`;
  const spender = (more: string): string => `
name: spender
capabilities: [{ template: { file: ./buyer.yaml, name: shop.buy${more} } }]
budget: { landing_reserve: 0%, max_cost_budget: $5.00 }
steps: [{ name: sub, handler: shop.buy }]
`;

  it('is charged to the step that started it', async () => {
    write({ 'buyer.yaml': buyer, 'spender.yaml': spender('') });
    const report = await run(engineOf({ capabilities: [priced] }), 'spender.yaml');
    expect(report).toMatchObject({ status: 'completed', spent: { cost_usd: 3, steps: 4, tool_calls: 4 } });
  });

  it.each([
    ['the budget that its caller sets', spender(', budget: { max_cost_budget: $2.00 }'), 2],
    ['the remaining budget of its parent run', spender('').replace('$5.00', '$1.50'), 1],
  ])('is limited by %s, and the parent run never spends more', async (_, template, spent) => {
    write({ 'buyer.yaml': buyer, 'spender.yaml': template });
    const engine = engineOf({ capabilities: [priced] });
    const report = await run(engine, 'spender.yaml');
    expect(report).toMatchObject({ status: 'failed', spent: { cost_usd: spent } });
    expect(report.failed[0]?.message).toContain('budget.max_cost_budget');
    const account = good(engine.read(report.run)).state.ledger.accounts.get('run');
    expect(account).toMatchObject({ overdrawn: false, reserved: { cost_usd: 0 } });
  });

  it('keeps the child run from starting when the budget does not cover its steps', async () => {
    write({ 'buyer.yaml': buyer, 'spender.yaml': spender('').replace('landing', 'max_total_steps: 3, landing') });
    const engine = engineOf({ capabilities: [priced] });
    const report = await run(engine, 'spender.yaml');
    expect(report.status).toBe('failed');
    expect(report.failure?.message).toContain('budget.max_total_steps');
    expect(engine.runs()).toHaveLength(1);
  });

  it('has a limit that cannot be raised in the child run itself', async () => {
    write({ 'asking.yaml': asking, 'waits.yaml': waits });
    const engine = engineOf();
    const report = await run(engine, 'waits.yaml');
    const raise = { type: 'raise-budget', account: 'run', limit: { cost_usd: 9_000_000 }, by: 'ada' } as const;
    expect(codes(await engine.order(childOf(engine, report.run), raise))).toEqual(['BUDGET_NOT_RAISED']);
  });
});
