// What every journal does, as a suite for any test runner with `describe` and `it`.
import assert from 'node:assert/strict';
import { digestOfText } from '../base/digest.ts';
import { Fault } from '../base/fault.ts';
import { LONGEST_STREAM } from '../store/append-refused.ts';
import { type Entry, type Journal, MOST_OUTCOMES } from '../store/journal.ts';
import { type FateOf, FIRST_EPOCH, type Lease } from '../store/lease.ts';
import { inboxCases } from './inbox-cases.ts';
import {
  append,
  blobOf,
  created,
  entryOf,
  granted,
  HELD,
  idsOf,
  isRefusal,
  itemOf,
  NOW,
  ONE,
  refuses,
  type StoreUnderTest,
  type TestRunner,
  TTL,
  TWO,
  takenItem,
  versionsOf,
} from './journal-samples.ts';

export function journalSuite({ describe, it }: TestRunner, name: string, open: () => Promise<StoreUnderTest>): void {
  /** A test that is handed a journal and the way to connect further ones. */
  function test(sentence: string, body: (journal: Journal, another: () => Promise<Journal>) => Promise<void>): void {
    testWith(sentence, () => 'unknown', body);
  }

  function testWith(sentence: string, fateOf: FateOf, body: Parameters<typeof test>[1]): void {
    it(sentence, async () => {
      const store = await open();
      const journals: Journal[] = [];
      const connect = async (): Promise<Journal> => {
        const journal = await store.connect(fateOf);
        journals.push(journal);
        return journal;
      };
      try {
        await body(await connect(), connect);
      } finally {
        for (const journal of journals) await journal.close();
        await store.remove();
      }
    });
  }

  describe(`${name}: streams`, () => {
    test('knows nothing of a stream that was not created', async (journal) => {
      assert.equal(journal.header('r1'), undefined);
      assert.deepEqual(journal.read('r1'), []);
      assert.deepEqual(journal.inbox('r1'), []);
      assert.deepEqual(journal.streams(), []);
    });

    test('creates a stream with its first lease', async (journal) => {
      assert.deepEqual(await created(journal, 'r1'), { stream: 'r1', epoch: FIRST_EPOCH, holder: ONE });
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
  });

  describe(`${name}: appends`, () => {
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

    test('keeps a text once, for all streams that refer to it', async (journal) => {
      const [one, two] = await Promise.all([created(journal, 'r1'), created(journal, 'r2')]);
      const blob = blobOf(JSON.stringify('long '.repeat(50_000)));
      await journal.append({ ...append(one, 0, 1), blobs: [blob, blob] });
      await journal.append({ ...append(two, 0, 1), blobs: [blob] });
      assert.equal(journal.blob(blob.digest), blob.text);
      assert.equal(journal.blob(digestOfText('none')), undefined);
    });
  });

  describe(`${name}: leases`, () => {
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
  });

  describe(`${name}: inbox`, () => inboxCases(test));

  describe(`${name}: several connections`, () => {
    test('shows each what the others have committed', async (journal, another) => {
      const other = await another();
      const lease = await created(journal, 'r1');
      await journal.append(append(lease, 0, 3));
      assert.deepEqual(other.read('r1'), journal.read('r1'));
      other.post('r1', itemOf('c1'));
      assert.deepEqual(journal.inbox('r1'), [itemOf('c1')]);
    });

    test('notices what another has committed, once, and not its own commits', async (journal, another) => {
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

    test('fences a holder whose lease was taken over through another connection', async (journal, another) => {
      const other = await another();
      const former = await created(journal, 'r1');
      const lease = granted(other, 'r1', TWO, NOW + TTL);
      await other.append(append(lease, 0, 1));
      await refuses('epoch', journal.append(append(former, 0, 1)));
    });

    test('keeps everything when it is closed and opened again', async (journal, another) => {
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

    test('commits what waits when it is closed, and calls a later write a fault', async (journal, another) => {
      const lease = await created(journal, 'r1');
      const appended = journal.append(append(lease, 0, 1));
      await journal.close();
      await appended;
      await assert.rejects(journal.append(append(lease, 1, 1)), Fault);
      assert.equal((await another()).read('r1').length, 1);
    });

    test('keeps outcomes by id, the newest first, and no more than it says', async (journal, another) => {
      assert.deepEqual(journal.outcomes(), []);
      for (let count = 0; count <= MOST_OUTCOMES; count++) journal.keepOutcomes(`r${count}`, `${count}`);
      journal.keepOutcomes('r1', '"again"');
      const kept = (await another()).outcomes();
      assert.equal(kept.length, MOST_OUTCOMES);
      assert.deepEqual(kept.slice(0, 2), ['"again"', `${MOST_OUTCOMES}`]);
      assert.equal(kept.at(-1), '2');
    });

    test('keeps the last snapshot of a stream, for all, under its lease alone', async (journal, another) => {
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

    test('finds nothing wrong with a store that is well', async (journal) => {
      const lease = await created(journal, 'r1');
      await journal.append({ ...append(lease, 0, 3), blobs: [blobOf('"well"')] });
      journal.post('r1', itemOf('c1'));
      assert.deepEqual(journal.check(), []);
    });
  });
}
