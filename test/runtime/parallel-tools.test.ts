// Tool calls of one answer of an agent in a driver: limits, aborts, retries of the step, and other steps beside them.

import { describe, expect, it } from 'vitest';
import { defineCapability } from '../../src/capabilities/capability.ts';
import { scriptedModel } from '../../src/llm/scripted-model.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import type { Template } from '../../src/template/template.ts';
import { agentOf, type StepSketch, templateOf, thinker } from '../engine/template-of.ts';
import { engineOf, good, hurried } from './set-up.ts';

/** Calls of a capability that end when a test lets them, or when they are aborted. */
function pages() {
  const open: { readonly page: string; readonly signal: AbortSignal; end(value: string): void }[] = [];
  let most = 0;
  const capability = defineCapability({
    name: 'read',
    description: 'Reads a page.',
    effects: ['read'],
    run: async (input, { signal }) => {
      const { page } = input as { readonly page: string };
      const { promise, resolve } = Promise.withResolvers<string>();
      const one = { page, signal, end: resolve };
      open.push(one);
      most = Math.max(most, open.length);
      signal.addEventListener('abort', () => resolve('aborted'));
      for (const waiting of waits.filter(({ count }) => open.length >= count)) waiting.resolve();
      const text = await promise;
      open.splice(open.indexOf(one), 1);
      return { text };
    },
  });
  const waits: { readonly count: number; resolve(): void }[] = [];
  const waiting = (count: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (open.length >= count) resolve();
    else waits.push({ count, resolve });
    return promise;
  };
  return { capability, open, waiting, most: () => most };
}

const asking = (...names: readonly string[]) => ({
  toolCalls: names.map((page) => ({ name: 'read', arguments: { page } })),
});

function scene(more: Partial<Template> = {}, steps: readonly StepSketch[] = []) {
  const { capability, ...server } = pages();
  const model = scriptedModel([
    { when: { turn: 1 }, reply: asking('a', 'b', 'c', 'd') },
    { reply: { text: 'done' }, times: 'always' },
  ]);
  const engine = engineOf({ journal: openMemoryJournal(), models: { default: model }, capabilities: [capability] });
  const template = templateOf({
    steps: [{ name: 'answer', type: 'task', description: 'Read.', agent: { name: 'scout' } }, ...steps],
    models: { default: thinker },
    agents: [agentOf({ name: 'scout', tools: ['read'] })],
    capabilities: [{ name: 'read', description: 'Reads a page.', effects: ['read'], tags: [], cost: {} }],
  });
  return { ...server, engine, model, template: { ...template, ...more } };
}

describe('parallel calls of an agent', () => {
  it('stay within a limit of their capability', async () => {
    const capabilities = { read: { max: 2 } };
    const { engine, template, open, waiting, most } = scene({ concurrency: { max: 10, keys: {}, capabilities } });
    const handle = good(await engine.start(template));
    for (let ended = 0; ended < 4; ended++) {
      await waiting(Math.min(2, 4 - ended));
      open[0]?.end(`page ${ended}`);
      await new Promise(setImmediate);
    }
    expect((await handle.done).status).toBe('completed');
    expect(most()).toBe(2);
  });

  it('stay within a rate of their capability', async () => {
    const clock = hurried();
    const begun: number[] = [];
    const capability = defineCapability({
      name: 'read',
      description: 'Reads a page.',
      effects: ['read'],
      run: () => {
        begun.push(clock.now());
        return {};
      },
    });
    const { model, template } = scene();
    const engine = engineOf({
      journal: openMemoryJournal(),
      clock,
      models: { default: model },
      capabilities: [capability],
    });
    const capabilities = { read: { rate: { count: 1, per: 60_000 } } };
    const limited = { ...template, concurrency: { max: 10, keys: {}, capabilities } };
    expect((await good(await engine.start(limited)).done).status).toBe('completed');
    expect(begun).toHaveLength(4);
    // A call begins up to a tick of the clock after it was let in.
    expect(begun.slice(1).filter((at, index) => at - (begun[index] ?? 0) < 59_000)).toEqual([]);
  });

  it('count as one step of concurrency.max, so that another step runs beside them', async () => {
    const other: StepSketch = { name: 'other', capability: 'read', input: { page: 'e' } };
    const { engine, template, open, waiting } = scene({ concurrency: { max: 2, keys: {} } }, [other]);
    const handle = good(await engine.start(template));
    await waiting(5);
    expect(open.map(({ page }) => page).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
    for (const each of [...open]) each.end('text');
    expect((await handle.done).status).toBe('completed');
  });

  it('are all aborted when the run is cancelled', async () => {
    const { engine, template, open, waiting } = scene();
    const handle = good(await engine.start(template));
    await waiting(4);
    const signals = open.map(({ signal }) => signal);
    await handle.order({ type: 'cancel', by: 'ada' });
    expect((await handle.done).status).toBe('cancelled');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true, true]);
  });

  it('are all aborted when the step is tried again, and their late results change nothing', async () => {
    const { engine, template, open, waiting, model } = scene();
    const handle = good(await engine.start(template));
    await waiting(4);
    const signals = open.map(({ signal }) => signal);
    await handle.order({ type: 'retry-step', step: 'answer', by: 'ada' });
    expect(await handle.done).toMatchObject({ status: 'completed', spent: { tool_calls: 4 } });
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
    expect(model.asked.at(-1)?.messages.some(({ role }) => role === 'tool')).toBe(false);
  });

  it('end while the run is paused, as a running step does, and the next step waits for its resumption', async () => {
    const next: StepSketch = { name: 'next', capability: 'read', input: { page: 'z' }, after: ['answer'] };
    const { engine, template, open, waiting, model } = scene({}, [next]);
    const handle = good(await engine.start(template));
    await waiting(4);
    await handle.order({ type: 'pause', by: 'ada' });
    for (const each of [...open]) each.end(`page ${each.page}`);
    expect((await handle.done).status).toBe('paused');
    const results = model.asked.at(-1)?.messages.flatMap((each) => (each.role === 'tool' ? each.content : []));
    expect(results).toEqual(['a', 'b', 'c', 'd'].map((page) => `{"text":"page ${page}"}`));
    const { handle: resumed } = good(await engine.order(handle.id, { type: 'resume', by: 'ada' }));
    await waiting(1);
    open[0]?.end('page z');
    expect((await resumed?.done)?.status).toBe('completed');
  });
});
