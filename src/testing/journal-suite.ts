// A suite that holds for every journal, for any test runner with `describe` and `it`.
import type { Journal } from '../store/journal.ts';
import { appendCases, refusedAppendCases, streamCases } from './journal-append-cases.ts';
import { connectionCases, keptCases } from './journal-connection-cases.ts';
import { inboxCases } from './journal-inbox-cases.ts';
import { leaseCases } from './journal-lease-cases.ts';
import { logCases } from './journal-log-cases.ts';
import type { JournalTest, JournalTestWith, StoreUnderTest, TestRunner } from './journal-samples.ts';

export function journalSuite({ describe, it }: TestRunner, name: string, open: () => Promise<StoreUnderTest>): void {
  const test: JournalTest = (sentence, body) => testWith(sentence, () => 'unknown', body);

  const testWith: JournalTestWith = (sentence, fateOf, body) => {
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
  };

  describe(`${name}: streams`, () => streamCases(test));
  describe(`${name}: appends`, () => {
    appendCases(test);
    refusedAppendCases(test);
  });
  describe(`${name}: leases`, () => leaseCases(test, testWith));
  describe(`${name}: inbox`, () => inboxCases(test));
  describe(`${name}: logs`, () => logCases(test));
  describe(`${name}: several connections`, () => {
    connectionCases(test);
    keptCases(test);
  });
}
