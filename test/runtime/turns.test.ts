// Steps that share a concurrency key take turns: so many at once, so many in a time, and waiting costs nobody anything.
import { describe, expect, it } from 'vitest';
import type { Instant } from '../../src/base/quantity.ts';
import { defineCapability } from '../../src/capabilities/capability.ts';
import type { Clock } from '../../src/runtime/ports/clock.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import type { KeyLimit, Template } from '../../src/template/template.ts';
import { type StepSketch, templateOf, work } from '../engine/template-of.ts';
import { engineOf, good, hurried } from './set-up.ts';

function keyed(count: number, limit: KeyLimit, more: Partial<StepSketch> = {}): Template {
  const steps = Array.from({ length: count }, (_, i) => ({ name: `s${i}`, concurrencyKey: 'api', ...more }));
  return { ...templateOf({ steps, capabilities: [work] }), concurrency: { max: 10, keys: { api: limit } } };
}

/** Says when each call began, and which one. */
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
  it('lets no more steps begin in any span of its time, and no fewer than it may at first', async () => {
    const clock = hurried();
    const { capability, begun } = watching(clock);
    const engine = engineOf({ journal: openMemoryJournal(), clock, capabilities: [capability] });
    const handle = good(await engine.start(keyed(7, { rate: { count: 2, per: 60_000 } })));
    expect((await handle.done).status).toBe('completed');
    expect(begun).toHaveLength(7);
    expect(span(begun, 2).filter((each) => each < 60_000)).toEqual([]);
    expect(span(begun, 1)[0]).toBeLessThan(60_000);
  });

  it('takes nothing of the time of the steps that wait for it, nor of the run', async () => {
    const clock = hurried();
    const { capability } = watching(clock);
    const engine = engineOf({ journal: openMemoryJournal(), clock, capabilities: [capability] });
    const template = keyed(5, { rate: { count: 1, per: 3_600_000 } }, { timeout: 10_000 });
    const report = await good(await engine.start({ ...template, budget: { ...template.budget, wallClock: 60_000 } }))
      .done;
    expect(report.status).toBe('completed');
    expect(report.elapsed).toBeLessThan(60);
  });

  it('counts every attempt', async () => {
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

  it('still holds when the run is taken up by somebody else', async () => {
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

describe('how many at once', () => {
  it('is kept over attempts that take long, whose waiting takes nothing of their time', async () => {
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
