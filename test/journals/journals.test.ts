// Journals that earlier versions wrote are read as they were meant, for ever; a fixture is never written anew.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { decode, type Encoded, encode } from '../../src/engine/codec/event-codec.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { checkRun } from '../../src/view/check-run.ts';
import { standingOf } from './standing.ts';

interface Fixture {
  readonly entries: readonly Encoded[];
  readonly blobs: Readonly<Record<string, string>>;
  readonly standing: Json;
}

const folder = import.meta.dirname;
const names = readdirSync(folder).filter((name) => name.endsWith('.json'));

async function opened(name: string) {
  const { entries, blobs, standing } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Fixture;
  const journal = openMemoryJournal();
  const engine = createEngine({ journal });
  const [first] = entries;
  const holder = { host: 'here', pid: 1, nonce: 'test' };
  const lease = await journal.create({ id: 'old', title: name, createdAt: first?.at ?? 0 }, holder, 1);
  await journal.append({
    ...{ stream: 'old', expected: 0, epoch: lease.epoch, entries },
    blobs: Object.entries(blobs).map(([digest, text]) => ({ digest, text })),
  });
  const record = engine.read('old');
  if (!record.ok) throw new Error(JSON.stringify(record.issues));
  return { engine, record: record.value, entries, standing };
}

describe.each(names)('%s', (name) => {
  it('comes to what it came to when it was written, and nothing in it is broken', async () => {
    const { engine, record, standing } = await opened(name);
    expect(standingOf(record.state)).toEqual(standing);
    const { broken } = checkRun(record.template, record.events, (digest) => record.blob(digest) !== undefined);
    expect(broken).toEqual([]);
    await engine.close();
  });

  it('is written again as it is', async () => {
    const { engine, entries } = await opened(name);
    const again = entries.map((entry) => encode(decode(entry)));
    const read = (list: readonly Encoded[]) =>
      list.map(({ payload, ...rest }) => ({ ...rest, ...JSON.parse(payload) }));
    expect(read(again)).toEqual(read(entries));
    await engine.close();
  });
});

describe('templates that were stored before there were models', () => {
  it('are read with none', async () => {
    const { engine, record } = await opened('triage-refunds.before-models.json');
    expect(record.template).toMatchObject({ models: {}, agents: {}, skills: [] });
    await engine.close();
  });
});
