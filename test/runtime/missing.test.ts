// Capabilities that a plan lacks: what a run does for one, and what becomes of it.
import { afterEach, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import type { EventOf, EventType, Recorded } from '../../src/engine/event.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import type { Engine } from '../../src/runtime/engine.ts';
import type { RunOrder } from '../../src/runtime/inbox.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { missionTemplate } from '../../src/template/mission.ts';

const engines: Engine[] = [];

afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

function engineOver(journal = openMemoryJournal()): Engine {
  const engine = createEngine({ journal });
  engines.push(engine);
  return engine;
}

async function load(engine: Engine, planner: JsonObject, frame: JsonObject, goal = 'Shout') {
  const template = await engine.load(missionTemplate({ goal, planner, frame }));
  if (!template.ok) throw new Error(JSON.stringify(template.issues));
  return template.value;
}

async function start(engine: Engine, planner: JsonObject, frame: JsonObject, goal?: string) {
  const started = await engine.start(await load(engine, planner, frame, goal));
  if (!started.ok) throw new Error(JSON.stringify(started.issues));
  return started.value.done;
}

type Said = Omit<Extract<RunOrder, { readonly type: 'review' }>, 'type' | 'gate' | 'by'>;

/** How the run came to rest after it. */
async function decide(engine: Engine, run: string, gate: string, said: Said) {
  const ordered = await engine.order(run, { type: 'review', gate, by: 'ada', ...said });
  if (!ordered.ok) throw new Error(JSON.stringify(ordered.issues));
  return ordered.value.handle?.done;
}

function eventsOf(engine: Engine, run: string): readonly Recorded[] {
  const record = engine.read(run);
  if (!record.ok) throw new Error(JSON.stringify(record.issues));
  return record.value.events;
}

function only<T extends EventType>(events: readonly Recorded[], type: T): readonly EventOf<T>[] {
  return events.map(({ event }) => event).filter((event): event is EventOf<T> => event.type === type);
}

const shout = {
  name: 'text.shout',
  description: 'Writes a text large.',
  input: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
  output: { type: 'string' },
  lisp: '(str/upper-case (:text data/input))',
};

const brings = (own: Json = shout): JsonObject => ({
  kind: 'fixed',
  fragment: { capabilities: [own], steps: [{ name: 'shout', capability: 'text.shout', input: { text: 'oh' } }] },
});

describe('a capability that a plan brings along', () => {
  it('is put before a person with its contracts and its code, and serves this run once they agree', async () => {
    const engine = engineOver();
    const waiting = await start(engine, brings(), { missing: ['synthesize'] });
    expect(waiting).toMatchObject({ status: 'waiting', gates: [{ kind: 'synthesis', step: 'plan' }] });
    expect(waiting.gates?.[0]?.prompt).toContain('text.shout');
    const report = await decide(engine, waiting.run, 'g1', { verdict: 'approve' });
    expect(report).toMatchObject({ status: 'completed', output: { shout: 'OH' } });
    expect(only(eventsOf(engine, waiting.run), 'capability.registered')).toMatchObject([
      { step: 'plan', capability: { name: 'text.shout', effects: ['pure'], lisp: shout.lisp } },
    ]);
  });

  it('is refused where the template does not want any', async () => {
    const engine = engineOver();
    const report = await start(engine, brings(), {});
    expect(report.status).toBe('failed');
    expect(only(eventsOf(engine, report.run), 'step.failed')[0]?.failure.issues).toMatchObject([
      { code: 'SYNTHESIS_NOT_ALLOWED' },
    ]);
  });

  it('must compile, have both contracts, and a name that is free', async () => {
    const issuesOf = async (own: Json, frame: JsonObject = {}) => {
      const engine = engineOver();
      const report = await start(engine, brings(own), { missing: 'synthesize', ...frame });
      return only(eventsOf(engine, report.run), 'step.failed')[0]?.failure.issues?.map(({ code, path }) => [
        code,
        path,
      ]);
    };
    expect(await issuesOf({ ...shout, lisp: '(shout' })).toEqual([['LISP_PARSE', ['capabilities', 0, 'lisp']]]);
    const { output: _, ...without } = shout;
    expect(await issuesOf(without)).toEqual([['SHAPE_MISSING_KEY', ['capabilities', 0]]]);
    expect(await issuesOf({ ...shout, name: 'text.count' }, { capabilities: ['text.count'] })).toContainEqual([
      'SYNTHESIS_NAME_TAKEN',
      ['capabilities', 0, 'name'],
    ]);
  });

  it('may be edited before it is agreed to', async () => {
    const engine = engineOver();
    const { run } = await start(engine, brings(), { missing: ['synthesize'] });
    const fragment = { ...(brings({ ...shout, lisp: '(str (:text data/input) "!")' }).fragment as JsonObject) };
    const report = await decide(engine, run, 'g1', { verdict: 'edit', value: fragment });
    expect(report).toMatchObject({ status: 'completed', output: { shout: 'oh!' } });
  });

  it('is stopped when it takes too much', async () => {
    const engine = engineOver();
    const planner = brings({ ...shout, lisp: '(loop [n 0] (recur (inc n)))' });
    const { run } = await start(engine, planner, { missing: ['synthesize'], limits: { lisp: { fuel: 1000 } } });
    await decide(engine, run, 'g1', { verdict: 'approve' });
    const failed = only(eventsOf(engine, run), 'step.failed').find(({ step }) => step.endsWith('shout'));
    expect(failed?.failure.code).toBe('LISP_OUT_OF_FUEL');
  });

  it('is there again for a run that goes on in another process', async () => {
    const journal = openMemoryJournal();
    const steps = [
      { name: 'look', type: 'human_review', prompt: 'Go on?' },
      { name: 'shout', capability: 'text.shout', input: { text: 'oh' }, dependencies: ['look'] },
    ];
    const planner: JsonObject = { kind: 'fixed', fragment: { capabilities: [shout], steps } };
    const { run } = await start(engineOver(journal), planner, { missing: ['synthesize'] });
    await decide(engineOver(journal), run, 'g1', { verdict: 'approve' });
    const report = await decide(engineOver(journal), run, 'g2', { verdict: 'approve' });
    expect(report).toMatchObject({ status: 'completed', output: { shout: 'OH' } });
  });
});
