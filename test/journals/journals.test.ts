// Every version reads the journals of earlier versions with the same outcome. Never rewrite a fixture.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { digestOf } from '../../src/base/digest.ts';
import { present } from '../../src/base/fault.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { quantity } from '../../src/budget/amount.ts';
import { decode, type EncodedEvent, encode } from '../../src/engine/codec/event-codec.ts';
import { snapshotText, stateFrom } from '../../src/engine/codec/snapshot-codec.ts';
import { batchEnds } from '../../src/engine/state/batch-ends.ts';
import { fold, foldOn } from '../../src/engine/state/fold.ts';
import { invariants } from '../../src/engine/state/invariants.ts';
import type { RunView } from '../../src/engine/state/run-view.ts';
import { isTerminal, RUN_ACCOUNT } from '../../src/engine/state/state.ts';
import { beginningOf } from '../../src/runtime/begin/fork-beginning.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { newHolder } from '../../src/store/holder.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { checkRun } from '../../src/view/check-run.ts';
import { runDiff } from '../../src/view/diff/run-diff.ts';
import { eventLine } from '../../src/view/event-line.ts';
import { historyOf } from '../../src/view/history.ts';
import { runTree } from '../../src/view/run-tree.ts';
import { summaryOf } from '../../src/view/summary.ts';
import { burning, spentAt } from '../../src/view/times/burn.ts';
import { criticalPath } from '../../src/view/times/critical-path.ts';
import { timesOf } from '../../src/view/times/run-times.ts';
import { treeText } from '../../src/view/tree-text.ts';
import { good } from '../runtime/set-up.ts';
import { standingOf } from './standing.ts';

interface Fixture {
  readonly entries: readonly EncodedEvent[];
  readonly blobs: Readonly<Record<string, string>>;
  readonly standing: JsonObject;
}

const contents = (state: RunView) => digestOf(JSON.parse(snapshotText(state)));

const folder = import.meta.dirname;
const names = readdirSync(folder).filter((name) => name.endsWith('.json'));

async function opened(name: string) {
  const { entries, blobs, standing } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Fixture;
  const journal = openMemoryJournal();
  const engine = createEngine({ journal });
  const first = present(entries[0], 'a first event');
  const { run } = JSON.parse(first.payload) as { readonly run: string };
  const lease = await journal.create({ id: run, title: name, createdAt: first.at }, newHolder(), 1);
  await journal.append({
    ...{ stream: run, expected: 0, epoch: lease.epoch, entries },
    blobs: Object.entries(blobs).map(([digest, text]) => ({ digest, text })),
  });
  journal.release(lease);
  return { engine, record: good(engine.read(run)), entries, standing };
}

describe.each(names)('the journal %s', (name) => {
  it('has the outcome that was recorded with it, and breaks no invariant', async () => {
    const { engine, record, standing } = await opened(name);
    expect(standingOf(record.state)).toMatchObject(standing);
    const { broken } = checkRun(record.template, record.events, (digest) => record.blob(digest) !== undefined);
    expect(broken).toEqual([]);
    await engine.close();
  });

  it('is encoded again without a change', async () => {
    const { engine, entries } = await opened(name);
    const again = entries.map((entry) => encode(decode(entry)));
    const read = (list: readonly EncodedEvent[]) =>
      list.map(({ payload, ...rest }) => ({ ...rest, ...JSON.parse(payload) }));
    expect(read(again)).toEqual(read(entries));
    await engine.close();
  });

  it('can be shown after each of its events, and continued from a snapshot there', async () => {
    const { engine, record } = await opened(name);
    const { template, events } = record;
    const whole = contents(record.state);
    for (const { version } of events) {
      const seen = events.slice(0, version);
      const state = fold(template, seen);
      expect(summaryOf(state).steps).toBeDefined();
      expect(treeText(runTree(state, historyOf(seen), state.at), { columns: 80 }).length).toBeGreaterThan(0);
      expect(eventLine(present(seen.at(-1), 'an event'), 0)).not.toBe('');
      const restored = stateFrom(snapshotText(state), template);
      expect(contents(foldOn(restored, events.slice(version)))).toBe(whole);
    }
    await engine.close();
  });

  it('has times that agree with its history, its state and its ledger', async () => {
    const { engine, record } = await opened(name);
    const { template, events, state } = record;
    const times = timesOf(template, events);
    const history = historyOf(events);
    expect([...times.steps.keys()]).toEqual([...state.steps.keys()]);
    for (const [id, { planned, ready, began, ended, attempts }] of times.steps) {
      expect(ended !== undefined).toBe(isTerminal(present(state.steps.get(id), id)));
      expect(attempts.map((each) => [each.began, each.ended])).toEqual(
        (history.get(id)?.attempts ?? []).map((each) => [each.startedAt, each.endedAt]),
      );
      const inOrder = [planned, ready, began, ended].filter((time) => time !== undefined);
      expect(inOrder).toEqual(inOrder.toSorted((one, other) => one - other));
    }
    const spent = state.ledger.accounts.get(RUN_ACCOUNT)?.spent ?? {};
    for (const resource of burning) expect(spentAt(times.burn, resource, state.at)).toBe(quantity(spent, resource));
    const path = criticalPath(state, times).map((id) => times.steps.get(id)?.ended ?? state.at);
    expect(path).toEqual(path.toSorted((one, other) => one - other));
    expect(path.length).toBeGreaterThan(1);
    await engine.close();
  });

  it('can be forked at the end of each batch', async () => {
    const { engine, record } = await opened(name);
    for (const event of batchEnds(record.events).slice(0, -1)) {
      const beginning = beginningOf(record, { event }, {}, { id: 'fork', at: record.state.at, by: 'ann' });
      if (!beginning.ok) throw new Error(JSON.stringify(beginning.error));
      expect(invariants.flatMap((holds) => holds(beginning.value.state))).toEqual([]);
      const { steps, template } = runDiff(record, { ...record, ...beginning.value });
      expect({ template, ahead: steps.filter(({ left }) => left === undefined) }).toEqual({ ahead: [] });
    }
    await engine.close();
  });
});

describe('templates that were stored before models existed', () => {
  it('are read without models, agents and skills', async () => {
    const { engine, record } = await opened('triage-refunds.before-repairs.json');
    expect(record.template).toMatchObject({ models: {}, agents: {}, skills: [] });
    await engine.close();
  });
});

describe('a run of an earlier version that waits for people', () => {
  it('completes when a person answers', async () => {
    const { engine, record } = await opened('triage-refunds.before-repairs.json');
    expect(record.state.openGates.size).toBe(1);
    const { id } = record.state;
    const { handle } = good(await engine.order(id, { type: 'review', gate: 'g1', verdict: 'approve', by: 'ann' }));
    expect(await handle?.done).toMatchObject({ status: 'completed', partial: false });
    const { template, events, blob } = good(engine.read(id));
    expect(checkRun(template, events, (digest) => blob(digest) !== undefined).broken).toEqual([]);
    await engine.close();
  });
});

describe('the journals of this version', () => {
  it('contain calls, gates, fan-outs, replans, adopted steps and forks', async () => {
    const types = new Set<string>();
    for (const name of names.filter((each) => each.endsWith('.0.1.json'))) {
      const { engine, record } = await opened(name);
      for (const { event } of record.events) types.add(event.type);
      await engine.close();
    }
    const about = ['call.ended', 'gate.decided', 'fan_out.expanded', 'replan.started', 'step.adopted', 'run.forked'];
    expect(about.filter((type) => !types.has(type))).toEqual([]);
  });
});
