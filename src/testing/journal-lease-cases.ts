// Test cases for the leases of every journal: a stream has one live holder.
import assert from 'node:assert/strict';
import {
  append,
  created,
  granted,
  HELD,
  isRefusal,
  type JournalTest,
  type JournalTestWith,
  NOW,
  ONE,
  refuses,
  TTL,
  TWO,
} from './journal-samples.ts';

export function leaseCases(test: JournalTest, testWith: JournalTestWith): void {
  test('a lease that has not expired is refused to others, with its holder and its expiry', async (journal) => {
    await created(journal, 'r1');
    assert.deepEqual(journal.acquire('r1', TWO, NOW + TTL - 1, TTL), HELD);
  });

  test('an expired lease is granted to another holder, under a higher epoch', async (journal) => {
    const former = await created(journal, 'r1');
    const lease = granted(journal, 'r1', TWO, NOW + TTL);
    assert.ok(lease.epoch > former.epoch);
    assert.deepEqual(journal.header('r1')?.holder, TWO);
    assert.equal(journal.header('r1')?.heldUntil, NOW + 2 * TTL);
  });

  test('the appends of a holder are refused after its lease was taken over', async (journal) => {
    const former = await created(journal, 'r1');
    const lease = granted(journal, 'r1', TWO, NOW + TTL);
    await refuses('epoch', journal.append(append(former, 0, 1)));
    await journal.append(append(lease, 0, 1));
    await refuses('epoch', journal.append(append(former, 1, 1)));
    assert.equal(journal.read('r1').length, 1);
  });

  testWith(
    'the lease of a dead holder is granted to another at once',
    (holder) => (holder.nonce === ONE.nonce ? 'dead' : 'unknown'),
    async (journal) => {
      await created(journal, 'r1');
      const lease = granted(journal, 'r1', TWO, NOW + 1);
      await journal.append(append(lease, 0, 1));
      assert.equal(journal.acquire('r1', ONE, NOW + 2, TTL).ok, false);
    },
  );

  testWith(
    'the lease of a live holder never expires',
    () => 'alive',
    async (journal) => {
      await created(journal, 'r1');
      assert.equal(journal.acquire('r1', TWO, NOW + 10 * TTL, TTL).ok, false);
      granted(journal, 'r1', ONE, NOW + 10 * TTL);
    },
  );

  test('a holder can acquire its own lease again, and appends under the former lease are refused', async (journal) => {
    const former = await created(journal, 'r1');
    const lease = granted(journal, 'r1', ONE, NOW + 1);
    await refuses('epoch', journal.append(append(former, 0, 1)));
    await journal.append(append(lease, 0, 1));
  });

  test('a lease can be renewed until another holder takes it over', async (journal) => {
    const former = await created(journal, 'r1');
    assert.equal(journal.renew(former, NOW + TTL - 1, TTL), true);
    assert.equal(journal.acquire('r1', TWO, NOW + TTL, TTL).ok, false);
    granted(journal, 'r1', TWO, NOW + 2 * TTL);
    assert.equal(journal.renew(former, NOW + 2 * TTL, TTL), false);
    assert.deepEqual(journal.header('r1')?.holder, TWO);
  });

  test('a released lease is free for others, and appends under it are refused', async (journal) => {
    const former = await created(journal, 'r1');
    journal.release(former);
    assert.equal(journal.header('r1')?.holder, undefined);
    await refuses('epoch', journal.append(append(former, 0, 1)));
    assert.equal(journal.renew(former, NOW, TTL), false);
    const lease = granted(journal, 'r1', TWO, NOW + 1);
    journal.release(former);
    await journal.append(append(lease, 0, 1));
  });

  test('releasing a lease commits the pending appends first', async (journal) => {
    const lease = await created(journal, 'r1');
    const appended = journal.append(append(lease, 0, 1));
    journal.release(lease);
    await appended;
    assert.equal(journal.read('r1').length, 1);
  });

  test('the lease of an unknown stream is refused', async (journal) => {
    assert.throws(() => journal.acquire('r1', ONE, NOW, TTL), isRefusal('unknown'));
  });
}
