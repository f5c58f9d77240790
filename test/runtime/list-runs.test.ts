// The list of runs: its figures come from headers of streams, and summaries of earlier versions are completed once.
import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { defineCapability } from '../../src/capabilities/capability.ts';
import { elapsedOf } from '../../src/engine/state/state.ts';
import type { Engine } from '../../src/runtime/api/engine.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { openSqliteJournal } from '../../src/store/sqlite-journal.ts';
import { workedUntil } from '../../src/view/runs/run-summary.ts';
import { answer, engineOf, good, hurried, pathTo } from './set-up.ts';

const breaks = defineCapability({
  name: 'breaks',
  description: 'Fails.',
  effects: ['compute'],
  run: () => {
    throw new Error(`the source answered 503 ${'and more '.repeat(40)}`);
  },
});

const asking = `
name: asking
steps:
  - { name: first, handler: work }
  - { name: second, handler: breaks }
  - { name: third, handler: work, dependencies: [second] }
  - { name: check, type: human_review, prompt: "is it right?", dependencies: [first] }
`;

const calling = `
name: calling
capabilities: [{ template: ./asking.yaml }]
steps:
  - { name: sub, handler: asking }
`;

async function started(engine: Engine, text: string): Promise<string> {
  writeFileSync(pathTo('asking.yaml'), `reconverge: 1\n${asking}`);
  writeFileSync(pathTo('main.yaml'), `reconverge: 1\n${text}`);
  const { run } = await good(await engine.start(good(await engine.load('main.yaml')))).done;
  return run;
}

describe('the summary of a run', () => {
  it('has its steps by status, its failures, its working time and its oldest question', async () => {
    const engine = engineOf({ journal: openMemoryJournal(), capabilities: [answer, breaks], clock: hurried() });
    const id = await started(engine, asking);
    const { state } = good(engine.read(id));
    const [listed] = engine.runs();
    expect(elapsedOf(state)).toBeGreaterThan(0);
    expect(listed).toMatchObject({
      ...{ id, template: 'asking', status: 'waiting', gates: 1, failed: 1 },
      ...{ elapsed: elapsedOf(state) / 1_000, updatedAt: state.at },
      steps: { completed: 1, failed: 1, skipped: 1, held: 1 },
      question: { gate: 'g1', kind: 'review', step: 'check', prompt: 'is it right?' },
    });
    expect(listed).not.toHaveProperty('endedAt');
  });

  it('has the cut message of the failure that ended it, and its last instant', async () => {
    const engine = engineOf({ journal: openMemoryJournal(), capabilities: [answer, breaks] });
    await started(engine, 'name: broken\nsteps:\n  - { name: only, handler: breaks }');
    const [listed] = engine.runs();
    expect(listed).toMatchObject({ status: 'failed', failed: 1, steps: { failed: 1 } });
    expect(listed?.failure?.message).toHaveLength(160);
    expect(listed?.endedAt).toBe(listed?.updatedAt);
  });

  it('names the step that started it, its child runs, its forks and the event at which it was forked', async () => {
    const engine = engineOf({ journal: openMemoryJournal(), capabilities: [answer, breaks] });
    const parent = await started(engine, calling);
    const [child] = engine.runs();
    await good(await engine.fork(child?.id ?? '', { event: 3 })).done;
    const [fork, called, caller] = engine.runs();
    expect(caller).toMatchObject({ id: parent, children: [called?.id], question: { gate: 'g1/g1', kind: 'review' } });
    expect(called).toMatchObject({ parent, parentStep: 'sub', forks: [fork?.id] });
    expect(fork?.forked?.from).toBe(called?.id);
    expect(fork?.forked?.at).toBeGreaterThanOrEqual(3);
    expect(fork).not.toHaveProperty('parent');
  });

  it('counts the time since the last event while the run is running', () => {
    const run = {
      ...{ id: 'a', template: 't', partial: false, createdAt: 0, driven: true, gates: 0, spent: {}, limit: {} },
      ...{ elapsed: 1.5, updatedAt: 4_000 },
    };
    expect(workedUntil({ ...run, status: 'running' }, 6_000)).toBe(3_500);
    expect(workedUntil({ ...run, status: 'waiting' }, 6_000)).toBe(1_500);
  });
});

/** Takes from every summary the keys that earlier versions did not write. */
function forget(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(`UPDATE streams SET summary = json_remove(summary,
    '$.steps', '$.failed', '$.elapsed', '$.updatedAt', '$.endedAt', '$.question', '$.failure', '$.forked')`);
  database.close();
}

describe('a store of an earlier version', () => {
  it('is completed a little with each list, and wholly when the caller has the patience', async () => {
    const engine = engineOf({ capabilities: [answer, breaks] });
    for (let run = 0; run < 3; run++) await started(engine, asking);
    const whole = engine.runs();
    const file = pathTo('.reconverge', 'runs.db');
    forget(file);
    const later = engineOf({ capabilities: [answer, breaks] });
    expect(later.runs({ patience: 0 }).map(({ failed }) => failed)).toEqual([1, undefined, undefined]);
    expect(later.runs({ patience: 0 }).map(({ failed }) => failed)).toEqual([1, 1, undefined]);
    const heard: string[] = [];
    const onCompleted = (done: number, all: number): number => heard.push(`${done} of ${all}`);
    expect(later.runs({ patience: Number.POSITIVE_INFINITY, onCompleted })).toEqual(whole);
    expect(heard).toEqual(['1 of 1']);
    expect(engineOf().runs({ patience: 0 })).toEqual(whole);
  });

  it('is completed for the reader alone while nobody can write it', async () => {
    const engine = engineOf({ capabilities: [answer, breaks] });
    await started(engine, asking);
    const whole = engine.runs();
    const file = pathTo('.reconverge', 'runs.db');
    forget(file);
    const journal = { ...openSqliteJournal(file), readOnly: true };
    const reading = engineOf({ journal });
    expect(reading.runs()).toEqual(whole);
    expect(reading.runs({ patience: 0 })).toEqual(whole);
    expect(journal.streams()[0]?.summary).not.toContain('elapsed');
  });
});
