// Files are reached under the granted roots only, whatever the path and whatever the links.
import { link, lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { confine } from '../../src/capabilities/file-access.ts';
import { openSqliteJournal } from '../../src/store/sqlite-journal.ts';
import { folderWith } from './workbench.ts';

const outside = expect.objectContaining({ code: 'FILE_OUTSIDE_ROOTS', retry: 'never' });
const signal = new AbortController().signal;

describe('the lock file', () => {
  test('can be read, but neither written nor removed, not even through a link', async () => {
    const base = await folderWith({ 'in/reconverge.lock': '{}', 'in/a.txt': '' });
    await symlink('reconverge.lock', join(base, 'in', 'link'));
    const files = confine(['in'], base);
    expect(String(await files.read('in/reconverge.lock', 100))).toBe('{}');
    const refused = expect.objectContaining({ code: 'FILE_UNWRITABLE' });
    for (const path of ['in/reconverge.lock', 'in/link', 'in/new/Reconverge.LOCK']) {
      await expect(files.write(path, 'x')).rejects.toEqual(refused);
      await expect(files.append(path, 'x')).rejects.toEqual(refused);
      await expect(files.remove(path)).rejects.toEqual(refused);
    }
    expect(await readFile(join(base, 'in/reconverge.lock'), 'utf8')).toBe('{}');
  });
});

describe('reading', () => {
  test('reads a file under a root, by relative and by absolute path', async () => {
    const base = await folderWith({ 'data/a.txt': 'hello' });
    const files = confine(['data'], base);
    expect(String(await files.read('data/a.txt', 100))).toBe('hello');
    expect(String(await files.read(join(base, 'data', 'a.txt'), 100))).toBe('hello');
  });

  test('a stream whose signal is aborted tells its reader, and does not end the process', async () => {
    const base = await folderWith({ 'data/a.txt': 'hello' });
    const stream = await confine(['data'], base).stream('data/a.txt', AbortSignal.abort());
    await setImmediate();
    await expect(async () => {
      for await (const _chunk of stream);
    }).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('refuses files outside, and names the roots and the key to change', async () => {
    const base = await folderWith({ 'data/a.txt': '', 'secret.txt': 'x' });
    const files = confine(['data', 'reports'], base);
    await expect(files.read('data/../secret.txt', 100)).rejects.toMatchObject({
      code: 'FILE_OUTSIDE_ROOTS',
      message: expect.stringMatching(/granted: data, reports.*roots:/),
    });
    await expect(files.read('/etc/hostname', 100)).rejects.toEqual(outside);
    await expect(files.list('..')).rejects.toEqual(outside);
    await expect(files.stream('secret.txt', signal)).rejects.toEqual(outside);
  });

  test('refuses a file whose folder name only begins like a root', async () => {
    const base = await folderWith({ 'data/a.txt': '', 'data2/b.txt': '' });
    await expect(confine(['data'], base).read('data2/b.txt', 100)).rejects.toEqual(outside);
  });

  test('grants nothing when no root is granted', async () => {
    const base = await folderWith({ 'a.txt': '' });
    await expect(confine([], base).read('a.txt', 100)).rejects.toMatchObject({
      message: expect.stringContaining('no folder is granted'),
    });
  });

  test('never resolves to a place outside, for any path', async () => {
    const base = await folderWith({ 'in/a.txt': '', 'out/b.txt': '' });
    await symlink(join(base, 'out'), join(base, 'in', 'link'));
    await symlink('..', join(base, 'in', 'up'));
    const part = fc.constantFrom('..', '.', 'in', 'out', 'link', 'up', 'a.txt', 'b.txt', 'new', '', ' ', '~');
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), async (parts) => {
        const files = confine(['in'], base);
        const resolved = await files.resolve(parts.join('/'), 'write').catch(() => join(base, 'in'));
        expect(`${resolved}/`.startsWith(`${join(base, 'in')}/`)).toBe(true);
      }),
    );
  });

  test('follows links that stay inside and refuses those that lead outside', async () => {
    const base = await folderWith({ 'data/a.txt': 'inside', 'secret.txt': 'outside' });
    await symlink('a.txt', join(base, 'data', 'good'));
    await symlink('../secret.txt', join(base, 'data', 'bad'));
    await symlink('..', join(base, 'data', 'up'));
    const files = confine(['data'], base);
    expect(String(await files.read('data/good', 100))).toBe('inside');
    await expect(files.read('data/bad', 100)).rejects.toEqual(outside);
    await expect(files.read('data/up/secret.txt', 100)).rejects.toEqual(outside);
  });

  test('resolves a root that is a link', async () => {
    const base = await folderWith({ 'real/a.txt': 'x' });
    await symlink('real', join(base, 'alias'));
    expect(String(await confine(['alias'], base).read('alias/a.txt', 100))).toBe('x');
  });

  test('suggests the nearest name for a missing file', async () => {
    const base = await folderWith({ 'orders.csv': '', 'zebra.csv': '' });
    await expect(confine(['.'], base).read('ordres.csv', 100)).rejects.toMatchObject({
      code: 'FILE_NOT_FOUND',
      message: '"ordres.csv" is not there; did you mean "orders.csv"?',
      retry: 'never',
    });
  });

  test('says why a file cannot be read', async () => {
    const base = await folderWith({ 'a.txt': 'x', 'folder/b.txt': '' });
    await symlink('circle', join(base, 'circle'));
    await symlink('gone', join(base, 'dangling'));
    const files = confine(['.'], base);
    const why = (reason: string) =>
      expect.objectContaining({ code: 'FILE_UNREADABLE', message: expect.stringContaining(reason) });
    await expect(files.read('folder', 100)).rejects.toEqual(why('it is a folder'));
    await expect(files.list('a.txt')).rejects.toEqual(why('it is a file, not a folder'));
    await expect(files.read('a.txt/b', 100)).rejects.toEqual(why('not a folder'));
    await expect(files.read('circle', 100)).rejects.toEqual(why('go in a circle'));
    await expect(files.read('dangling', 100)).rejects.toEqual(why('leads nowhere'));
    await expect(files.read('a\u0000b', 100)).rejects.toEqual(why('NUL'));
    await expect(files.read('x'.repeat(300), 100)).rejects.toEqual(why('name is too long'));
  });

  test('reads at most the allowed bytes', async () => {
    const base = await folderWith({ 'a.txt': '0123456789' });
    const files = confine(['.'], base);
    await expect(files.read('a.txt', 9)).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' });
    expect(await files.head('a.txt', 4)).toEqual({ head: Buffer.from('0123'), bytes: 10 });
  });
});

describe('writing', () => {
  test('writes a new file in a new folder and replaces an old one, leaving nothing beside it', async () => {
    const base = await folderWith();
    const files = confine(['reports'], base);
    expect(await files.write('reports/deep/r.md', 'é')).toBe(2);
    expect(await files.write('reports/deep/r.md', 'second')).toBe(6);
    expect(await readFile(join(base, 'reports/deep/r.md'), 'utf8')).toBe('second');
    expect(await readdir(join(base, 'reports/deep'))).toEqual(['r.md']);
  });

  test('refuses to write outside, also through a link and through a link to nowhere', async () => {
    const base = await folderWith({ 'reports/x': '', 'secret.txt': 'kept' });
    await symlink('../secret.txt', join(base, 'reports', 'link'));
    await symlink('../new.txt', join(base, 'reports', 'dangling'));
    const files = confine(['reports'], base);
    await expect(files.write('secret.txt', 'x')).rejects.toEqual(outside);
    await expect(files.write('reports/link', 'x')).rejects.toEqual(outside);
    await expect(files.write('reports/dangling', 'x')).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
    expect(await readFile(join(base, 'secret.txt'), 'utf8')).toBe('kept');
    await expect(lstat(join(base, 'new.txt'))).rejects.toThrow();
  });

  test('refuses to write to files of the engine, by any path', async () => {
    const base = await folderWith({ '.reconverge/runs.db': 'runs', '.reconverge/mcp/x.json': '{}' });
    await symlink('.reconverge', join(base, 'reports'));
    const files = confine(['.'], base, [join(base, '.reconverge/runs.db'), join(base, '.reconverge/mcp')]);
    const refused = { code: 'FILE_UNWRITABLE', message: expect.stringContaining('runs'), retry: 'never' };
    for (const path of ['.reconverge/runs.db', 'reports/runs.db', '.reconverge/runs.db-wal', 'reports/mcp/new.json']) {
      await expect(files.write(path, 'x')).rejects.toMatchObject(refused);
      await expect(files.append(path, 'x')).rejects.toMatchObject(refused);
      await expect(files.remove(path)).rejects.toMatchObject(refused);
      await expect(files.resolve(path, 'write')).rejects.toMatchObject(refused);
    }
    expect(await files.write('.reconverge/notes.md', 'x')).toBe(1);
  });

  test('neither reads nor lists files of the engine, by any path', async () => {
    const base = await folderWith({
      '.reconverge/runs.db': 'runs',
      '.reconverge/runs.db-wal': 'log',
      'data/a.txt': '',
    });
    await mkdir(join(base, '.reconverge/mcp'));
    await symlink('.reconverge', join(base, 'reports'));
    await symlink('../.reconverge/runs.db', join(base, 'data/link.txt'));
    await link(join(base, '.reconverge/runs.db'), join(base, 'data/hard.txt'));
    await link(join(base, '.reconverge/runs.db-wal'), join(base, 'data/log.txt'));
    await writeFile(join(base, '.reconverge/inspector-token'), 'token');
    const files = confine(['.'], base, [join(base, '.reconverge/runs.db'), join(base, '.reconverge/mcp')]);
    const refused = { code: 'FILE_UNREADABLE', message: expect.stringContaining('runs'), retry: 'never' };
    const paths = [
      ...[
        '.reconverge/runs.db',
        'data/../.reconverge//./runs.db',
        join(base, '.reconverge/runs.db'),
        'reports/runs.db',
      ],
      ...['data/link.txt', 'data/hard.txt', 'data/log.txt', '.reconverge/runs.db-wal', 'reports/inspector-token'],
    ];
    for (const path of paths) {
      await expect(files.read(path, 100)).rejects.toMatchObject(refused);
      await expect(files.head(path, 100)).rejects.toMatchObject(refused);
      await expect(files.stream(path, signal)).rejects.toMatchObject(refused);
      await expect(files.resolve(path, 'read')).rejects.toMatchObject(refused);
    }
    await expect(files.list('.reconverge/mcp')).rejects.toMatchObject(refused);
    expect((await files.list('.reconverge')).files).toEqual([]);
    const listing = await files.list('.', { recursive: true });
    expect(listing.files.map(({ path }) => path)).toEqual(['data/a.txt']);
    expect(listing.leftOut).toContainEqual({ path: 'data/hard.txt', reason: 'the engine keeps its runs there' });
  });

  test('reads no store, not even one of another project under another name', async () => {
    const base = await folderWith({ 'data/other.txt': '', 'data/plain.db': '' });
    const store = openSqliteJournal(join(base, 'data/other.txt'));
    const plain = new DatabaseSync(join(base, 'data/plain.db'));
    plain.exec('CREATE TABLE t (a)');
    plain.close();
    const files = confine(['.'], base);
    for (const path of ['data/other.txt', 'data/other.txt-wal', 'data/other.txt-shm']) {
      await expect(files.resolve(path, 'read')).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
      await expect(files.resolve(path, 'write')).rejects.toMatchObject({ code: 'FILE_UNWRITABLE' });
    }
    expect(await files.resolve('data/plain.db', 'read')).toContain('plain.db');
    await store.close();
  });

  test('says why a file cannot be written', async () => {
    const base = await folderWith({ 'reports/r.md/x': '' });
    await expect(confine(['reports'], base).write('reports/r.md', 'x')).rejects.toMatchObject({
      code: 'FILE_UNWRITABLE',
      message: expect.stringContaining('cannot write "reports/r.md"'),
    });
  });
});
