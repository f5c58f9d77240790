// Views of runs: types keep listeners and readers from writing to a run, and `paranoid` refuses their writes at run time.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Fault } from '../../src/base/fault.ts';
import { watchInvariants } from '../../src/engine/state/invariants.ts';
import type { RunView } from '../../src/engine/state/run-view.ts';
import { newState } from '../../src/engine/state/state.ts';
import type { RunRecord } from '../../src/runtime/api/run-record.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { readState } from '../../src/runtime/journal/read-run.ts';
import { guardedView } from '../../src/runtime/ports/guarded-view.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { templateOf } from '../engine/template-of.ts';
import { engineOf, good } from './set-up.ts';

const template = templateOf({
  steps: [
    { name: 'check', type: 'human_review', gate: { prompt: 'is it right?', onExpiry: 'fail' } },
    { name: 'after', after: ['check'] },
  ],
});

/** The compiler refuses each of these writes; at run time a write changes the state unless the view is guarded. */
const writes: Readonly<Record<string, (state: RunView) => void>> = {
  'a key of the run': (state) => {
    // @ts-expect-error a view is read only
    state.status = 'ended';
  },
  'the steps of the run': (state) => {
    // @ts-expect-error a view is read only
    state.steps.clear();
  },
  'a key of a step': (state) => {
    for (const step of state.steps.values()) {
      // @ts-expect-error a view is read only
      step.status = 'completed';
    }
  },
  'the steps that are ready': (state) => {
    // @ts-expect-error a view is read only
    state.ready.add('after');
  },
  'the steps that a gate holds': (state) => {
    for (const [, gate] of state.gates) {
      // @ts-expect-error a view is read only
      gate.holds.clear();
    }
  },
  'the limit of an account': (state) => {
    const account = state.ledger.accounts.get('run');
    // @ts-expect-error a view is read only
    if (account !== undefined) account.limit = {};
  },
  'a list of the run': (state) => {
    // @ts-expect-error a view is read only
    state.differed.push('nothing');
  },
  'the template': (state) => {
    // @ts-expect-error a view is read only
    state.template.name = 'other';
  },
  'the graph of the run': (state) => {
    // @ts-expect-error a view is read only
    state.graph.keys.set('other', '1000000');
  },
  'a key that it deletes': (state) => {
    // @ts-expect-error a view is read only
    delete state.folder;
  },
};

async function waiting(paranoid: boolean): Promise<RunRecord> {
  const engine = engineOf({ paranoid });
  const report = await good(await engine.start(template)).done;
  return good(engine.read(report.run));
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a record of a paranoid engine', () => {
  it.each(Object.entries(writes))('throws when somebody writes to %s', async (_, write) => {
    const { state } = await waiting(true);
    const before = JSON.stringify([...state.steps.values()]);
    expect(() => write(state)).toThrow(Fault);
    expect(JSON.stringify([...state.steps.values()])).toBe(before);
    expect(state.status).toBe('running');
  });

  it('has the same keys and values as an unguarded state', async () => {
    const { state } = await waiting(true);
    const plain = (await waiting(false)).state;
    expect([...state.steps.keys()]).toEqual([...plain.steps.keys()]);
    expect(state.steps.get('check')).toBe(state.steps.get('check'));
    expect(state.steps.get('check')).toMatchObject({ status: 'held', spec: { type: 'human_review' } });
    expect([...state.openGates]).toEqual([...plain.openGates]);
    expect(state.steps).toBeInstanceOf(Map);
    expect(state.steps.size).toBe(2);
    expect(structuredClone([...state.openGates])).toEqual(['g1']);
  });
});

describe('a listener of a paranoid engine', () => {
  it.each(Object.entries(writes))('is warned about when it writes to %s, and changes nothing', async (_, write) => {
    const told: string[] = [];
    vi.spyOn(process, 'emitWarning').mockImplementation((warning) => {
      told.push(String(warning));
    });
    const engine = engineOf({ paranoid: true });
    const handle = good(await engine.start(template, { onEvents: (_events, state) => write(state) }));
    expect((await handle.done).status).toBe('waiting');
    expect(told).toEqual([expect.stringContaining('a view of a run can only be read')]);
    expect(good(engine.read(handle.id)).state.steps.get('check')?.status).toBe('held');
  });
});

describe('a listener in JavaScript', () => {
  // biome-ignore lint/suspicious/noExplicitAny: stands for a program without types
  const attempts: Readonly<Record<string, (events: any, state: any) => void>> = {
    'a map': (_, { steps }) => steps.clear(),
    'a map by its prototype': (_, { steps }) => Map.prototype.set.call(steps, 'x', {}),
    'a map by its descriptor': (_, state) => Object.getOwnPropertyDescriptor(state, 'steps')?.value.clear(),
    'a map in forEach': (_, { steps }) =>
      steps.forEach((step: object, id: string, all: Map<string, object>) => {
        all.set(id, step);
      }),
    'a key': (_, state) => Object.assign(state, { status: 'ended' }),
    'a nested list': (_, { steps }) => [...steps.values()][0].spec.dependencies.push('x'),
    'a step in the graph': (_, { graph }) =>
      graph.living.forEachNode((_key: string, step: object) => Object.assign(step, { status: 'failed' })),
    'an entry of the graph': (_, { graph }) => {
      for (const { attributes } of graph.living.nodeEntries()) attributes.status = 'failed';
    },
    'a private field of the graph': (_, { graph }) => graph.living._nodes.clear(),
  };

  it.each(Object.entries(attempts))('cannot write to %s', async (_, attempt) => {
    let refused: unknown;
    const engine = createEngine({ journal: openMemoryJournal(), learning: false });
    const onEvents = (events: unknown, state: unknown): void => {
      try {
        attempt(events, state);
      } catch (error) {
        refused ??= error;
      }
    };
    const handle = good(await engine.start(template, { onEvents }));
    expect((await handle.done).status).toBe('waiting');
    expect(refused).toBeInstanceOf(Error);
    expect(good(engine.read(handle.id)).state.steps.get('check')?.status).toBe('held');
    await engine.close();
  });

  it('changes only its own copy of the events, which it may send on', async () => {
    const engine = createEngine({ journal: openMemoryJournal(), learning: false });
    // biome-ignore lint/suspicious/noExplicitAny: stands for a program without types
    const onEvents = (events: any): void => {
      structuredClone(events);
      for (const { event } of events) event.type = 'hacked';
      events.push({});
    };
    const handle = good(await engine.start(template, { onEvents }));
    expect((await handle.done).status).toBe('waiting');
    const types = good(engine.read(handle.id)).events.map(({ event }) => event.type);
    expect(types).toContain('run.started');
    expect(types).not.toContain('hacked');
    await engine.close();
  });

  it('cannot write to the graph that an engine hands out', async () => {
    const engine = createEngine({ journal: openMemoryJournal(), learning: false });
    const handle = good(await engine.start(template));
    await handle.done;
    const graph = good(engine.graph(handle.id));
    const key = graph.keyOf('check') ?? '';
    // @ts-expect-error: attributes are read only
    expect(() => (Object.assign(graph.getNodeAttributes(key), {}).status = 'x')).toThrow();
    expect(graph.getNodeAttributes(key).id).toBe('check');
    expect(graph.mapNodes((_, { id }) => id)).toContain('check');
    expect(graph.copy().order).toBe(graph.order);
    await engine.close();
  });
});

describe('a guarded view', () => {
  it('shows later writes of the owner of the state', () => {
    const state = newState(template);
    const view = guardedView(state);
    state.version = 7;
    state.ready.add('after');
    expect(view.version).toBe(7);
    expect(view.ready.has('after')).toBe(true);
  });
});

describe('a paranoid engine', () => {
  it('drives a sound run to its end', async () => {
    const engine = engineOf({ paranoid: true });
    const handle = good(await engine.start(templateOf({ steps: [{ name: 'a' }, { name: 'b', after: ['a'] }] })));
    expect((await handle.done).status).toBe('completed');
  });

  it('throws a fault for a state that breaks an invariant', async () => {
    const journal = openMemoryJournal();
    const report = await good(await engineOf({ journal }).start(template)).done;
    const state = good(readState(journal, report.run));
    expect(() => watchInvariants()(state, [])).not.toThrow();
    state.live += 1;
    expect(() => watchInvariants()(state, [])).toThrow(Fault);
  });
});
