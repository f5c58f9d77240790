// Test cases for the log lines of a journal.
import assert from 'node:assert/strict';
import type { Journal, LogRow } from '../store/journal.ts';
import { append, created, type JournalTest, NOW } from './journal-samples.ts';

const origin = { step: 'fetch', attempt: 1, delivery: 1, call: 0, source: '', trace: '' } as const;

function lineOf(n: number, changes: Partial<LogRow> = {}): LogRow {
  return { at: NOW + n, severity: 9, origin, message: `line ${n}`, data: '', ...changes };
}

function messagesOf(journal: Journal, ...query: Parameters<Journal['logs']>): readonly string[] {
  return journal.logs(...query).map(({ message }) => message);
}

export function logCases(test: JournalTest): void {
  test('log lines are committed with the next append, numbered in their order', async (journal, another) => {
    const lease = await created(journal, 'r1');
    const data = JSON.stringify({ rows: 3 });
    journal.keepLogs('r1', [lineOf(1), lineOf(2, { severity: 13, data })]);
    journal.keepLogs('r1', [lineOf(3, { message: 'long '.repeat(1_000) })]);
    await journal.append(append(lease, 0, 1));
    const expected = [
      { ...lineOf(1), number: 1 },
      { ...lineOf(2, { severity: 13, data }), number: 2 },
      { ...lineOf(3, { message: 'long '.repeat(1_000) }), number: 3 },
    ];
    assert.deepEqual(journal.logs('r1'), expected);
    assert.deepEqual((await another()).logs('r1'), expected);
    assert.equal(journal.logTotals('r1').lines, 3);
    assert.equal(journal.header('r1')?.version, 1);
    assert.deepEqual(journal.check(), []);
  });

  test('log lines are committed without an append, soon or at the latest when the journal is closed', async (journal, another) => {
    await created(journal, 'r1');
    const other = await another();
    other.changed();
    journal.keepLogs('r1', [lineOf(1)]);
    while (!other.changed()) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.deepEqual(messagesOf(other, 'r1'), ['line 1']);
    journal.keepLogs('r1', [lineOf(2)]);
    await journal.close();
    assert.deepEqual(messagesOf(other, 'r1'), ['line 1', 'line 2']);
    journal.keepLogs('r1', [lineOf(3)]);
    assert.equal(other.logTotals('r1').lines, 2);
  });

  test('log lines are chosen by step, attempt, severity and number, from the beginning or from the end', async (journal) => {
    const lease = await created(journal, 'r1');
    const again = { ...origin, attempt: 2 };
    const other = {
      ...origin,
      step: 'sum',
      call: 3,
      source: 'stderr',
      trace: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    };
    journal.keepLogs('r1', [lineOf(1), lineOf(2, { origin: other }), lineOf(3, { origin: again, severity: 17 })]);
    journal.keepLogs('r1', [lineOf(4, { origin: again }), lineOf(5, { origin: other, severity: 5 })]);
    await journal.append(append(lease, 0, 1));
    assert.deepEqual(journal.logs('r1')[1]?.origin, other);
    assert.deepEqual(messagesOf(journal, 'r1', { steps: ['fetch'] }), ['line 1', 'line 3', 'line 4']);
    assert.deepEqual(messagesOf(journal, 'r1', { steps: ['fetch'], attempt: 2 }), ['line 3', 'line 4']);
    assert.deepEqual(messagesOf(journal, 'r1', { steps: ['sum', 'fetch'], most: 2 }), ['line 1', 'line 2']);
    assert.deepEqual(messagesOf(journal, 'r1', { severity: 13 }), ['line 3']);
    assert.deepEqual(messagesOf(journal, 'r1', { severity: 9, after: 2 }), ['line 3', 'line 4']);
    assert.deepEqual(messagesOf(journal, 'r1', { before: 3, until: NOW + 1 }), ['line 1']);
    assert.deepEqual(messagesOf(journal, 'r1', { before: 5, most: 2, last: true }), ['line 3', 'line 4']);
    assert.deepEqual(messagesOf(journal, 'r1', { most: 2 }), ['line 1', 'line 2']);
    assert.deepEqual(messagesOf(journal, 'r1', { most: 2, last: true }), ['line 4', 'line 5']);
    assert.deepEqual(messagesOf(journal, 'r1', { steps: ['fetch'], most: 1, last: true }), ['line 4']);
    assert.deepEqual(messagesOf(journal, 'r1', { steps: ['no such step'] }), []);
  });

  test('log lines of a stream are apart from those of others, and an unknown stream has none', async (journal) => {
    const lease = await created(journal, 'r1');
    await created(journal, 'r2');
    journal.keepLogs('r2', [lineOf(1)]);
    journal.keepLogs('r1', [lineOf(2)]);
    journal.keepLogs('no such stream', [lineOf(3)]);
    await journal.append(append(lease, 0, 1));
    assert.deepEqual(messagesOf(journal, 'r1'), ['line 2']);
    assert.deepEqual(messagesOf(journal, 'r2'), ['line 1']);
    assert.deepEqual(messagesOf(journal, 'no such stream'), []);
    assert.deepEqual(journal.logTotals('no such stream'), { lines: 0, characters: 0 });
  });
}
