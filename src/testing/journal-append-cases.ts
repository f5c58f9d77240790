// Test cases for the streams and appends of every journal.
import assert from 'node:assert/strict';
import { digestOfText } from '../base/digest.ts';
import { Fault } from '../base/fault.ts';
import { LONGEST_STREAM } from '../store/append-refused.ts';
import type { Entry } from '../store/journal.ts';
import { FIRST_EPOCH, type Lease } from '../store/lease.ts';
import {
  append,
  blobOf,
  created,
  entryOf,
  idsOf,
  itemOf,
  type JournalTest,
  NOW,
  ONE,
  refuses,
  TTL,
  TWO,
  takenItem,
  versionsOf,
} from './journal-samples.ts';

export function streamCases(test: JournalTest): void {
  test('a stream that was not created has no header, no entries and no inbox', async (journal) => {
    assert.equal(journal.header('r1'), undefined);
    assert.deepEqual(journal.read('r1'), []);
    assert.deepEqual(journal.inbox('r1'), []);
    assert.deepEqual(journal.streams(), []);
  });

  test('creating a stream also grants its first lease', async (journal) => {
    const lease = await created(journal, 'r1');
    assert.deepEqual(lease, { stream: 'r1', epoch: FIRST_EPOCH, holder: ONE });
    assert.deepEqual(journal.header('r1'), {
      id: 'r1',
      title: 'title of r1',
      createdAt: NOW,
      version: 0,
      status: '',
      summary: '{}',
      holder: ONE,
      heldUntil: NOW + TTL,
    });
  });

  test('an id that exists is refused, and its stream stays unchanged', async (journal) => {
    const lease = await created(journal, 'r1');
    await journal.append(append(lease, 0, 2));
    await refuses('exists', journal.create({ id: 'r1', title: 'other', createdAt: NOW + 1 }, TWO, TTL));
    assert.equal(journal.header('r1')?.title, 'title of r1');
    assert.equal(journal.read('r1').length, 2);
  });

  test('streams are listed with the newest first, up to the given limit', async (journal) => {
    for (const id of ['r1', 'r2', 'r3']) await created(journal, id);
    assert.deepEqual(idsOf(journal.streams()), ['r3', 'r2', 'r1']);
    assert.deepEqual(idsOf(journal.streams(2)), ['r3', 'r2']);
    assert.deepEqual(journal.streams()[0], journal.header('r3'));
  });

  test('a summary that was found later replaces the summary of a stream that has not grown since', async (journal) => {
    const lease = await created(journal, 'r1');
    await created(journal, 'r2');
    await journal.append({ ...append(lease, 0, 2), summary: '{"steps":1}' });
    journal.keepSummaries([
      { stream: 'r1', version: 2, summary: '{"steps":2}' },
      { stream: 'r2', version: 1, summary: '{"steps":3}' },
      { stream: 'r3', version: 0, summary: '{"steps":4}' },
    ]);
    assert.equal(journal.header('r1')?.summary, '{"steps":2}');
    assert.equal(journal.header('r1')?.version, 2);
    assert.equal(journal.header('r2')?.summary, '{}');
    assert.deepEqual(idsOf(journal.streams()), ['r2', 'r1']);
  });

  test('a header has the status and the summary of the last append that set them', async (journal) => {
    const lease = await created(journal, 'r1');
    await journal.append({ ...append(lease, 0, 1), status: 'running', summary: '{"steps":1}' });
    await journal.append(append(lease, 1, 1));
    assert.equal(journal.header('r1')?.status, 'running');
    assert.equal(journal.header('r1')?.summary, '{"steps":1}');
    await journal.append({ ...append(lease, 2, 0), status: 'completed' });
    assert.equal(journal.header('r1')?.status, 'completed');
    assert.equal(journal.header('r1')?.summary, '{"steps":1}');
    assert.equal(journal.header('r1')?.version, 2);
  });
}

export function appendCases(test: JournalTest): void {
  test('appended entries are read back unchanged, in the order of their versions', async (journal) => {
    const lease = await created(journal, 'r1');
    const entries: readonly Entry[] = [
      { version: 1, type: 0, at: NOW, cause: 0, payload: '{}' },
      { version: 2, type: 250, at: NOW - 5_000, cause: 1, payload: '{"text":"grüß 🌍 \\u0000 \' \\" \\n"}' },
      { version: 3, type: 3, at: NOW + 90_000_000_000, cause: 2, payload: JSON.stringify('x'.repeat(100_000)) },
    ];
    await journal.append({ ...append(lease, 0, 0), entries: entries.slice(0, 1) });
    await journal.append({ ...append(lease, 1, 0), entries: entries.slice(1) });
    assert.deepEqual(journal.read('r1'), entries);
  });

  test('entries can be read after one version and up to another', async (journal) => {
    const lease = await created(journal, 'r1');
    await journal.append(append(lease, 0, 5));
    assert.deepEqual(versionsOf(journal.read('r1', 3)), [4, 5]);
    assert.deepEqual(journal.read('r1', 5), []);
    assert.deepEqual(versionsOf(journal.read('r1', 1, 2)), [2, 3]);
    assert.deepEqual(versionsOf(journal.read('r1', 3, 9)), [4, 5]);
  });

  test('an append is invisible until it is committed', async (journal) => {
    const lease = await created(journal, 'r1');
    const blob = blobOf('"later"');
    const appended = journal.append({ ...append(lease, 0, 1), blobs: [blob], status: 'running' });
    assert.deepEqual(journal.read('r1'), []);
    assert.equal(journal.blob(blob.digest), undefined);
    assert.equal(journal.header('r1')?.status, '');
    await appended;
    assert.equal(journal.read('r1').length, 1);
  });

  test('appends of one tick are committed together at the end of the tick', async (journal) => {
    const lease = await created(journal, 'r1');
    const first = journal.append(append(lease, 0, 1));
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    assert.deepEqual(journal.read('r1'), []);
    const second = journal.append(append(lease, 1, 1));
    await first;
    assert.equal(journal.read('r1').length, 2);
    await second;
  });

  test('a stream can be created and appended to in one tick, and the appends keep their order', async (journal) => {
    const lease: Lease = { stream: 'r1', epoch: FIRST_EPOCH, holder: ONE };
    await Promise.all([
      created(journal, 'r1'),
      journal.append(append(lease, 0, 2)),
      journal.append(append(lease, 2, 3)),
    ]);
    assert.deepEqual(versionsOf(journal.read('r1')), [1, 2, 3, 4, 5]);
  });

  test('a refused append undoes no appends to other streams in the same tick', async (journal) => {
    const leases = await Promise.all(['r1', 'r2', 'r3'].map((id) => created(journal, id)));
    const appends = leases.map((lease) => append(lease, lease.stream === 'r2' ? 7 : 0, 2));
    const results = await Promise.allSettled(appends.map((each) => journal.append(each)));
    assert.deepEqual(
      results.map((result) => result.status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(
      leases.map((lease) => journal.read(lease.stream).length),
      [2, 0, 2],
    );
  });

  test('a text is read back by its digest, even if several appends of several streams contain it', async (journal) => {
    const [one, two] = await Promise.all([created(journal, 'r1'), created(journal, 'r2')]);
    const blob = blobOf(JSON.stringify('long '.repeat(50_000)));
    await journal.append({ ...append(one, 0, 1), blobs: [blob, blob] });
    await journal.append({ ...append(two, 0, 1), blobs: [blob] });
    assert.equal(journal.blob(blob.digest), blob.text);
    assert.equal(journal.blob(digestOfText('none')), undefined);
  });
}

export function refusedAppendCases(test: JournalTest): void {
  test('an append to an unknown stream is refused', async (journal) => {
    await refuses('unknown', journal.append(append({ stream: 'r1', epoch: FIRST_EPOCH, holder: ONE }, 0, 1)));
  });

  test('an append that expects a lower or a higher version is refused', async (journal) => {
    const lease = await created(journal, 'r1');
    await journal.append(append(lease, 0, 2));
    await refuses('version', journal.append(append(lease, 1, 1)));
    await refuses('version', journal.append(append(lease, 3, 1)));
    assert.deepEqual(versionsOf(journal.read('r1')), [1, 2]);
  });

  test('an append that makes a stream too long is refused', async (journal) => {
    const lease = await created(journal, 'r1');
    await refuses('full', journal.append(append(lease, LONGEST_STREAM, 1)));
  });

  test('a refused append leaves no trace', async (journal) => {
    const lease = await created(journal, 'r1');
    journal.post('r1', itemOf('c1'));
    const before = journal.header('r1');
    const blob = blobOf('"refused"');
    const refused = {
      ...append(lease, 4, 1),
      blobs: [blob],
      status: 'done',
      summary: '{"a":1}',
      taken: [takenItem('c1')],
    };
    await refuses('version', journal.append(refused));
    assert.deepEqual(journal.header('r1'), before);
    assert.deepEqual(journal.read('r1'), []);
    assert.equal(journal.blob(blob.digest), undefined);
    assert.deepEqual(journal.inbox('r1'), [itemOf('c1')]);
  });

  test('entries with a gap between their versions are a fault, and none of them is stored', async (journal) => {
    const lease = await created(journal, 'r1');
    const entries = [entryOf(1), entryOf(3)];
    await assert.rejects(journal.append({ ...append(lease, 0, 0), entries, status: 'gap' }), Fault);
    assert.deepEqual(journal.read('r1'), []);
    assert.equal(journal.header('r1')?.status, '');
  });
}
