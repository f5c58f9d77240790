// Orders to a run that no process drives: each order folds the run once, and a refused order changes nothing.
import { describe, expect, it } from 'vitest';
import { defaultRunBudget } from '../../src/budget/limits.ts';
import { encode } from '../../src/engine/codec/event-codec.ts';
import type { RunOrder } from '../../src/engine/record/order.schema.ts';
import type { Engine } from '../../src/runtime/api/engine.ts';
import { newHolder } from '../../src/store/holder.ts';
import type { Journal } from '../../src/store/journal.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { templateOf } from '../engine/template-of.ts';
import { codes, engineOf, good, hurried } from './set-up.ts';

const template = templateOf({
  steps: [
    { name: 'check', type: 'human_review', gate: { prompt: 'is it right?', onExpiry: 'fail' } },
    { name: 'after', after: ['check'] },
  ],
  budget: { limit: { ...defaultRunBudget.limit, steps: 10 } },
});

const expiring = templateOf({
  steps: [
    { name: 'check', type: 'human_review', gate: { prompt: 'is it right?', expiresIn: 1_000, onExpiry: 'fail' } },
  ],
});

const by = 'ada';

/** A journal that counts how often the events of a run are read from the first one on. */
function counting(): { readonly journal: Journal; folds(): number } {
  const journal = openMemoryJournal();
  let folds = 0;
  return {
    journal: {
      ...journal,
      read(stream, after = 0, most) {
        if (after === 0 && most !== 1) folds += 1;
        return journal.read(stream, after, most);
      },
    },
    folds: () => folds,
  };
}

/** Another driver takes the run first, raises its limit of steps and lets it go, each time before a lease is acquired. */
function raisingBeforeLease(journal: Journal, steps: number): Journal {
  return {
    ...journal,
    acquire(run, holder, now, ttl) {
      const version = journal.header(run)?.version ?? 0;
      const first = journal.acquire(run, newHolder(), now, ttl);
      if (!first.ok) throw new Error('somebody drives the run');
      const event = { type: 'budget.raised', account: 'run', limit: { steps }, by: 'ben' } as const;
      const entries = [encode({ version: version + 1, at: now, cause: 0, event })];
      void journal.append({ stream: run, expected: version, epoch: first.value.epoch, entries, blobs: [] });
      journal.release(first.value);
      return journal.acquire(run, holder, now, ttl);
    },
  };
}

async function waiting(engine: Engine, started = template): Promise<string> {
  const report = await good(await engine.start(started)).done;
  expect(report.status).toBe('waiting');
  return report.run;
}

const accepted: readonly (readonly [string, RunOrder])[] = [
  ['pause', { type: 'pause', by }],
  ['resume', { type: 'resume', by }],
  ['cancel', { type: 'cancel', by }],
  ['raise-budget', { type: 'raise-budget', account: 'run', limit: { steps: 20 }, by }],
  ['review', { type: 'review', gate: 'g1', verdict: 'approve', by }],
  ['retry-step', { type: 'retry-step', step: 'check', by }],
  ['resolve-step', { type: 'resolve-step', step: 'check', value: { approved: true }, by }],
];

const refused: readonly (readonly [string, RunOrder])[] = [
  ['BUDGET_NOT_RAISED', { type: 'raise-budget', account: 'run', limit: { steps: 5 }, by }],
  ['GATE_UNKNOWN', { type: 'review', gate: 'g7', verdict: 'approve', by }],
  ['STEP_NOT_RETRYABLE', { type: 'retry-step', step: 'after', by }],
  ['STEP_MISSING', { type: 'resolve-step', step: 'nowhere', value: 1, by }],
];

describe('an order to a run that no process drives', () => {
  it.each(accepted)('with type %s folds the run once', async (_, order) => {
    const { journal, folds } = counting();
    const engine = engineOf({ journal });
    const run = await waiting(engine);
    const before = folds();
    const { handle } = good(await engine.order(run, order));
    await handle?.done;
    expect(folds() - before).toBe(1);
  });

  it.each(refused)('that is refused with %s folds the run once and writes nothing', async (code, order) => {
    const { journal, folds } = counting();
    const engine = engineOf({ journal });
    const run = await waiting(engine);
    const [before, header] = [folds(), journal.header(run)];
    expect(codes(await engine.order(run, order))).toEqual([code]);
    expect(folds() - before).toBe(1);
    expect(journal.header(run)).toEqual(header);
  });

  it('to resume the run folds it once', async () => {
    const { journal, folds } = counting();
    const engine = engineOf({ journal });
    const run = await waiting(engine);
    const before = folds();
    await good(await engine.resume(run)).done;
    expect(folds() - before).toBe(1);
  });

  it('is checked again when another driver has written to the run meanwhile', async () => {
    const { journal, folds } = counting();
    const engine = engineOf({ journal: raisingBeforeLease(journal, 30) });
    const run = await waiting(engine);
    const before = folds();
    const order: RunOrder = { type: 'raise-budget', account: 'run', limit: { steps: 20 }, by };
    expect(codes(await engine.order(run, order))).toEqual(['BUDGET_NOT_RAISED']);
    expect(folds() - before).toBe(2);
    expect(good(engine.read(run)).state.ledger.accounts.get('run')?.limit.steps).toBe(30);
  });

  it('is checked after gates that have expired are closed', async () => {
    const { journal, folds } = counting();
    const clock = hurried();
    const engine = engineOf({ journal, clock });
    const run = await waiting(engine, expiring);
    clock.pass(2_000);
    const [before, header] = [folds(), journal.header(run)];
    expect(codes(await engine.order(run, { type: 'retry-step', step: 'check', by }))).toEqual(['STEP_NOT_RETRYABLE']);
    expect(folds() - before).toBe(2);
    expect(journal.header(run)).toEqual(header);
  });
});
