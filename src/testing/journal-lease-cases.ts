// The leases of every journal: one live holder per stream.
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
  test('refuses the lease of a live holder and says who has it until when', async (journal) => {
    await created(journal, 'r1');
    assert.deepEqual(journal.acquire('r1', TWO, NOW + TTL - 1, TTL), HELD);
  });

  test('gives an expired lease to another, under a higher epoch', async (journal) => {
    const former = await created(journal, 'r1');
    const lease = granted(journal, 'r1', TWO, NOW + TTL);
    assert.ok(lease.epoch > former.epoch);
    assert.deepEqual(journal.header('r1')?.holder, TWO);
    assert.equal(journal.header('r1')?.heldUntil, NOW + 2 * TTL);
  });

  test('refuses the append of a holder whose lease was taken over', async (journal) => {
    const former = await created(journal, 'r1');
    const lease = granted(journal, 'r1', TWO, NOW + TTL);
    await refuses('epoch', journal.append(append(former, 0, 1)));
    await journal.append(append(lease, 0, 1));
    await refuses('epoch', journal.append(append(former, 1, 1)));
    assert.equal(journal.read('r1').length, 1);
  });

  testWith(
    'takes over at once from a holder that is known to be dead',
    (holder) => (holder.nonce === ONE.nonce ? 'dead' : 'unknown'),
    async (journal) => {
      await created(journal, 'r1');
      const lease = granted(journal, 'r1', TWO, NOW + 1);
      await journal.append(append(lease, 0, 1));
      assert.equal(journal.acquire('r1', ONE, NOW + 2, TTL).ok, false);
    },
  );

  testWith(
    'does not let the lease of a holder expire that is known to be alive',
    () => 'alive',
    async (journal) => {
      await created(journal, 'r1');
      assert.equal(journal.acquire('r1', TWO, NOW + 10 * TTL, TTL).ok, false);
      granted(journal, 'r1', ONE, NOW + 10 * TTL);
    },
  );

  test('gives a holder its own lease again, and fences its former one', async (journal) => {
    const former = await created(journal, 'r1');
    const lease = granted(journal, 'r1', ONE, NOW + 1);
    await refuses('epoch', journal.append(append(former, 0, 1)));
    await journal.append(append(lease, 0, 1));
  });

  test('prolongs a lease that is held, and no other', async (journal) => {
    const former = await created(journal, 'r1');
    assert.equal(journal.renew(former, NOW + TTL - 1, TTL), true);
    assert.equal(journal.acquire('r1', TWO, NOW + TTL, TTL).ok, false);
    granted(journal, 'r1', TWO, NOW + 2 * TTL);
    assert.equal(journal.renew(former, NOW + 2 * TTL, TTL), false);
    assert.deepEqual(journal.header('r1')?.holder, TWO);
  });

  test('frees a lease that is given back, and refuses appends under it', async (journal) => {
    const former = await created(journal, 'r1');
    journal.release(former);
    assert.equal(journal.header('r1')?.holder, undefined);
    await refuses('epoch', journal.append(append(former, 0, 1)));
    assert.equal(journal.renew(former, NOW, TTL), false);
    const lease = granted(journal, 'r1', TWO, NOW + 1);
    journal.release(former);
    await journal.append(append(lease, 0, 1));
  });

  test('commits what waits before a lease is given back', async (journal) => {
    const lease = await created(journal, 'r1');
    const appended = journal.append(append(lease, 0, 1));
    journal.release(lease);
    await appended;
    assert.equal(journal.read('r1').length, 1);
  });

  test('has no lease for a stream that does not exist', async (journal) => {
    assert.throws(() => journal.acquire('r1', ONE, NOW, TTL), isRefusal('unknown'));
  });
}
