// A run that is told to stop begins no further call: calls that wait are taken back, cost nothing, and are made later.
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { good as answered } from '../../src/base/result.ts';
import type { Event } from '../../src/engine/record/event.schema.ts';
import type { Model } from '../../src/llm/model.ts';
import { scriptedModel } from '../../src/llm/scripted-model.ts';
import type { Engine, Listener } from '../../src/runtime/api/engine.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { engineOf, gated, good, hurried, pathTo } from './set-up.ts';

const head =
  'reconverge: 1\nname: stops\nmodels: { default: { model: scripted, prices: { input: $1, output: $1 } } }\n';
const agents = 'agents: { doer: { prompt: You work., tools: [work] } }\n';
const limited = 'concurrency: { capabilities: { work: { max: 1 } } }\n';
const asking = `${head}${agents}${limited}steps:\n  - { name: ask, agent: doer, description: Do it. }\n`;
const working = `${head}${limited}steps:\n  - { name: own, handler: work, input: {} }\n`;

/** Starts a run; `calls(n)` resolves once n calls of its attempts have begun. */
async function started(engine: Engine, text: string) {
  writeFileSync(pathTo('template.yaml'), text);
  let begun = 0;
  let look = (): void => {};
  const onEvents: Listener = (events) => {
    begun += events.filter(({ event }) => event.type === 'call.started').length;
    look();
  };
  const handle = good(await engine.start(good(await engine.load('template.yaml')), { onEvents }));
  const calls = (count: number): Promise<void> =>
    new Promise((resolve) => {
      look = () => begun >= count && resolve();
      look();
    });
  return { handle, calls };
}

function eventsOf(engine: Engine, run: string): readonly Event[] {
  return good(engine.read(run)).events.map(({ event }) => event);
}

function endedCalls(engine: Engine, run: string): readonly string[] {
  return eventsOf(engine, run).flatMap((event) => (event.type === 'call.ended' ? [event.failure?.code ?? 'good'] : []));
}

const latch = (): PromiseWithResolvers<void> => Promise.withResolvers<void>();

describe('a run that is told to stop', () => {
  it('takes back a tool call that waits for a limit, and makes it once when the run goes on', async () => {
    const { capability, begun, open, calls: made } = gated();
    const call = { name: 'work', arguments: {} };
    const model = scriptedModel([{ reply: { toolCalls: [call] } }, { reply: { text: 'Done.' } }]);
    const engine = engineOf({ capabilities: [capability], models: { default: model } });
    const { handle: other } = await started(engine, working);
    await begun;
    const { handle, calls } = await started(engine, asking);
    await calls(2);
    handle.stop();
    expect(await handle.done).toMatchObject({ status: 'interrupted', spent: { llm_calls: 1 } });
    expect(endedCalls(engine, handle.id)).toEqual(['good', 'CALL_NOT_MADE']);
    expect(good(engine.read(handle.id)).state.ledger.accounts.get('run')?.spent.tool_calls ?? 0).toBe(0);
    open();
    expect((await other.done).status).toBe('completed');
    expect(made()).toBe(1);

    const resumed = good(await engine.resume(handle.id));
    expect(await resumed.done).toMatchObject({ status: 'completed', spent: { llm_calls: 2, tool_calls: 1 } });
    expect(made()).toBe(2);
    expect(model.asked).toHaveLength(2);
  });

  it('keeps the call of an answer that has begun, takes back those beside it, and makes each once', async () => {
    const { capability, begun, open, calls: made } = gated();
    const call = { name: 'work', arguments: {} };
    const model = scriptedModel([{ reply: { toolCalls: [call, call, call] } }, { reply: { text: 'Done.' } }]);
    const engine = engineOf({ capabilities: [capability], models: { default: model } });
    const { handle, calls } = await started(engine, asking);
    await begun;
    await calls(4);
    handle.stop();
    open();
    expect((await handle.done).status).toBe('interrupted');
    expect(endedCalls(engine, handle.id).toSorted()).toEqual(['CALL_NOT_MADE', 'CALL_NOT_MADE', 'good', 'good']);
    expect(made()).toBe(1);
    const resumed = good(await engine.resume(handle.id));
    expect(await resumed.done).toMatchObject({ status: 'completed', spent: { llm_calls: 2, tool_calls: 3 } });
    expect(made()).toBe(3);
    expect(model.asked.at(-1)?.messages.filter(({ role }) => role === 'tool')).toHaveLength(3);
  });

  it('ends a wait before a retry, which is sent when the run goes on and does not count as a try', async () => {
    const journal = openMemoryJournal();
    const busy = { status: 429, retryAfter: 50_000 };
    const script = [{ reply: { fail: busy } }, { reply: { fail: busy } }, { reply: { text: 'Done.' } }];
    const model = scriptedModel(script);
    const capabilities = [gated().capability];
    const engine = engineOf({ journal, capabilities, models: { default: model } });
    const { handle, calls } = await started(engine, asking);
    await calls(2);
    handle.stop();
    expect(await handle.done).toMatchObject({ status: 'interrupted', spent: { llm_calls: 1 } });
    expect(endedCalls(engine, handle.id)).toEqual(['MODEL_RATE_LIMITED', 'CALL_NOT_MADE']);

    const later = engineOf({ journal, capabilities, models: { default: model }, clock: hurried() });
    const resumed = await good(await later.resume(handle.id)).done;
    expect(resumed).toMatchObject({ status: 'completed', spent: { llm_calls: 3 } });
    expect(model.unused()).toEqual([]);
  });

  it('can be stopped between the calls of one attempt more often than an attempt may be lost', async () => {
    const turns = Array.from({ length: 6 }, () => ({ asked: latch(), reply: latch() }));
    const usage = { input: 1, output: 1 };
    let turn = 0;
    const model: Model = {
      ask: async () => {
        const current = turns[turn];
        turn += 1;
        current?.asked.resolve();
        await current?.reply.promise;
        if (current === turns.at(-1)) return answered({ text: 'Done.', finish: 'stop', usage });
        const toolCalls = [{ id: `c${turn}`, name: 'work', arguments: {} }];
        return answered({ text: '', toolCalls, finish: 'tool_calls', usage });
      },
    };
    const { capability, open, calls: made } = gated();
    open();
    const engine = engineOf({ capabilities: [capability], models: { default: model } });
    let { handle } = await started(engine, asking.replace('tools: [work]', 'tools: [work], max_turns: 9'));
    for (const { asked, reply } of turns.slice(0, -1)) {
      await asked.promise;
      handle.stop();
      reply.resolve();
      expect((await handle.done).status).toBe('interrupted');
      handle = good(await engine.resume(handle.id));
    }
    turns.at(-1)?.reply.resolve();
    expect(await handle.done).toMatchObject({ status: 'completed' });
    expect(made()).toBe(5);
  });
});
