// The streams and appends of every journal.
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
  test('knows nothing of a stream that was not created', async (journal) => {
    assert.equal(journal.header('r1'), undefined);
    assert.deepEqual(journal.read('r1'), []);
    assert.deepEqual(journal.inbox('r1'), []);
    assert.deepEqual(journal.streams(), []);
  });

  test('creates a stream with its first lease', async (journal) => {
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

  test('refuses an id that exists and leaves its stream alone', async (journal) => {
    const lease = await created(journal, 'r1');
    await journal.append(append(lease, 0, 2));
    await refuses('exists', journal.create({ id: 'r1', title: 'other', createdAt: NOW + 1 }, TWO, TTL));
    assert.equal(journal.header('r1')?.title, 'title of r1');
    assert.equal(journal.read('r1').length, 2);
  });

  test('lists the newest first, as many as asked for', async (journal) => {
    for (const id of ['r1', 'r2', 'r3']) await created(journal, id);
    assert.deepEqual(idsOf(journal.streams()), ['r3', 'r2', 'r1']);
    assert.deepEqual(idsOf(journal.streams(2)), ['r3', 'r2']);
    assert.deepEqual(journal.streams()[0], journal.header('r3'));
  });

  test('shows the status and summary of the last append that had them', async (journal) => {
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
  test('reads back what was appended, in order of version', async (journal) => {
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

  test('reads the entries after a version', async (journal) => {
    const lease = await created(journal, 'r1');
    await journal.append(append(lease, 0, 5));
    assert.deepEqual(versionsOf(journal.read('r1', 3)), [4, 5]);
    assert.deepEqual(journal.read('r1', 5), []);
    assert.deepEqual(versionsOf(journal.read('r1', 1, 2)), [2, 3]);
    assert.deepEqual(versionsOf(journal.read('r1', 3, 9)), [4, 5]);
  });

  test('shows nothing of an append before it is committed', async (journal) => {
    const lease = await created(journal, 'r1');
    const blob = blobOf('"later"');
    const appended = journal.append({ ...append(lease, 0, 1), blobs: [blob], status: 'running' });
    assert.deepEqual(journal.read('r1'), []);
    assert.equal(journal.blob(blob.digest), undefined);
    assert.equal(journal.header('r1')?.status, '');
    await appended;
    assert.equal(journal.read('r1').length, 1);
  });

  test('waits with the commit until the tick ends, for what its promises may add', async (journal) => {
    const lease = await created(journal, 'r1');
    const first = journal.append(append(lease, 0, 1));
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    assert.deepEqual(journal.read('r1'), []);
    const second = journal.append(append(lease, 1, 1));
    await first;
    assert.equal(journal.read('r1').length, 2);
    await second;
  });

  test('takes a stream and its first appends in one tick, in the order they were made', async (journal) => {
    const lease: Lease = { stream: 'r1', epoch: FIRST_EPOCH, holder: ONE };
    await Promise.all([
      created(journal, 'r1'),
      journal.append(append(lease, 0, 2)),
      journal.append(append(lease, 2, 3)),
    ]);
    assert.deepEqual(versionsOf(journal.read('r1')), [1, 2, 3, 4, 5]);
  });

  test('undoes no neighbour when one stream of a tick is refused', async (journal) => {
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

  test('keeps a text once, for all streams that refer to it', async (journal) => {
    const [one, two] = await Promise.all([created(journal, 'r1'), created(journal, 'r2')]);
    const blob = blobOf(JSON.stringify('long '.repeat(50_000)));
    await journal.append({ ...append(one, 0, 1), blobs: [blob, blob] });
    await journal.append({ ...append(two, 0, 1), blobs: [blob] });
    assert.equal(journal.blob(blob.digest), blob.text);
    assert.equal(journal.blob(digestOfText('none')), undefined);
  });
}

export function refusedAppendCases(test: JournalTest): void {
  test('refuses an append to a stream that does not exist', async (journal) => {
    await refuses('unknown', journal.append(append({ stream: 'r1', epoch: FIRST_EPOCH, holder: ONE }, 0, 1)));
  });

  test('refuses an append that expects another version, below or above', async (journal) => {
    const lease = await created(journal, 'r1');
    await journal.append(append(lease, 0, 2));
    await refuses('version', journal.append(append(lease, 1, 1)));
    await refuses('version', journal.append(append(lease, 3, 1)));
    assert.deepEqual(versionsOf(journal.read('r1')), [1, 2]);
  });

  test('refuses an append that no stream has room for', async (journal) => {
    const lease = await created(journal, 'r1');
    await refuses('full', journal.append(append(lease, LONGEST_STREAM, 1)));
  });

  test('leaves no trace of an append that is refused', async (journal) => {
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

  test('calls entries that leave a gap a fault, and writes none of them', async (journal) => {
    const lease = await created(journal, 'r1');
    const entries = [entryOf(1), entryOf(3)];
    await assert.rejects(journal.append({ ...append(lease, 0, 0), entries, status: 'gap' }), Fault);
    assert.deepEqual(journal.read('r1'), []);
    assert.equal(journal.header('r1')?.status, '');
  });
}
