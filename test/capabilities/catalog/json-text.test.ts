// json.read and text.count on real files.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonRead, textCount } from '../../../src/capabilities/catalog/text-files.ts';
import { failureFrom, folderWith, resultFrom } from '../workbench.ts';

describe('json.read', () => {
  test('finds the shape without values', async () => {
    const value = { at: 'secret', items: [{ n: 1 }, { n: null, deep: { list: [[true]] } }] };
    const base = await folderWith({ 'a.json': JSON.stringify(value) });
    const result = await resultFrom(jsonRead, { path: 'a.json' }, base);
    expect(result).toEqual({
      path: 'a.json',
      values: 1,
      depth: 6,
      shape: [
        { path: '$', types: ['map'], count: 1 },
        { path: 'at', types: ['string'], count: 1 },
        { path: 'items', types: ['list'], count: 1 },
        { path: 'items[]', types: ['map'], count: 2 },
        { path: 'items[].n', types: ['null', 'number'], count: 2 },
        { path: 'items[].deep', types: ['map'], count: 1 },
        { path: 'items[].deep.list', types: ['list'], count: 1 },
        { path: 'items[].deep.list[]', types: ['list'], count: 1 },
        { path: 'items[].deep.list[][]', types: ['boolean'], count: 1 },
      ],
      complete: true,
    });
    expect(JSON.stringify(result)).not.toContain('secret');
  });

  test('counts the items of a list, and the lines of JSON lines', async () => {
    const base = await folderWith({ 'a.json': '[1, 2, 3]', 'b.jsonl': '{"a": 1}\n\n{"a": "x"}\n', 'c.txt': '1\n2\n' });
    expect(await resultFrom(jsonRead, { path: 'a.json' }, base)).toMatchObject({ values: 3 });
    expect(await resultFrom(jsonRead, { path: 'b.jsonl' }, base)).toMatchObject({
      values: 2,
      shape: [
        { path: '$', count: 2 },
        { path: 'a', types: ['number', 'string'], count: 2 },
      ],
    });
    expect(await resultFrom(jsonRead, { path: 'c.txt', lines: true }, base)).toMatchObject({ values: 2, depth: 0 });
  });

  test('names file and line of invalid JSON without quoting it', async () => {
    const files = {
      'a.json': '{\n  "a": "secret"\n  "b": 1\n}',
      'b.jsonl': '{}\nsecret\n',
      'c.json': '',
      'd.json': '{"a":',
    };
    const base = await folderWith(files);
    const broken = { code: 'JSON_BROKEN', retry: 'never' };
    const there = 'the text is not JSON';
    expect(await failureFrom(jsonRead, { path: 'a.json' }, base)).toEqual({ ...broken, message: `a.json:3: ${there}` });
    expect(await failureFrom(jsonRead, { path: 'b.jsonl' }, base)).toEqual({
      ...broken,
      message: `b.jsonl:2: ${there}`,
    });
    expect(await failureFrom(jsonRead, { path: 'd.json' }, base)).toEqual({
      ...broken,
      message: 'd.json: the JSON ends too early',
    });
    expect(await failureFrom(jsonRead, { path: 'c.json' }, base)).toMatchObject({ code: 'FILE_EMPTY' });
  });

  test('is bounded in paths and depth', async () => {
    const wide = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, n]));
    const base = await folderWith({
      'a.json': JSON.stringify(wide),
      'b.json': `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
    });
    expect(await resultFrom(jsonRead, { path: 'a.json' }, base)).toMatchObject({
      complete: false,
      shape: { length: 200 },
    });
    expect(await resultFrom(jsonRead, { path: 'b.json' }, base)).toMatchObject({ complete: false, depth: 51 });
  });

  test('reads any JSON value', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 4 }), async (text) => {
        const base = await folderWith({ 'a.json': text });
        const result = await resultFrom(jsonRead, { path: 'a.json' }, base);
        const { shape } = result as { shape: { path: string; count: number }[] };
        expect(shape[0]).toMatchObject({ path: '$', count: 1 });
        expect(new Set(shape.map(({ path }) => path)).size).toBe(shape.length);
      }),
      { numRuns: 50 },
    );
  });
});

describe('text.count', () => {
  test('counts lines, words and levels, and finds the time span of a log', async () => {
    const log = [
      '2024-06-01T10:00:00.123Z INFO  started',
      '2024-06-01 10:00:01 WARNING disk is low, not an ERROR',
      '    at main (app.js:1)',
      '2024-06-01T10:00:02+02:00 ERROR gone',
    ].join('\r\n');
    const base = await folderWith({ 'a.log': log });
    expect(await resultFrom(textCount, { path: 'a.log' }, base)).toEqual({
      path: 'a.log',
      bytes: log.length,
      lines: 4,
      words: 18,
      levels: { INFO: 1, WARN: 1, ERROR: 1 },
      first_timestamp: '2024-06-01T10:00:00.123Z',
      last_timestamp: '2024-06-01T10:00:02+02:00',
      complete: true,
    });
  });

  test('counts nothing in an empty file, and reads any encoding', async () => {
    const base = await folderWith({ 'a.txt': '', 'b.txt': Buffer.from('Größe zwei\nÄrger', 'latin1') });
    expect(await resultFrom(textCount, { path: 'a.txt' }, base)).toMatchObject({
      lines: 0,
      words: 0,
      levels: {},
      first_timestamp: null,
    });
    expect(await resultFrom(textCount, { path: 'b.txt' }, base)).toMatchObject({ lines: 2, words: 3 });
  });

  test('agrees with a naive count', async () => {
    const line = fc.stringMatching(/^[a-z ]{0,12}$/);
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 20 }), async (lines) => {
        const base = await folderWith({ 'a.txt': `${lines.join('\n')}\n` });
        expect(await resultFrom(textCount, { path: 'a.txt' }, base)).toMatchObject({
          lines: lines.length,
          words: lines
            .join(' ')
            .split(' ')
            .filter((word) => word !== '').length,
        });
      }),
      { numRuns: 40 },
    );
  });
});
