// Concurrency limits: steps that share a key begin within its maximum and its rate, and waiting does not count as their time.
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Instant } from '../../src/base/quantity.ts';
import { defineCapability } from '../../src/capabilities/capability.ts';
import { scriptedModel } from '../../src/llm/scripted-model.ts';
import type { Clock } from '../../src/runtime/ports/clock.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import type { RateLimit, Template } from '../../src/template/template.ts';
import { type StepSketch, templateOf, work } from '../engine/template-of.ts';
import { engineOf, good, hurried, pathTo } from './set-up.ts';

function keyed(count: number, limit: RateLimit, more: Partial<StepSketch> = {}): Template {
  const steps = Array.from({ length: count }, (_, i) => ({ name: `s${i}`, concurrencyKey: 'api', ...more }));
  return { ...templateOf({ steps, capabilities: [work] }), concurrency: { max: 10, keys: { api: limit } } };
}

/** A capability that records the step and the start of each call. */
function watching(clock: Clock, fails: (calls: number) => boolean = () => false) {
  const begun: { readonly step: string; readonly at: Instant }[] = [];
  const capability = defineCapability({
    name: 'work',
    description: 'Notes the time.',
    effects: ['compute'],
    run: (_, { step }) => {
      begun.push({ step, at: clock.now() });
      if (fails(begun.length)) throw new Error('not this time');
      return {};
    },
  });
  return { capability, begun };
}

const span = (begun: readonly { readonly at: Instant }[], count: number) =>
  begun.slice(count).map(({ at }, index) => at - (begun[index]?.at ?? 0));

describe('a rate', () => {
  it('lets two steps begin at first, and no more than two in any minute', async () => {
    const clock = hurried();
    const { capability, begun } = watching(clock);
    const engine = engineOf({ journal: openMemoryJournal(), clock, capabilities: [capability] });
    const handle = good(await engine.start(keyed(7, { rate: { count: 2, per: 60_000 } })));
    expect((await handle.done).status).toBe('completed');
    expect(begun).toHaveLength(7);
    expect(span(begun, 2).filter((each) => each < 60_000)).toEqual([]);
    expect(span(begun, 1)[0]).toBeLessThan(60_000);
  });

  it('does not count waiting as time of its steps or of the run', async () => {
    const clock = hurried();
    const { capability } = watching(clock);
    const engine = engineOf({ journal: openMemoryJournal(), clock, capabilities: [capability] });
    const template = keyed(5, { rate: { count: 1, per: 3_600_000 } }, { timeout: 10_000 });
    const report = await good(await engine.start({ ...template, budget: { ...template.budget, wallClock: 60_000 } }))
      .done;
    expect(report.status).toBe('completed');
    expect(report.elapsed).toBeLessThan(60);
  });

  it('counts every attempt of a step', async () => {
    const clock = hurried();
    const { capability, begun } = watching(clock, (calls) => calls < 3);
    const engine = engineOf({ journal: openMemoryJournal(), clock, capabilities: [capability] });
    const retry = { maxAttempts: 3, backoff: 'none', base: 0, max: 0, jitter: 0 } as const;
    const template = keyed(1, { rate: { count: 1, per: 60_000 } }, { retry, onFailure: 'retry' });
    expect((await good(await engine.start(template)).done).status).toBe('completed');
    expect(span(begun, 1).filter((each) => each < 60_000)).toEqual([]);
    expect(begun).toHaveLength(3);
  });

  it('holds back only steps with its key', async () => {
    const clock = hurried();
    const { capability, begun } = watching(clock);
    const engine = engineOf({ journal: openMemoryJournal(), clock, capabilities: [capability] });
    const template = keyed(2, { rate: { count: 1, per: 60_000 } });
    const free = templateOf({ steps: [{ name: 'free' }], capabilities: [work] });
    await good(await engine.start({ ...template, steps: [...template.steps, ...free.steps] })).done;
    expect(begun.map(({ step }) => step)).toEqual(['s0', 'free', 's1']);
  });

  it('still holds after the run is stopped and resumed', async () => {
    const clock = hurried();
    const journal = openMemoryJournal();
    const { capability, begun } = watching(clock);
    const engine = engineOf({ journal, clock, capabilities: [capability] });
    const handle = good(await engine.start(keyed(3, { rate: { count: 1, per: 60_000 } })));
    while (begun.length < 2) await new Promise((resolve) => setImmediate(resolve));
    handle.stop();
    expect((await handle.done).status).toBe('interrupted');
    expect((await good(await engine.resume(handle.id)).done).status).toBe('completed');
    expect(begun).toHaveLength(3);
    expect(span(begun, 1).filter((each) => each < 60_000)).toEqual([]);
  });
});

describe('a maximum of one step at once', () => {
  it('holds for long attempts, whose timeout does not count the waiting', async () => {
    const clock = hurried();
    let under = 0;
    let most = 0;
    const slow = defineCapability({
      name: 'work',
      description: 'Takes 9 seconds.',
      effects: ['compute'],
      run: async () => {
        most = Math.max(most, ++under);
        await new Promise<void>((resolve) => void clock.wake(9_000, resolve));
        under -= 1;
        return {};
      },
    });
    const engine = engineOf({ journal: openMemoryJournal(), clock, capabilities: [slow] });
    const report = await good(await engine.start(keyed(6, { max: 1 }, { timeout: 10_000 }))).done;
    expect([report.status, most]).toEqual(['completed', 1]);
  });
});

/** A capability `work` that takes 9 seconds, and the most calls of it that were under way at once. */
function slowWork(clock: Clock) {
  const seen = { under: 0, most: 0, calls: 0 };
  const capability = defineCapability({
    name: 'work',
    description: 'Takes 9 seconds.',
    effects: ['compute'],
    run: async () => {
      seen.calls += 1;
      seen.most = Math.max(seen.most, ++seen.under);
      await new Promise<void>((resolve) => void clock.wake(9_000, resolve));
      seen.under -= 1;
      return {};
    },
  });
  return { capability, seen };
}

const agentTemplate = `
reconverge: 1
name: agent
models: { default: { model: scripted, prices: { input: 0, output: 0 } } }
concurrency: { capabilities: { work: { rate: 1/m } } }
agents:
  clerk: { prompt: You work., tools: [work] }
steps:
  - { name: all, agent: clerk, timeout: 30s }
`;

/** Parent and child share one key, under which one step may run at once. */
const innerTemplate = `
reconverge: 1
name: inner
concurrency: { keys: { api: { max: 1 } } }
steps:
  - { name: one, handler: work, concurrency_key: api }
  - { name: two, handler: work, concurrency_key: api }
`;
const outerTemplate = `
reconverge: 1
name: outer
capabilities: [{ template: ./inner.yaml }]
concurrency: { keys: { api: { max: 1 } } }
steps:
  - { name: sub, handler: inner, concurrency_key: api }
`;

describe('limits that runs of a process share', () => {
  it('let the calls of two runs together stay within the maximum of one key', async () => {
    const clock = hurried();
    const { capability, seen } = slowWork(clock);
    const engine = engineOf({ journal: openMemoryJournal(), clock, capabilities: [capability] });
    const template = keyed(4, { max: 1 }, { timeout: 10_000 });
    const runs = [good(await engine.start(template)), good(await engine.start(template))];
    const reports = await Promise.all(runs.map(({ done }) => done));
    expect(reports.map(({ status }) => status)).toEqual(['completed', 'completed']);
    expect(seen).toMatchObject({ most: 1, calls: 8 });
  });

  it('hold for runs of two engines', async () => {
    const clock = hurried();
    const { capability, seen } = slowWork(clock);
    const engines = [0, 1].map(() => engineOf({ journal: openMemoryJournal(), clock, capabilities: [capability] }));
    const runs = await Promise.all(engines.map((engine) => engine.start(keyed(3, { max: 1 }, { timeout: 10_000 }))));
    await Promise.all(runs.map((run) => good(run).done));
    expect(seen).toMatchObject({ most: 1, calls: 6 });
  });

  it('are the lowest of the limits that running runs set, and end with their runs', async () => {
    const clock = hurried();
    const { capability, seen } = slowWork(clock);
    const engine = engineOf({ journal: openMemoryJournal(), clock, capabilities: [capability] });
    const wide = good(await engine.start(keyed(4, { max: 4 }, { timeout: 30_000 })));
    const narrow = good(await engine.start(keyed(2, { max: 1 }, { timeout: 30_000 })));
    await Promise.all([wide.done, narrow.done]);
    seen.most = 0;
    await good(await engine.start(keyed(4, { max: 4 }, { timeout: 30_000 }))).done;
    expect(seen.most).toBe(4);
  });

  it('space the steps of two runs by one rate', async () => {
    const clock = hurried();
    const { capability, begun } = watching(clock);
    const engine = engineOf({ journal: openMemoryJournal(), clock, capabilities: [capability] });
    const template = keyed(3, { rate: { count: 1, per: 60_000 } });
    const start = clock.now();
    const runs = [good(await engine.start(template)), good(await engine.start(template))];
    await Promise.all(runs.map(({ done }) => done));
    expect(begun).toHaveLength(6);
    // A handler may begin later than its step is let in, so that two beginnings may be nearer than the rate.
    expect(begun.filter(({ at }, before) => at < start + before * 60_000)).toEqual([]);
  });

  it('count all calls of a capability, even if its steps have different keys', async () => {
    const clock = hurried();
    const { capability, seen } = slowWork(clock);
    const engine = engineOf({ journal: openMemoryJournal(), clock, capabilities: [capability] });
    const steps = Array.from({ length: 4 }, (_, i) => ({ name: `s${i}`, timeout: 10_000, concurrencyKey: `own${i}` }));
    const concurrency = { max: 10, keys: {}, capabilities: { work: { max: 2 } } };
    const template = { ...templateOf({ steps, capabilities: [work] }), concurrency };
    const runs = [good(await engine.start(template)), good(await engine.start(template))];
    await Promise.all(runs.map(({ done }) => done));
    expect(seen).toMatchObject({ most: 2, calls: 8 });
  });

  it('space the calls of an agent by the rate of a capability', async () => {
    const clock = hurried();
    const { capability, begun } = watching(clock);
    const asks = { reply: { toolCalls: [{ name: 'work', arguments: {} }] } };
    const model = scriptedModel([asks, asks, asks, { reply: { text: 'done' } }]);
    writeFileSync(pathTo('agent.yaml'), agentTemplate);
    const engine = engineOf({
      journal: openMemoryJournal(),
      clock,
      capabilities: [capability],
      models: { default: model },
    });
    const handle = good(await engine.start(good(await engine.load('agent.yaml'))));
    expect((await handle.done).status).toBe('completed');
    expect(begun).toHaveLength(3);
    expect(span(begun, 1).filter((each) => each < 60_000)).toEqual([]);
  });

  it('are free for the steps of a child run while the parent step waits', async () => {
    const clock = hurried();
    const { capability, seen } = slowWork(clock);
    writeFileSync(pathTo('inner.yaml'), innerTemplate);
    writeFileSync(pathTo('outer.yaml'), outerTemplate);
    const engine = engineOf({ journal: openMemoryJournal(), clock, capabilities: [capability] });
    const handle = good(await engine.start(good(await engine.load('outer.yaml'))));
    expect((await handle.done).status).toBe('completed');
    expect(seen).toMatchObject({ most: 1, calls: 2 });
  });

  it('do not delay steps without a limit', async () => {
    const clock = hurried();
    const { capability, seen } = slowWork(clock);
    const engine = engineOf({ journal: openMemoryJournal(), clock, capabilities: [capability] });
    const busy = good(await engine.start(keyed(2, { max: 1 }, { timeout: 10_000 })));
    const free = templateOf({ steps: [{ name: 'free' }, { name: 'too' }], capabilities: [work] });
    expect((await good(await engine.start(free)).done).status).toBe('completed');
    await busy.done;
    expect(seen.most).toBeGreaterThan(1);
  });

  it('are free again after their run is stopped', async () => {
    const clock = hurried();
    const { capability, seen } = slowWork(clock);
    const engine = engineOf({ journal: openMemoryJournal(), clock, capabilities: [capability] });
    const first = good(await engine.start(keyed(2, { max: 1 }, { timeout: 10_000 })));
    while (seen.calls === 0) await new Promise((resolve) => setImmediate(resolve));
    first.stop();
    await first.done;
    expect((await good(await engine.start(keyed(1, { max: 1 }, { timeout: 10_000 }))).done).status).toBe('completed');
  });
});
