// csv.sniff, csv.profile and csv.match_keys on real files, broken ones included.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvAggregate, csvProfile, csvRead, csvSniff } from '../../../src/capabilities/catalog/csv.ts';
import { csvMatchKeys } from '../../../src/capabilities/catalog/csv-match-keys.ts';
import type { ColumnProfile } from '../../../src/capabilities/formats/column-profile.ts';
import { failureFrom, folderWith, resultFrom } from '../workbench.ts';

async function sniff(text: string | Uint8Array): Promise<unknown> {
  return resultFrom(csvSniff, { path: 'a.csv' }, await folderWith({ 'a.csv': text }));
}

async function profile(text: string): Promise<{ rows: number; columns: ColumnProfile[] }> {
  const result = await resultFrom(csvProfile, { path: 'a.csv' }, await folderWith({ 'a.csv': text }));
  return result as unknown as { rows: number; columns: ColumnProfile[] };
}

describe('csv.sniff', () => {
  test('finds delimiter, header, types, missing values and keys', async () => {
    const text =
      'id,name,price,on,at\n1,Ann,1.5,true,2024-01-01\n2,"B, b",,false,2024-01-02T10:00:00Z\n3,Ann,2,true,\n';
    expect(await sniff(text)).toEqual({
      path: 'a.csv',
      delimiter: ',',
      encoding: 'utf-8',
      header: true,
      columns: [
        { name: 'id', type: 'integer', missing: 0, unique: true },
        { name: 'name', type: 'string', missing: 0, unique: false },
        { name: 'price', type: 'number', missing: 1, unique: false },
        { name: 'on', type: 'boolean', missing: 0, unique: false },
        { name: 'at', type: 'datetime', missing: 1, unique: false },
      ],
      rows: 3,
      complete: true,
      sample: [
        ['1', 'Ann', '1.5', 'true', '2024-01-01'],
        ['2', 'B, b', '', 'false', '2024-01-02T10:00:00Z'],
        ['3', 'Ann', '2', 'true', ''],
      ],
    });
  });

  test.each([
    [';', 'a;b;c\n1,5;2,5;x\n3,5;4,5;"y;z"\n', 3],
    ['\t', 'a\tb\n"one, two, three"\t2\n', 2],
    ['|', 'a|b\n1|2\n', 2],
    [',', 'name\nAnn\nBob\n', 1],
  ])('is not misled about the delimiter %j', async (delimiter, text, columns) => {
    expect(await sniff(text)).toMatchObject({ delimiter, columns: { length: columns } });
  });

  test('invents names for columns without one', async () => {
    expect(await sniff('id,,id\n1,2,3\n')).toMatchObject({
      header: true,
      columns: [{ name: 'id' }, { name: 'column_2' }, { name: 'id_2' }],
    });
    expect(await sniff('1,2\n3,4\n')).toMatchObject({
      header: false,
      rows: 2,
      columns: [{ name: 'column_1' }, { name: 'column_2' }],
    });
  });

  test('reads Latin-1, UTF-16, byte order marks, any line ending and blank lines', async () => {
    const latin = Buffer.from('Ort;Straße\r\nKöln;Große Allee\r\n', 'latin1');
    expect(await sniff(latin)).toMatchObject({
      encoding: 'windows-1252',
      columns: [{ name: 'Ort' }, { name: 'Straße' }],
    });
    const wide = Buffer.from('\ufeffa,b\n1,ö\n', 'utf16le');
    expect(await sniff(wide)).toMatchObject({
      encoding: 'utf-16le',
      columns: [{ name: 'a' }, { name: 'b' }],
      sample: [['1', 'ö']],
    });
    expect(await sniff('\ufeffa,b\r\n1,2\r\n\r\n3,4')).toMatchObject({
      columns: [{ name: 'a' }, { name: 'b' }],
      rows: 2,
    });
  });

  test('reads codes, invalid dates and large numbers as strings', async () => {
    expect(await sniff('zip,day,big\n00501,2024-02-30,12345678901234567890\n')).toMatchObject({
      columns: [{ type: 'string' }, { type: 'string' }, { type: 'string' }],
    });
  });

  test('stops at the size limit, between two rows', async () => {
    const base = await folderWith({ 'a.csv': `n,text\n${'1,"two\nlines"\n'.repeat(1000)}` });
    const result = await resultFrom(csvSniff, { path: 'a.csv', max_bytes: 7 + 14 * 10 }, base);
    expect(result).toMatchObject({ rows: 10, complete: false, columns: [{ type: 'integer' }, { type: 'string' }] });
  });
});

describe('a file that is no table', () => {
  test.each([
    ['a ragged row', 'a,b\n1,2\n3,4,5\n', 'a.csv:3: 3 fields where the first line has 2'],
    [
      'an unclosed quote',
      'a,b\n1,2\n3,"x\n4,5\n6,7\n',
      'a.csv:3: a quoted field begins and does not end before the file does',
    ],
    ['a stray quote', 'a,b\n1,2\n3,x"y\n', 'a.csv:3: a quote stands where none may; double it within a quoted field'],
    [
      'an endless field',
      `a,b\n1,2\n3,"${'x\n'.repeat(600_000)}`,
      'a.csv:3: a row longer than 1000000 characters; a quote may not be closed',
    ],
  ])('is CSV_BROKEN with file and line: %s', async (_, text, message) => {
    const base = await folderWith({ 'a.csv': text });
    const broken = { code: 'CSV_BROKEN', message, retry: 'never' };
    expect(await failureFrom(csvSniff, { path: 'a.csv' }, base)).toMatchObject(broken);
    expect(await failureFrom(csvProfile, { path: 'a.csv' }, base)).toMatchObject(broken);
  });

  test('is FILE_EMPTY when it holds nothing but blanks', async () => {
    const base = await folderWith({ 'a.csv': '', 'b.csv': ' \n\n' });
    expect(await failureFrom(csvSniff, { path: 'a.csv' }, base)).toMatchObject({ code: 'FILE_EMPTY', retry: 'never' });
    expect(await failureFrom(csvProfile, { path: 'b.csv' }, base)).toMatchObject({ code: 'FILE_EMPTY' });
  });

  test('never crashes the reader, whatever its bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 80 }), async (bytes) => {
        const base = await folderWith({ 'a.csv': bytes });
        await resultFrom(csvProfile, { path: 'a.csv' }, base).catch((thrown: Error) =>
          expect(thrown.message).toMatch(/^(CSV_BROKEN|FILE_EMPTY)/),
        );
      }),
      { numRuns: 60 },
    );
  });
});

describe('csv.profile', () => {
  test('counts, measures and ranks each column', async () => {
    expect(await profile('city,price\nRome,3\nRome,1\nOslo,\n,2.5\n')).toMatchObject({
      rows: 4,
      columns: [
        {
          name: 'city',
          type: 'string',
          count: 3,
          missing: 1,
          distinct: 2,
          exact: true,
          min: 'Oslo',
          max: 'Rome',
          mean: null,
          top: [{ value: 'Rome', count: 2 }],
        },
        { name: 'price', type: 'number', count: 3, missing: 1, distinct: 3, min: 1, max: 3, mean: 6.5 / 3, top: [] },
      ],
    });
  });

  test('agrees with a naive computation over any table', async () => {
    const cell = fc.oneof(
      fc.constant(''),
      fc.integer({ min: -50, max: 50 }).map(String),
      fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((n) => n.toFixed(3)),
      fc.string({ maxLength: 6 }).filter((text) => !/[\r]/.test(text)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 30 }), async (rows) => {
        const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
        const { columns } = await profile(
          `left,right\n${rows.map((row) => `${row.map(quoted).join(',')}\n`).join('')}`,
        );
        for (const [index, column] of columns.entries()) {
          const values = rows.map((row) => (row[index] ?? '').trim()).filter((value) => value !== '');
          expect(column.count).toBe(values.length);
          expect(column.missing).toBe(rows.length - values.length);
          expect(column.distinct).toBe(new Set(values).size);
          const repeated = [...new Set(values)].map((value) => values.filter((each) => each === value).length);
          expect(column.top.map(({ count }) => count)).toEqual(
            repeated
              .filter((n) => n > 1)
              .sort((a, b) => b - a)
              .slice(0, 5),
          );
          if (column.type !== 'integer' && column.type !== 'number') continue;
          const numbers = values.map((value) => Number(value) + 0);
          expect([column.min, column.max]).toEqual([Math.min(...numbers), Math.max(...numbers)]);
          expect(column.mean).toBeCloseTo(numbers.reduce((sum, n) => sum + n, 0) / numbers.length, 6);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('reports when there are more distinct values than it can count', async () => {
    const { columns } = await profile(`id\n${Array.from({ length: 10_050 }, (_, n) => `k${n}`).join('\n')}\nk1\n`);
    expect(columns[0]).toMatchObject({
      count: 10_051,
      distinct: 10_000,
      exact: false,
      top: [{ value: 'k1', count: 2 }],
    });
  });

  test('shortens long values', async () => {
    const { columns } = await profile(`text\n${'x'.repeat(500)}\n${'x'.repeat(500)}\n`);
    expect(columns[0]?.top[0]?.value).toBe(`${'x'.repeat(80)}…`);
  });
});

describe('csv.match_keys', () => {
  test('counts keys in both files, in only one, duplicates, and missing keys', async () => {
    const base = await folderWith({
      'orders.csv': 'order,customer\n1,a\n2,a\n3,b\n4,z\n5,\n',
      'customers.csv': 'customer;name\na;Ann\nb;Bob\nc;Cid\n',
    });
    expect(
      await resultFrom(csvMatchKeys, { left: 'orders.csv', right: 'customers.csv', key: 'customer' }, base),
    ).toEqual({
      left: 'orders.csv',
      right: 'customers.csv',
      key: 'customer',
      matched: 2,
      only_left: 1,
      only_right: 1,
      duplicates: { left: 1, right: 0 },
      missing: { left: 1, right: 0 },
      sample: { only_left: ['z'], only_right: ['c'] },
    });
  });

  test('agrees with sets for any keys', async () => {
    const keys = fc.array(
      fc.integer({ min: 0, max: 12 }).map((n) => `k${n}`),
      { minLength: 1, maxLength: 15 },
    );
    await fc.assert(
      fc.asyncProperty(keys, keys, async (left, right) => {
        const base = await folderWith({ 'l.csv': `id\n${left.join('\n')}\n`, 'r.csv': `key\n${right.join('\n')}\n` });
        const input = { left: 'l.csv', right: 'r.csv', key: 'id', right_key: 'key' };
        expect(await resultFrom(csvMatchKeys, input, base)).toMatchObject({
          matched: new Set(left).intersection(new Set(right)).size,
          only_left: new Set(left).difference(new Set(right)).size,
          only_right: new Set(right).difference(new Set(left)).size,
        });
      }),
      { numRuns: 40 },
    );
  });

  test('suggests the nearest column for an unknown one', async () => {
    const base = await folderWith({ 'a.csv': 'customer_id,x\n1,2\n', 'b.csv': 'q,r\n1,2\n' });
    const code = 'COLUMN_UNKNOWN';
    expect(await failureFrom(csvMatchKeys, { left: 'a.csv', right: 'b.csv', key: 'customer-id' }, base)).toMatchObject({
      code,
      message: '"a.csv" has no column "customer-id"; did you mean "customer_id"?',
    });
    expect(await failureFrom(csvMatchKeys, { left: 'b.csv', right: 'a.csv', key: 'zzz' }, base)).toMatchObject({
      code,
      message: '"b.csv" has no column "zzz"; its columns are q, r',
    });
  });
});

describe('csv.read', () => {
  const read = async (text: string, slice: object = {}): Promise<unknown> =>
    resultFrom(csvRead, { path: 'a.csv', ...slice }, await folderWith({ 'a.csv': text }));

  test('reads records: numbers and booleans as such, codes and dates as text, null for empty fields', async () => {
    expect(await read('id,code,price,on,at\n1,007,-2.50,TRUE,2024-01-01\n2,A 1,,false,\n')).toEqual({
      path: 'a.csv',
      columns: ['id', 'code', 'price', 'on', 'at'],
      rows: [
        { id: 1, code: '007', price: -2.5, on: true, at: '2024-01-01' },
        { id: 2, code: 'A 1', price: null, on: false, at: null },
      ],
      skipped: 0,
      complete: true,
    });
  });

  const numbered = (count: number): string =>
    `n,half\n${Array.from({ length: count }, (_, i) => `${i},${i / 2}\n`).join('')}`;

  test.each([
    [{ skip: 0, take: 2 }, [0, 1], false],
    [{ skip: 3, take: 2 }, [3, 4], true],
    [{ skip: 4, take: 2 }, [4], true],
    [{ skip: 9, take: 2 }, [], true],
    [{ take: 0 }, [], false],
  ])('takes the slice %j', async (slice, expected, complete) => {
    const answer = (await read(numbered(5), slice)) as { rows: { n: number }[] };
    expect(answer.rows.map(({ n }) => n)).toEqual(expected);
    expect(answer).toMatchObject({ complete });
  });

  test('returns no rows for a table with only a header', async () => {
    expect(await read('id,price\n')).toMatchObject({ columns: ['id', 'price'], rows: [], complete: true });
  });
});

describe('csv.aggregate', () => {
  test('computes figures per group over a slice, and tells how much it read', async () => {
    const text = 'shop,amount\nnorth,1\nsouth,2\nnorth,3.5\nsouth,\n';
    const input = {
      path: 'a.csv',
      skip: 1,
      take: 3,
      group_by: ['shop'],
      measures: { total: { op: 'sum', field: 'amount' }, rows: { op: 'count' } },
    };
    expect(await resultFrom(csvAggregate, input, await folderWith({ 'a.csv': text }))).toEqual({
      path: 'a.csv',
      groups: [
        { shop: 'south', total: 2, rows: 2 },
        { shop: 'north', total: 3.5, rows: 1 },
      ],
      rows: 3,
      skipped: 1,
      complete: true,
    });
  });
});
