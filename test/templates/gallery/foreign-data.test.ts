// The templates of the gallery on data that is unlike their samples: logs of other tools, ugly tables, another database.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { readFailures } from '../../../templates/ci-failure/log.mts';
import { readSource } from '../../../templates/comparison-table/facts.mts';
import { turnValue } from '../../../templates/data-migration/values.mts';
import { formatOf, readEvents } from '../../../templates/incident-timeline/events.mts';
import { dialectOf } from '../../../templates/reconcile-statements/dialect.mts';
import { type Item, match } from '../../../templates/reconcile-statements/matching.mts';
import { copyOf, runIn } from './run-template.ts';

const ESCAPE = String.fromCharCode(27);

describe('the failures of a log', () => {
  it.each([
    [
      'go build',
      '# ex.com/m\n./sum.go:3:37: undefined: c\nFAIL\tex.com/m [build failed]',
      './sum.go:3',
      'undefined: c',
    ],
    ['gcc', `${ESCAPE}[1mx.c:2:47:${ESCAPE}[m error: expected ';'`, 'x.c:2', "expected ';'"],
    ['javac', 'jv/A.java:1: error: cannot find symbol', 'jv/A.java:1', 'cannot find symbol'],
    ['Maven', '[ERROR] /b/src/A.java:[12,5] cannot find symbol', '/b/src/A.java:12', 'cannot find symbol'],
    [
      'gh run view --log',
      'build\tCompile\t2026-10-02T07:11:54.0012345Z src/a.ts(3,5): error TS2322: no number',
      'src/a.ts:3',
      'TS2322: no number',
    ],
    [
      'unittest',
      '=====================\nFAIL: test_u (tests.T.test_u)\n---------------------\nTraceback (most recent call last):\n  File "/b/test_u.py", line 5, in test_u\nAssertionError: 3 != 2\n\nRan 1 test in 0.1s',
      'test_u (tests.T.test_u)',
      'AssertionError: 3 != 2',
    ],
    [
      'node --test',
      "not ok 1 - doubles\n  ---\n  error: '6 == 4'\n  code: 'ERR_ASSERTION'\n  ...\n1..1",
      'doubles',
      '6 == 4',
    ],
    [
      'a tool that is not there',
      '> tsc -p .\n\nsh: 1: tsc: not found',
      'sh: 1: tsc: not found',
      'sh: 1: tsc: not found',
    ],
  ])('are found in the output of %s', (_, log, test, message) => {
    expect(readFailures(log)).toMatchObject([{ test, message }]);
  });

  it('name the subtest of go that failed, and not its parent', () => {
    const log = '--- FAIL: TestHalf (0.00s)\n    --- FAIL: TestHalf/even (0.00s)\n        a_test.go:13: got 1\nFAIL\n';
    expect(readFailures(log).map(({ test }) => test)).toEqual(['TestHalf/even']);
  });

  it('do not blame the network for a module of Python that is missing', () => {
    const log =
      "_____ ERROR collecting tests/test_b.py _____\ntests/test_b.py:1: in <module>\nE   ModuleNotFoundError: No module named 'gone'\n";
    expect(readFailures(log)).toMatchObject([{ kind: 'exception' }]);
  });
});

describe('ugly statements', () => {
  it('are read with line breaks in quotes, an invoice that is listed twice, and a date that does not exist', () => {
    const text =
      '\uFEFFRechnungsnr.;Datum;Kunde;Betrag\nRE-1;01.02.2026;"Müller\nGmbH";1.234,56\nRE-2;02.02.2026;Huber;(50,00)\nRE-3;03.02.2026;Meier;99,90\nRE-3;03.02.2026;Meier;99,90\nRE-4;31.02.2026;Falsch;10,00\n';
    expect(dialectOf(Buffer.from(text)).dialect).toMatchObject({ kind: 'documents', document: 0, date: 1, amount: 3 });
  });

  it.each([
    ['', 'it is empty'],
    ['Invoice No;Date;Amount\n', 'it has a header, but no row'],
    ['Name;Note\nA;b\nC;d\n', 'it has no column of dates; its columns are Name, Note'],
  ])('say why they are no statements: %j', (text, message) => {
    expect(() => dialectOf(Buffer.from(text))).toThrow(message);
  });

  it('with 8,000 rows are matched by their references, without a comparison of each with each', () => {
    const item = (at: number, text: string, more: Partial<Item>): Item => ({
      at: `f.csv:${at}`,
      date: '2026-01-01',
      cents: at,
      currency: 'EUR',
      text,
      ...more,
    });
    const rows = Array.from({ length: 4_000 }, (_, at) => at + 1);
    const documents = rows.map((at) => item(at, '', { document: `R-2026-${String(at).padStart(5, '0')}` }));
    const payments = rows.map((at) => item(at, `thanks, r 2026/${at}`, {}));
    const groups = match(documents, payments, { rounding: 0, discounts: [] });
    expect(groups).toHaveLength(4_000);
    expect(new Set(groups.map(({ reason }) => reason))).toEqual(new Set(['exact']));
  });
});

describe('logs of other services', () => {
  it('by journald are read with their microseconds and priorities', () => {
    const line = '{"__REALTIME_TIMESTAMP":"1777802400000000","PRIORITY":"3","MESSAGE":"pool exhausted","_PID":"1"}';
    expect(formatOf([line]).format).toBe('json');
    expect(readEvents(line, 'json', 2000)).toMatchObject([
      { time: 1_777_802_400_000, level: 'error', text: 'pool exhausted' },
    ]);
  });

  it('without a year make a timeline of the year of the input', async () => {
    const log = Array.from({ length: 20 }, (_, at) => `May 03 10:00:${10 + at} host app[1]: ERROR pool timeout`).join(
      '\n',
    );
    const folder = copyOf('incident-timeline', { 'mine/app.log': log, 'mine/db.log': log });
    const { report, output } = await runIn<{ began: string }>(folder, { input: { folder: 'mine', year: 2026 } });
    expect(report).toMatchObject({ status: 'completed', partial: false });
    expect(output.began).toBe('2026-05-03T10:00:10.000Z');
  });
});

describe('values of another database', () => {
  it('keep the cents of numbers, which have no separators of thousands', () => {
    const rule = { from: 'price', as: 'cents' } as const;
    expect(turnValue(rule, 0.1 + 0.2)).toEqual({ value: 30 });
    expect(turnValue(rule, 1.234)).toEqual({ problem: 'price has parts of a cent' });
    expect(turnValue(rule, '1.234')).toEqual({ value: 123_400 });
  });

  it('are chosen whatever the case of their spelling', () => {
    const rule = { from: 'state', as: 'choice', values: { Open: [], Closed: ['DONE'] } } as const;
    expect(turnValue(rule, 'open')).toEqual({ value: 'Open' });
    expect(turnValue(rule, 'done')).toEqual({ value: 'Closed' });
  });

  it.each([
    ['ball', 'no column "ball", but no, bal'],
    ['', 'lists no table'],
  ])('are not looked for by a mapping that is wrong (%j)', async (from, message) => {
    const tables = from === '' ? [] : [{ target: 'a', source: 'acc', key: 'no', create: [], columns: { c: { from } } }];
    const folder = copyOf('data-migration', { 'data/m.json': JSON.stringify({ tables, figures: {} }) });
    const db = new DatabaseSync(join(folder, 'data/m.db'));
    db.exec('CREATE TABLE acc (no INTEGER PRIMARY KEY, bal REAL); INSERT INTO acc VALUES (1, 2)');
    db.close();
    const { report } = await runIn(folder, { input: { database: 'data/m.db', mapping: 'data/m.json' } });
    expect(report.status).toBe('failed');
    expect(JSON.stringify(report)).toContain(JSON.stringify(message).slice(1, -1));
  });
});

describe('pages of a package', () => {
  it('state nothing in their examples of code, and have a title without badges', () => {
    const page =
      '# tool <sup>[![Version][npm-svg]][npm-url]</sup>\n\nLicense: MIT\n\n```js\nconst a = 1\nport: 80\n```\n\nSize: 3 kB\n';
    const { subject, facts } = readSource(page, 'tool.md');
    expect(subject).toBe('tool');
    expect(facts.map(({ name, value, line }) => [name, value, line])).toEqual([
      ['License', 'MIT', 3],
      ['Size', '3 kB', 10],
    ]);
  });
});
