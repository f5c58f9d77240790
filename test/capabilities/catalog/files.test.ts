// files.list and files.read on real folders.
import { once } from 'node:events';
import { symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { filesList, filesRead } from '../../../src/capabilities/catalog/files.ts';
import { failureFrom, folderWith, resultFrom } from '../workbench.ts';

/** Something in a folder that is neither a file nor a folder. */
async function socketAt(path: string): Promise<void> {
  const server = createServer().listen(path);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
}

describe('files.list', () => {
  test('lists files with type and size, the largest first, without hidden ones and folders', async () => {
    const base = await folderWith({
      'data/small.csv': 'a,b\n',
      'data/large.log': 'x'.repeat(500),
      'data/.hidden': 'x',
      'data/deep/c.json': '{}',
    });
    expect(await resultFrom(filesList, { folder: 'data' }, base)).toEqual({
      folder: 'data',
      files: [
        { path: 'data/large.log', name: 'large.log', type: 'log', bytes: 500 },
        { path: 'data/small.csv', name: 'small.csv', type: 'csv', bytes: 4 },
      ],
      count: 2,
      bytes: 504,
      left_out: [],
    });
  });

  test('lists folders recursively when asked to', async () => {
    const base = await folderWith({ 'a.csv': '1', 'x/b.csv': '22', 'x/y/c.csv': '333' });
    expect(await resultFrom(filesList, { folder: '.', recursive: true }, base)).toMatchObject({
      files: [{ path: 'x/y/c.csv' }, { path: 'x/b.csv' }, { path: 'a.csv' }],
    });
  });

  test('tells types by extension, else by the first bytes', async () => {
    const contents: Record<string, [string | Uint8Array, string]> = {
      'a.CSV': ['x', 'csv'],
      'b.tsv': ['x', 'tsv'],
      'c.json': ['x', 'json'],
      'd.ndjson': ['x', 'jsonl'],
      'e.log': ['x', 'log'],
      'f.md': ['x', 'text'],
      'g.csv': ['', 'empty'],
      'h.csv': [Uint8Array.of(65, 0, 66), 'binary'],
      'i.bin': [Uint8Array.of(1, 2, 3), 'binary'],
      j: ['a;b\n1;2\n', 'csv'],
      k: ['a\tb\n1\t2\n', 'tsv'],
      l: ['{"a": 1}\n{"a": 2}\n', 'jsonl'],
      m: ['{\n  "a": 1\n}\n', 'json'],
      n: ['2024-01-01T10:00:00Z INFO started\n', 'log'],
      o: ['Dear reader,\nhello.\n', 'text'],
      p: [Uint8Array.of(0xff, 0xfe, 0x61, 0), 'text'],
    };
    const base = await folderWith(Object.fromEntries(Object.entries(contents).map(([name, [text]]) => [name, text])));
    const { files } = (await resultFrom(filesList, { folder: '.' }, base)) as {
      files: { name: string; type: string }[];
    };
    expect(Object.fromEntries(files.map(({ name, type }) => [name, type]))).toEqual(
      Object.fromEntries(Object.entries(contents).map(([name, [, type]]) => [name, type])),
    );
  });

  test('names entries that it leaves out, and why', async () => {
    const base = await folderWith({ 'data/a.csv': 'x', 'secret.txt': 'x' });
    await symlink('/etc/hostname', join(base, 'data', 'outside'));
    await symlink('gone', join(base, 'data', 'dangling'));
    await symlink('.', join(base, 'data', 'again'));
    await symlink('a.csv', join(base, 'data', 'good.csv'));
    await socketAt(join(base, 'data', 'socket'));
    expect(await resultFrom(filesList, { folder: 'data', recursive: true }, base)).toMatchObject({
      files: [{ path: 'data/a.csv' }, { path: 'data/good.csv' }],
      left_out: [
        { path: 'data/again', reason: 'a link to a folder' },
        { path: 'data/dangling', reason: 'a link that cannot be followed' },
        { path: 'data/outside', reason: 'a link that leads outside the granted folders' },
        { path: 'data/socket', reason: 'neither a file nor a folder' },
      ],
    });
  });

  test('distinguishes an empty folder from a missing one', async () => {
    const base = await folderWith({ 'data/x/y': '' });
    expect(await resultFrom(filesList, { folder: 'data' }, base)).toMatchObject({ files: [], count: 0 });
    expect(await failureFrom(filesList, { folder: 'dat' }, base)).toMatchObject({
      code: 'FILE_NOT_FOUND',
      message: expect.stringContaining('"data"'),
    });
  });
});

describe('files.read', () => {
  test('reads a text, or its beginning, in its encoding', async () => {
    const base = await folderWith({ 'a.txt': 'hello', 'b.txt': Uint8Array.of(0x4b, 0xf6, 0x6c, 0x6e) });
    expect(await resultFrom(filesRead, { path: 'a.txt' }, base)).toEqual({
      path: 'a.txt',
      text: 'hello',
      bytes: 5,
      encoding: 'utf-8',
      complete: true,
    });
    expect(await resultFrom(filesRead, { path: 'a.txt', max_bytes: 2 }, base)).toMatchObject({
      text: 'he',
      complete: false,
    });
    expect(await resultFrom(filesRead, { path: 'b.txt' }, base)).toMatchObject({
      text: 'Köln',
      encoding: 'windows-1252',
    });
  });

  test('refuses binary files and devices', async () => {
    const base = await folderWith({ 'a.bin': Uint8Array.of(0, 1, 2) });
    await socketAt(join(base, 'socket'));
    expect(await failureFrom(filesRead, { path: 'a.bin' }, base)).toMatchObject({
      code: 'FILE_NOT_TEXT',
      retry: 'never',
    });
    expect(await failureFrom(filesRead, { path: 'socket' }, base)).toMatchObject({ code: 'FILE_UNREADABLE' });
  });
});
