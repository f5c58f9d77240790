// Test cases for the inbox of every journal.
import assert from 'node:assert/strict';
import type { Journal } from '../store/journal.ts';
import { append, created, isRefusal, itemOf, takenItem } from './journal-samples.ts';

export function inboxCases(test: (sentence: string, body: (journal: Journal) => Promise<void>) => void): void {
  test('items stay in the inbox in the order in which they were posted, until they are taken', async (journal) => {
    const lease = await created(journal, 'r1');
    const items = [itemOf('c2'), itemOf('c1'), itemOf('c3')];
    for (const item of items) assert.equal(journal.post('r1', item), true);
    assert.deepEqual(journal.inbox('r1'), items);
    await journal.append({ ...append(lease, 0, 1), taken: [takenItem('c2'), takenItem('c3')] });
    assert.deepEqual(journal.inbox('r1'), [itemOf('c1')]);
  });

  test('each stream accepts the id of an item only once, even after the item was taken', async (journal) => {
    const lease = await created(journal, 'r1');
    await created(journal, 'r2');
    assert.equal(journal.post('r1', itemOf('c1')), true);
    assert.equal(journal.post('r1', { ...itemOf('c1'), why: 'again' }), false);
    await journal.append({ ...append(lease, 0, 0), taken: [takenItem('c1')] });
    assert.equal(journal.post('r1', itemOf('c1')), false);
    assert.deepEqual(journal.inbox('r1'), []);
    assert.equal(journal.post('r2', itemOf('c1')), true);
  });

  test('the answer to an item is available once the item is taken, and never changes', async (journal) => {
    const lease = await created(journal, 'r1');
    journal.post('r1', itemOf('c1'));
    assert.equal(journal.answer('r1', 'c1'), undefined);
    await journal.append({ ...append(lease, 0, 1), taken: [{ id: 'c1', answer: '{"first":true}' }] });
    await journal.append({ ...append(lease, 1, 0), taken: [{ id: 'c1', answer: '{"second":true}' }] });
    assert.equal(journal.answer('r1', 'c1'), '{"first":true}');
    assert.equal(journal.answer('r1', 'c2'), undefined);
    assert.equal(journal.answer('r2', 'c1'), undefined);
  });

  test('an item of a megabyte is stored in full', async (journal) => {
    await created(journal, 'r1');
    const item = { ...itemOf('c1'), command: JSON.stringify({ plan: 'grüß 🌍 '.repeat(100_000) }) };
    journal.post('r1', item);
    assert.deepEqual(journal.inbox('r1'), [item]);
  });

  test('an item for an unknown stream is refused', async (journal) => {
    assert.throws(() => journal.post('r1', itemOf('c1')), isRefusal('unknown'));
  });
}
