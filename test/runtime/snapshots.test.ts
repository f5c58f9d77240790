// Snapshots: a long run continues from its last snapshot, or from its events if the snapshot cannot be trusted.
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { present } from '../../src/base/fault.ts';
import { defineCapability } from '../../src/capabilities/capability.ts';
import type { Engine } from '../../src/runtime/api/engine.ts';
import { type Clock, systemClock } from '../../src/runtime/ports/clock.ts';
import { newHolder } from '../../src/store/holder.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { checkRun } from '../../src/view/check-run.ts';
import { templateOf } from '../engine/template-of.ts';
import { patience } from '../patience.ts';
import { engineOf, good, pathTo } from './set-up.ts';

/** A template with the given number of parallel steps, and a review after them. */
function long(steps: number) {
  const names = Array.from({ length: steps }, (_, index) => `s${index}`);
  return templateOf({
    concurrency: 50,
    budget: { limit: { steps: steps + 2, tool_calls: steps + 2 } },
    steps: [
      ...names.map((name) => ({ name })),
      { name: 'check', type: 'human_review', after: names, gate: { prompt: 'is it right?', onExpiry: 'fail' } },
      { name: 'after', after: ['check'] },
    ],
  });
}

async function waiting(engine: Engine): Promise<string> {
  const report = await good(await engine.start(long(600))).done;
  expect(report.status).toBe('waiting');
  return report.run;
}

async function approved(engine: Engine, run: string): Promise<string | undefined> {
  const { handle } = good(await engine.order(run, { type: 'review', gate: 'g1', verdict: 'approve', by: 'ada' }));
  return (await handle?.done)?.status;
}

function alter(statement: string): void {
  const database = new DatabaseSync(pathTo('.reconverge', 'runs.db'));
  database.exec(statement);
  database.close();
}

const check = (engine: Engine, run: string) => {
  const { template, events, blob, snapshot } = good(engine.read(run));
  return checkRun(template, events, (digest) => blob(digest) !== undefined, snapshot()).broken;
};

describe('a long run that waits', () => {
  it('continues from its snapshot without reading earlier events', async () => {
    const engine = engineOf();
    const run = await waiting(engine);
    alter("UPDATE entries SET payload = '{' WHERE version BETWEEN 2 AND 1000");
    expect(await approved(engine, run)).toBe('completed');
  });

  it('continues without repeating a step, and its state agrees with its events', async () => {
    const engine = engineOf();
    const run = await waiting(engine);
    expect(check(engine, run)).toEqual([]);
    expect(await approved(engine, run)).toBe('completed');
    expect(check(engine, run)).toEqual([]);
    const { events, state } = good(engine.read(run));
    const begun = events.flatMap(({ event }) => (event.type === 'attempt.started' ? [event.step] : []));
    expect(new Set(begun).size).toBe(begun.length);
    expect(state.live).toBe(0);
  });

  it.each([
    ['that another version wrote', `UPDATE snapshots SET shape = '0.0.1', text = '{}', checksum = ${crc32('{}')}`],
    ['that was altered', 'UPDATE snapshots SET checksum = checksum + 1'],
    ['that cannot be inflated', "UPDATE snapshots SET text = x'07'"],
    ['that is missing', 'DELETE FROM snapshots'],
  ])('is folded from its events instead of a snapshot %s', async (_, statement) => {
    const engine = engineOf();
    const run = await waiting(engine);
    alter(statement);
    expect(await approved(engine, run)).toBe('completed');
    expect(check(engine, run)).toEqual([]);
  });

  it('fails its check when its snapshot differs from its events', async () => {
    const journal = openMemoryJournal();
    const engine = engineOf({ journal });
    const run = await waiting(engine);
    const { version, shape, text } = present(journal.snapshot(run), 'a snapshot');
    const taken = journal.acquire(run, newHolder(), Date.now(), 1_000);
    if (!taken.ok) throw new Error('somebody drives it');
    journal.keepSnapshot(taken.value, { version, shape, text: text.replace('"completed"', '"failed"') });
    expect(check(engine, run)).toEqual([expect.stringContaining(`the snapshot after event ${version}`)]);
  });

  it('keeps no snapshot while it is short', async () => {
    const journal = openMemoryJournal();
    const engine = engineOf({ journal });
    const report = await good(await engine.start(long(20))).done;
    expect(journal.snapshot(report.run)).toBeUndefined();
  });
});

describe('a long run under way', () => {
  it('keeps a snapshot while it waits for a call', async () => {
    const journal = openMemoryJournal();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const patient = defineCapability({
      name: 'work',
      description: 'Answers at once, but for the last.',
      effects: ['compute'],
      run: async (_, { step }) => {
        if (step === 'last') await gate;
        return { n: 1 };
      },
    });
    const regular = new Set<() => void>();
    const clock: Clock = {
      ...systemClock,
      wake: (after, callback) => {
        if (after !== 5_000) return systemClock.wake(after, callback);
        regular.add(callback);
        return () => regular.delete(callback);
      },
    };
    const engine = engineOf({ journal, clock, capabilities: [patient] });
    const names = Array.from({ length: 2_600 }, (_, index) => `s${index}`);
    const limit = { steps: 3_000, tool_calls: 3_000 };
    const steps = [...names.map((name) => ({ name })), { name: 'last', after: names }];
    const handle = good(await engine.start(templateOf({ concurrency: 50, budget: { limit }, steps })));
    await vi.waitFor(() => {
      for (const callback of [...regular]) callback();
      expect(journal.snapshot(handle.id)?.version).toBeGreaterThan(5_000);
    }, patience);
    expect(check(engine, handle.id)).toEqual([]);
    open();
    expect(await handle.done).toMatchObject({ status: 'completed' });
  });
});
