// Test cases for several connections to one store, and for outcomes, notes and snapshots.
import assert from 'node:assert/strict';
import { Fault } from '../base/fault.ts';
import { MOST_NOTES, MOST_OUTCOMES } from '../store/journal.ts';
import {
  append,
  blobOf,
  created,
  granted,
  itemOf,
  type JournalTest,
  NOW,
  refuses,
  TTL,
  TWO,
} from './journal-samples.ts';

export function connectionCases(test: JournalTest): void {
  test('each connection sees the commits of the others', async (journal, another) => {
    const other = await another();
    const lease = await created(journal, 'r1');
    await journal.append(append(lease, 0, 3));
    assert.deepEqual(other.read('r1'), journal.read('r1'));
    other.post('r1', itemOf('c1'));
    assert.deepEqual(journal.inbox('r1'), [itemOf('c1')]);
  });

  test('a connection reports a change once after commits of others, and never for its own commits', async (journal, another) => {
    const other = await another();
    const lease = await created(journal, 'r1');
    await journal.append(append(lease, 0, 1));
    assert.equal(journal.changed(), false);
    assert.equal(other.changed(), true);
    assert.equal(other.changed(), false);
    other.post('r1', itemOf('c1'));
    await journal.append(append(lease, 1, 1));
    assert.equal(journal.changed(), true);
    assert.equal(journal.changed(), false);
  });

  test('the appends of a holder are refused after a takeover through another connection', async (journal, another) => {
    const other = await another();
    const former = await created(journal, 'r1');
    const lease = granted(other, 'r1', TWO, NOW + TTL);
    await other.append(append(lease, 0, 1));
    await refuses('epoch', journal.append(append(former, 0, 1)));
  });

  test('a journal has all its data after it is closed and opened again', async (journal, another) => {
    const lease = await created(journal, 'r1');
    const blob = blobOf('"kept"');
    await journal.append({ ...append(lease, 0, 3), blobs: [blob], status: 'running' });
    journal.post('r1', itemOf('c1'));
    const before = [journal.header('r1'), journal.read('r1')];
    await journal.close();
    const reopened = await another();
    assert.deepEqual([reopened.header('r1'), reopened.read('r1')], before);
    assert.equal(reopened.blob(blob.digest), blob.text);
    assert.deepEqual(reopened.inbox('r1'), [itemOf('c1')]);
    await reopened.append(append(lease, 3, 1));
  });

  test('closing a journal commits the pending appends, and a later append is a fault', async (journal, another) => {
    const lease = await created(journal, 'r1');
    const appended = journal.append(append(lease, 0, 1));
    await journal.close();
    await appended;
    await assert.rejects(journal.append(append(lease, 1, 1)), Fault);
    assert.equal((await another()).read('r1').length, 1);
  });
}

export function keptCases(test: JournalTest): void {
  test('outcomes are stored by id, with the newest first and up to a limit', async (journal, another) => {
    assert.deepEqual(journal.outcomes(), []);
    for (let count = 0; count <= MOST_OUTCOMES; count++) journal.keepOutcomes(`r${count}`, `${count}`);
    journal.keepOutcomes('r1', '"again"');
    const kept = (await another()).outcomes();
    assert.equal(kept.length, MOST_OUTCOMES);
    assert.deepEqual(kept.slice(0, 2), ['"again"', `${MOST_OUTCOMES}`]);
    assert.equal(kept.at(-1), '2');
  });

  test('notes are stored by id for all connections, and the oldest are dropped at a limit', async (journal, another) => {
    assert.equal(journal.note('n0'), undefined);
    for (let count = 0; count < MOST_NOTES; count++) journal.keepNote(`n${count}`, `${count}`);
    journal.keepNote('n0', '"again"');
    journal.keepNote('new', '"new"');
    const others = await another();
    assert.equal(others.note('n0'), '"again"');
    assert.equal(others.note('new'), '"new"');
    assert.equal(others.note('n1'), undefined);
    assert.equal(others.note('n2'), '2');
  });

  test('all connections see the last snapshot of a stream, and only the lease holder can replace it', async (journal, another) => {
    const lease = await created(journal, 'r1');
    assert.equal(journal.snapshot('r1'), undefined);
    assert.equal(journal.snapshot('r2'), undefined);
    await journal.append(append(lease, 0, 3));
    const first = { version: 2, shape: 'a', text: '"two"' };
    const second = { version: 3, shape: 'b', text: '"three"'.repeat(1_000) };
    assert.equal(journal.keepSnapshot(lease, first), true);
    assert.deepEqual(journal.snapshot('r1'), first);
    assert.equal(journal.keepSnapshot(lease, second), true);
    assert.deepEqual((await another()).snapshot('r1'), second);
    journal.release(lease);
    assert.equal(journal.keepSnapshot(lease, first), false);
    assert.deepEqual(journal.snapshot('r1'), second);
    assert.deepEqual(journal.check(), []);
  });

  test('the check finds nothing wrong with a sound store', async (journal) => {
    const lease = await created(journal, 'r1');
    await journal.append({ ...append(lease, 0, 3), blobs: [blobOf('"well"')] });
    journal.post('r1', itemOf('c1'));
    assert.deepEqual(journal.check(), []);
  });
}
