// Listeners of a run: they are called after the commit, and their errors are warnings that never reach the run.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { defineCapability } from '../../src/capabilities/capability.ts';
import type { Listener } from '../../src/runtime/api/engine.ts';
import type { Append, Journal } from '../../src/store/journal.ts';
import { emptyMemory, openMemoryJournal } from '../../src/store/memory-journal.ts';
import { StoreRefused } from '../../src/store/store-refused.ts';
import { templateOf } from '../engine/template-of.ts';
import { engineOf, good } from './set-up.ts';

const chain = templateOf({ steps: [{ name: 'a' }, { name: 'b', after: ['a'] }, { name: 'c', after: ['b'] }] });

/** Collects the warnings that the process emits, as `type: message`. */
function warnings(): readonly string[] {
  const told: string[] = [];
  vi.spyOn(process, 'emitWarning').mockImplementation((warning, options) => {
    const type = typeof options === 'object' && 'type' in options ? options.type : '';
    told.push(`${type}: ${String(warning)}`);
  });
  return told;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a listener that fails', () => {
  const failing: readonly (readonly [string, Listener])[] = [
    [
      'throws',
      () => {
        throw new Error('no more room');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no more room'))],
  ];

  it.each(failing)('because it %s causes one warning, and the run completes', async (_, onEvents) => {
    const told = warnings();
    let calls = 0;
    const listener: Listener = (...given) => {
      calls += 1;
      return onEvents(...given);
    };
    const engine = engineOf();
    const handle = good(await engine.start(chain, { onEvents: listener }));
    expect(await handle.done).toMatchObject({ status: 'completed' });
    expect(calls).toBeGreaterThan(1);
    expect(told).toEqual([`ListenerWarning: onEvents of run ${handle.id} failed, and the run goes on: no more room`]);
  });

  it('leaves the same events in the journal as a listener that works', async () => {
    warnings();
    const types = async (onEvents: Listener): Promise<readonly string[]> => {
      const engine = engineOf({ journal: openMemoryJournal() });
      const handle = good(await engine.start(chain, { onEvents }));
      await handle.done;
      return good(engine.read(handle.id)).events.map(({ event }) => event.type);
    };
    const broken: Listener = () => {
      throw new Error('no more room');
    };
    expect(await types(broken)).toEqual(await types(() => undefined));
  });

  it('on an event of a plan is still called with the later events', async () => {
    const told = warnings();
    const seen: string[] = [];
    const plan = { rationale: 'one call', steps: [{ name: 'look', capability: 'look', input: {} }] };
    const outcome = good(
      await engineOf().execute(plan, 'look', {
        baseTools: { look: () => 'seen' },
        onEvent: ({ event }) => {
          seen.push(event.type);
          throw new Error('no more room');
        },
      }),
    );
    expect(outcome).toMatchObject({ status: 'completed' });
    expect(seen).toContain('run.ended');
    expect(told).toEqual([expect.stringMatching(/^ListenerWarning: onEvent of run \w+ failed/)]);
  });

  it('on log messages does not fail the handler that logs', async () => {
    const told = warnings();
    const logging = defineCapability({
      name: 'work',
      description: 'Logs.',
      effects: ['compute'],
      run: (_, { log }) => {
        log('at work');
        return 1;
      },
    });
    const onLog = (): void => {
      throw new Error('no more room');
    };
    const handle = good(await engineOf({ capabilities: [logging], onLog }).start(chain));
    expect((await handle.done).status).toBe('completed');
    expect(told).toHaveLength(1);
  });
});

describe('a listener', () => {
  /** A journal that fails at the append with this number, like a process that ends before its commit or right after it. */
  function ending(memory: ReturnType<typeof emptyMemory>, last: number, when: 'before' | 'after'): Journal {
    const journal = openMemoryJournal({ memory });
    const refused = new StoreRefused('STORE_FULL', 'the store of this test');
    let appends = 0;
    return {
      ...journal,
      async append(append: Append) {
        appends += 1;
        if (appends < last) return journal.append(append);
        if (when === 'after' && appends === last) await journal.append(append);
        throw refused;
      },
    };
  }

  const crashes = [1, 2, 3, 4].flatMap((last) => [
    { last, when: 'before' as const },
    { last, when: 'after' as const },
  ]);

  it.each(crashes)(
    'receives no event of append $last when the process ends $when its commit',
    async ({ last, when }) => {
      const memory = emptyMemory();
      const seen: number[] = [];
      const committed: number[] = [];
      const engine = engineOf({ journal: ending(memory, last, when) });
      const reader = openMemoryJournal({ memory });
      const handle = good(
        await engine.start(chain, {
          onEvents(events, state) {
            seen.push(...events.map(({ version }) => version));
            committed.push(reader.header(state.id)?.version ?? 0);
          },
        }),
      );
      await expect(handle.done).rejects.toThrow(StoreRefused);
      const durable = reader.header(handle.id)?.version ?? 0;
      expect(seen).toEqual(seen.map((_, index) => index + 1));
      expect(committed.every((version, call) => version >= (seen[call] ?? 0))).toBe(true);
      expect(seen.length).toBeLessThanOrEqual(durable);
      if (when === 'before') expect(seen).toHaveLength(durable);
      else expect(seen.length).toBeLessThan(durable);
    },
  );

  it('with a slow promise does not delay the run', async () => {
    const engine = engineOf();
    const handle = good(
      await engine.start(chain, {
        onEvents: () => new Promise((resolve) => setTimeout(resolve, 60_000).unref()),
      }),
    );
    expect((await handle.done).status).toBe('completed');
  });
});
