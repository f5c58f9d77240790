// Clocks that are set during a run: waits do not become longer, and running steps are not aborted earlier.
import { describe, expect, it } from 'vitest';
import type { Duration } from '../../src/base/quantity.ts';
import { defineCapability } from '../../src/capabilities/capability.ts';
import type { Engine } from '../../src/runtime/api/engine.ts';
import { type Clock, steadyClock } from '../../src/runtime/ports/clock.ts';
import { emptyMemory, openMemoryJournal } from '../../src/store/memory-journal.ts';
import { templateOf } from '../engine/template-of.ts';
import { engineOf, good } from './set-up.ts';

const DAY = 86_400_000;
/** Longer than the pace of the driver, shorter than the time limit of a run. */
const WAIT = 60_000;
const SLACK = 10_000;

interface SettableClock extends Clock {
  /** Moves the time of day; no time passes. */
  set(by: Duration): void;
  /** The elapsed time of the clock. */
  passed(): Duration;
  /** Stops the clock: no timer fires any more. */
  stand(): void;
  pass(duration: Duration): void;
}

/** A clock that jumps to the next wake-up when the process is idle. */
function settable({ steady = true }: { readonly steady?: boolean } = {}): SettableClock {
  const sleepers = new Set<{ readonly at: number; readonly callback: () => void }>();
  let elapsed = 5_000;
  let ahead = 1_800_000_000_000;
  let stands = false;
  const next = (): void => {
    const [first] = [...sleepers].sort((one, other) => one.at - other.at);
    if (stands || first === undefined) return;
    sleepers.delete(first);
    elapsed = Math.max(elapsed, first.at);
    first.callback();
  };
  return {
    now: () => ahead + elapsed,
    ...(steady ? { elapsed: () => elapsed } : {}),
    set: (by) => {
      ahead += by;
    },
    passed: () => elapsed,
    stand: () => {
      stands = true;
    },
    pass: (duration) => {
      elapsed += duration;
    },
    wake: (after, callback) => {
      const sleeper = { at: elapsed + after, callback };
      sleepers.add(sleeper);
      setImmediate(next);
      return () => sleepers.delete(sleeper);
    },
  };
}

const retry = { maxAttempts: 2, backoff: 'none', base: 0, max: 0, jitter: 0 } as const;
const retried = {
  name: 'a',
  onFailure: 'retry',
  retry: { ...retry, base: WAIT, max: WAIT, backoff: 'linear' },
} as const;

/** A capability whose first call calls `then` and fails. */
function failingOnce(then: () => void = () => undefined) {
  let calls = 0;
  const capability = defineCapability({
    name: 'work',
    description: 'Fails at first.',
    effects: ['compute'],
    run: () => {
      calls += 1;
      if (calls > 1) return { n: calls };
      then();
      throw new Error('not yet');
    },
  });
  return { capability, calls: () => calls };
}

/** An engine over a given store, like an engine of another process. */
function over(memory: ReturnType<typeof emptyMemory>, clock: Clock, capability = failingOnce().capability): Engine {
  return engineOf({ journal: openMemoryJournal({ memory }), clock, capabilities: [capability] });
}

describe.each([
  ['a clock that counts elapsed time', true],
  ['a clock that only tells the time of day', false],
])('with %s, a retry', (_, steady) => {
  it.each([-3 * DAY, -1_800_000_000_000])(
    'waits no longer when the clock is set by %d ms while it waits',
    async (by) => {
      const clock = settable({ steady });
      const { capability, calls } = failingOnce(() => clock.set(by));
      const engine = over(emptyMemory(), clock, capability);
      const began = clock.passed();
      const report = await good(await engine.start(templateOf({ steps: [retried] }))).done;
      expect(report.status).toBe('completed');
      expect(calls()).toBe(2);
      expect(clock.passed() - began).toBeGreaterThanOrEqual(WAIT);
      expect(clock.passed() - began).toBeLessThan(WAIT + SLACK);
    },
  );

  it('waits no longer when the run is resumed at a time days before its last event', async () => {
    const clock = settable({ steady });
    const memory = emptyMemory();
    const { capability, calls } = failingOnce(() => clock.stand());
    const first = over(memory, clock, capability);
    const handle = good(await first.start(templateOf({ steps: [retried] })));
    for await (const { event } of handle.events) if (event.type === 'attempt.failed') break;
    handle.stop();
    handle.stop();
    await handle.done;
    const later = settable({ steady });
    later.set(-3 * DAY);
    const began = later.passed();
    const report = await good(await over(memory, later, capability).resume(handle.id)).done;
    expect(report.status).toBe('completed');
    expect(calls()).toBe(2);
    expect(later.passed() - began).toBeLessThan(WAIT + SLACK);
  });
});

describe('a clock that is set while a step runs', () => {
  it.each([-3 * DAY, 3 * DAY])('by %d ms changes neither its timeout nor the time of the run', async (by) => {
    const clock = settable();
    let begun = 0;
    const slow = defineCapability({
      name: 'work',
      description: 'Never answers.',
      effects: ['compute'],
      run: () => {
        begun = clock.passed();
        clock.set(by);
        return new Promise<null>(() => undefined);
      },
    });
    const template = templateOf({
      steps: [
        { name: 'a', timeout: WAIT },
        { name: 'b', after: ['a'] },
      ],
      budget: { wallClock: 2 * WAIT },
    });
    const report = await good(await over(emptyMemory(), clock, slow).start(template)).done;
    expect(report).toMatchObject({ status: 'failed', failure: { code: 'STEP_TIMEOUT' } });
    expect(clock.passed() - begun).toBeLessThan(WAIT + SLACK);
    expect(report.elapsed * 1_000).toBeGreaterThanOrEqual(WAIT);
    expect(report.elapsed * 1_000).toBeLessThan(WAIT + SLACK);
  });

  it.each([-3 * DAY, 3 * DAY])('by %d ms does not move the end of the time limit of a run', async (by) => {
    const clock = settable();
    let begun = 0;
    const slow = defineCapability({
      name: 'work',
      description: 'Never answers.',
      effects: ['compute'],
      run: () => {
        begun = clock.passed();
        clock.set(by);
        return new Promise<null>(() => undefined);
      },
    });
    const template = templateOf({ steps: [{ name: 'a', timeout: DAY }], budget: { wallClock: WAIT } });
    const report = await good(await over(emptyMemory(), clock, slow).start(template)).done;
    expect(report.failure?.code).toBe('BUDGET_EXCEEDED');
    expect(Math.abs(clock.passed() - begun - WAIT)).toBeLessThan(SLACK);
  });
});

describe('a gate that expires', () => {
  const asking = templateOf({
    steps: [{ name: 'check', type: 'human_review', gate: { prompt: 'right?', expiresIn: WAIT, onExpiry: 'fail' } }],
  });

  it('expires in time while a driver waits, even if the clock is set back', async () => {
    const clock = settable();
    const engine = over(emptyMemory(), clock);
    const handle = good(await engine.start(asking, { wait: true, onEvents: () => clock.set(-DAY) }));
    const began = clock.passed();
    expect((await handle.done).status).toBe('failed');
    expect(clock.passed() - began).toBeLessThan(WAIT + SLACK);
  });

  it('expires in time after the clock is set back between drivers, even if several drivers resume the run', async () => {
    const clock = settable();
    const memory = emptyMemory();
    const { run } = await good(await over(memory, clock).start(asking)).done;
    clock.set(-3 * DAY);
    const statuses: string[] = [];
    for (let looks = 0; looks < 4; looks += 1) {
      statuses.push((await good(await over(memory, clock).resume(run)).done).status);
      if (statuses.includes('failed')) break;
      clock.pass(WAIT / 2);
    }
    expect(statuses).toEqual(['waiting', 'waiting', 'failed']);
  });

  it('refuses an answer after its time', async () => {
    const clock = settable();
    const memory = emptyMemory();
    const { run } = await good(await over(memory, clock).start(asking)).done;
    clock.set(-3 * DAY);
    const engine = over(memory, clock);
    await good(await engine.resume(run)).done;
    clock.pass(2 * WAIT);
    const answered = await engine.order(run, { type: 'review', gate: 'g1', verdict: 'approve', by: 'ada' });
    expect(answered.ok ? [] : answered.error.map(({ code }) => code)).toEqual(['GATE_CLOSED']);
  });
});

describe('events', () => {
  it('have times that never decrease when the clock is set', async () => {
    const clock = settable();
    const engine = over(emptyMemory(), clock);
    const times: number[] = [];
    const onEvents = (events: readonly { readonly at: number }[]): void => {
      times.push(...events.map(({ at }) => at));
      clock.set(times.length % 2 === 0 ? -DAY : DAY);
    };
    await good(await engine.start(templateOf({ steps: [retried] }), { onEvents })).done;
    expect(times.length).toBeGreaterThan(3);
    expect(times).toEqual([...times].sort((one, other) => one - other));
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThan(WAIT + SLACK);
  });
});

it('a steady clock counts whole milliseconds over a clock with fractions of milliseconds', () => {
  let elapsed = 0.75;
  const clock = steadyClock({ now: () => 1_000, elapsed: () => elapsed, wake: () => () => undefined }, 5);
  elapsed += 2.5;
  expect(clock.now()).toBe(1_007);
});
