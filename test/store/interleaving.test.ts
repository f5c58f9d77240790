// Appends to several streams in any order: accepted events read back, and refused ones leave no trace.
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestOfText } from '../../src/base/digest.ts';
import type { Append, Entry, Journal } from '../../src/store/journal.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { openSqliteJournal } from '../../src/store/sqlite-journal.ts';
import { inFolder } from './store-folder.ts';

const STREAMS = ['r0', 'r1', 'r2'];
const HOLDER = { host: 'one', pid: 11, nonce: 'a' };
const CREATED = 1_790_000_000_000;

/** An append, the errors of its expected version and its epoch, and whether the tick ends after it. */
const deed = fc.record({
  stream: fc.constantFrom(...STREAMS),
  off: fc.constantFrom(0, 0, 0, 0, -1, 1),
  stale: fc.constantFrom(0, 0, 0, 0, 1),
  status: fc.option(fc.string(), { nil: undefined }),
  records: fc.array(
    fc.record({
      type: fc.integer({ min: 0, max: 255 }),
      at: fc.integer({ min: 0, max: 8_640_000_000_000 }),
      cause: fc.nat(),
      payload: fc.json(),
    }),
    { maxLength: 4 },
  ),
  tickEnds: fc.boolean(),
});
type Deed = typeof deed extends fc.Arbitrary<infer D> ? D : never;

interface Model {
  readonly entries: Entry[];
  status: string;
}

async function holds(journal: Journal, deeds: readonly Deed[]): Promise<void> {
  for (const id of STREAMS) await journal.create({ id, title: id, createdAt: CREATED }, HOLDER, 1_000);
  const models = new Map(STREAMS.map((id): [string, Model] => [id, { entries: [], status: '' }]));
  const texts = new Map<string, boolean>();
  let tick: Promise<void>[] = [];
  for (const [index, each] of deeds.entries()) {
    const model = models.get(each.stream) as Model;
    const expected = model.entries.length + each.off;
    const entries = each.records.map((record, at): Entry => ({ version: expected + at + 1, ...record }));
    const text = JSON.stringify(`blob ${index}`);
    const append: Append = {
      stream: each.stream,
      expected,
      epoch: 1 + each.stale,
      entries,
      blobs: [{ digest: digestOfText(text), text }],
      ...(each.status === undefined ? {} : { status: each.status }),
    };
    const refused = each.off !== 0 || each.stale !== 0;
    texts.set(text, !refused);
    if (!refused) {
      model.entries.push(...entries);
      model.status = each.status ?? model.status;
    }
    const reason = each.stale === 0 ? 'version' : 'epoch';
    tick.push(
      refused
        ? expect(journal.append(append)).rejects.toMatchObject({ name: 'AppendRefused', reason })
        : journal.append(append),
    );
    if (each.tickEnds) {
      await Promise.all(tick);
      tick = [];
    }
  }
  await Promise.all(tick);
  for (const [id, model] of models) {
    expect(journal.read(id)).toEqual(model.entries);
    expect(journal.header(id)).toMatchObject({ version: model.entries.length, status: model.status });
  }
  for (const [text, kept] of texts) expect(journal.blob(digestOfText(text))).toBe(kept ? text : undefined);
  expect(journal.check()).toEqual([]);
}

describe('interleaved appends to several streams', () => {
  it('are read back equal from memory if accepted, and leave no trace if refused', () =>
    fc.assert(fc.asyncProperty(fc.array(deed, { maxLength: 25 }), (deeds) => holds(openMemoryJournal(), deeds))));

  it('are read back equal from a file if accepted, and leave no trace if refused', () =>
    inFolder(async (folder) => {
      let stores = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(deed, { maxLength: 25 }), async (deeds) => {
          stores += 1;
          const journal = openSqliteJournal(join(folder, `${stores}.db`), { durability: 'relaxed' });
          await holds(journal, deeds).finally(() => journal.close());
        }),
      );
    }));
});
