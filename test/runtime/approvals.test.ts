// Approvals in runs of a store: a call runs once, exactly as it was shown, and the record names who decided.
import { writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { type CallContext, defineCapability } from '../../src/capabilities/capability.ts';
import type { RunOrder } from '../../src/engine/record/order.schema.ts';
import { scriptedModel } from '../../src/llm/scripted-model.ts';
import type { Engine } from '../../src/runtime/api/engine.ts';
import type { EngineOptions } from '../../src/runtime/api/engine-options.ts';
import { rogueScript } from '../capabilities/mcp/given-servers.ts';
import { codes, engineOf, good, pathTo } from './set-up.ts';

const approve: RunOrder = { type: 'review', gate: 'g1', verdict: 'approve', by: 'ada', why: 'it is due' };

const head = 'reconverge: 1\nname: pays\n';
const models = 'models: { default: { model: scripted, prices: { input: $0, output: $0 } } }\n';

/** A template whose planner plans a payment, and the payments made. */
const planned = `${head}steps:
  - name: plan
    type: planning
    convergence_target: end
    planner:
      kind: fixed
      fragment:
        steps:
          - { name: first, capability: pay, input: { to: ada, key: "\${secret.BANK}" } }
          - { name: second, capability: pay, input: { to: ben }, dependencies: [first] }
  - { name: end, type: deferred, dependencies: [plan] }
`;

function paying(work: (input: Json, ctx: CallContext) => Promise<Json> | Json = () => ({ paid: true })) {
  const seen: { readonly input: Json; readonly key: string }[] = [];
  const capability = defineCapability({
    name: 'pay',
    description: 'Pays.',
    effects: ['write'],
    repeat: 'keyed',
    run: (input: Json, ctx) => {
      seen.push({ input, key: ctx.idempotencyKey });
      return work(input, ctx);
    },
  });
  return { capability, seen };
}

const surroundings = { ...process.env, BANK: 'hush-hush' };

async function waitingOn(text: string, options: EngineOptions): Promise<{ engine: Engine; run: string }> {
  writeFileSync(pathTo('template.yaml'), text);
  const engine = engineOf({ surroundings, ...options });
  const handle = good(await engine.start(good(await engine.load('template.yaml'))));
  expect((await handle.done).status).toBe('waiting');
  return { engine, run: handle.id };
}

const gatesOf = (engine: Engine, run: string) => [...good(engine.read(run)).state.gates.values()];

describe('a call that a plan wants to make', () => {
  it('is shown to a person, runs unchanged after an approval, and records who approved it', async () => {
    const { capability, seen } = paying();
    const { engine, run } = await waitingOn(planned, { capabilities: [capability] });
    expect(seen).toEqual([]);
    const shown = { capability: 'pay', input: { to: 'ada', key: '${secret.BANK}' } };
    expect(gatesOf(engine, run)).toMatchObject([{ id: 'g1', step: 'plan.1/first', context: { value: shown } }]);
    const { handle } = good(await engine.order(run, approve));
    expect(await handle?.done).toMatchObject({ status: 'waiting', gates: [{ gate: 'g2', step: 'plan.1/second' }] });
    expect(seen).toMatchObject([{ input: { to: 'ada', key: 'hush-hush' } }]);
    const decided = good(engine.read(run)).events.flatMap(({ event }) => (event.type === 'gate.decided' ? event : []));
    expect(decided).toMatchObject([{ gate: 'g1', verdict: 'approve', by: 'ada', why: 'it is due' }]);
  });

  it('needs no approval after the capability was approved for the run', async () => {
    const { capability, seen } = paying();
    const { engine, run } = await waitingOn(planned, { capabilities: [capability] });
    const { handle } = good(await engine.order(run, { ...approve, grant: 'capability' }));
    expect(await handle?.done).toMatchObject({ status: 'completed' });
    expect([seen.length, gatesOf(engine, run).length]).toEqual([2, 1]);
  });

  it('runs again with the same key after its process died, without a second approval', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const stuck = paying((_, { signal }) => {
      begin();
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ late: true })));
    });
    const { engine, run } = await waitingOn(planned, { capabilities: [stuck.capability] });
    const { handle } = good(await engine.order(run, approve));
    await begun;
    handle?.stop();
    handle?.stop();
    await handle?.done;
    await engine.close();
    const sound = paying();
    const later = engineOf({ surroundings, capabilities: [sound.capability] });
    expect((await good(await later.resume(run)).done).status).toBe('waiting');
    expect(sound.seen[0]).toEqual(stuck.seen[0]);
    expect(gatesOf(later, run).map(({ step, end }) => [step, end])).toEqual([
      ['plan.1/first', 'decided'],
      ['plan.1/second', undefined],
    ]);
  });

  it('accepts one decision, and refuses a second one from another process', async () => {
    const { capability, seen } = paying();
    const { engine, run } = await waitingOn(planned, { capabilities: [capability] });
    const elsewhere = engineOf({ surroundings, capabilities: [capability] });
    const answers = await Promise.all([
      engine.order(run, approve),
      elsewhere.order(run, { ...approve, verdict: 'reject', by: 'ben' }),
    ]);
    for (const answer of answers) if (answer.ok) await answer.value.handle?.done;
    expect(answers.flatMap(codes)).toEqual(['GATE_CLOSED']);
    expect(codes(await elsewhere.order(run, approve))).toEqual(['GATE_CLOSED']);
    expect(seen.length).toBe(answers[0]?.ok === true ? 1 : 0);
  });

  it('does not run after a rejection, and its step fails with the reason that the person gave', async () => {
    const { capability, seen } = paying();
    const { engine, run } = await waitingOn(planned, { capabilities: [capability] });
    const { handle } = good(await engine.order(run, { ...approve, verdict: 'reject', why: 'not yet' }));
    await handle?.done;
    expect(good(engine.read(run)).state.steps.get('plan.1/first')?.failure).toMatchObject({
      code: 'GATE_REJECTED',
      message: 'ada rejected gate g1: not yet',
    });
    expect(seen).toEqual([]);
  });
});

describe('an approval that expires', () => {
  it('refuses an answer after its time, even before the run has recorded the expiry', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const { capability, seen } = paying();
      const { engine, run } = await waitingOn(
        `${head}steps:\n  - { name: once, handler: pay, input: { to: ada }, approval: { expires_in: 1h } }\n`,
        { capabilities: [capability] },
      );
      vi.setSystemTime(Date.now() + 3_601_000);
      expect(codes(await engine.order(run, approve))).toEqual(['GATE_CLOSED']);
      expect(await good(await engine.resume(run)).done).toMatchObject({ failure: { code: 'GATE_EXPIRED' } });
      expect(seen).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a call that an agent wants to make', () => {
  const agentWith = (more: string, capabilities = ''): string =>
    `${head}${models}${capabilities}agents:\n  clerk: { prompt: You pay., ${more} }\nsteps:\n  - { name: pay_all, agent: clerk }\n`;
  const wanting = (name: string, input: Readonly<Record<string, Json>>) =>
    scriptedModel([{ reply: { toolCalls: [{ name, arguments: input }] } }, { reply: { text: 'done' } }]);

  it('needs an approval when the policy of the agent requires one for writes', async () => {
    const { capability, seen } = paying();
    const asks = { capabilities: [capability], models: { default: wanting('pay', { to: 'ada' }) } };
    const { engine, run } = await waitingOn(
      `effects: { allowed: [write] }\n${agentWith('tools: [pay], effects: { approval: [write] }')}`,
      asks,
    );
    const { handle } = good(await engine.order(run, approve));
    expect(await handle?.done).toMatchObject({ status: 'completed', output: { pay_all: 'done' } });
    expect(seen).toMatchObject([{ input: { to: 'ada' } }]);
  });

  it('needs an approval as a write when the server gives its tool no annotations', async () => {
    const server = `capabilities:\n  - mcp: { name: rogue, command: ${JSON.stringify(process.execPath)}, args: ${JSON.stringify([rogueScript])} }\n`;
    const { engine, run } = await waitingOn(agentWith('tools: [rogue.speak]', server), {
      models: { default: wanting('rogue_speak', {}) },
    });
    expect(gatesOf(engine, run)).toMatchObject([
      {
        kind: 'approval',
        prompt: 'The agent of step "pay_all" wants to call rogue.speak, whose effect is write. May it?',
      },
    ]);
  });
});
