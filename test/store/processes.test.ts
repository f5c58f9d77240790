// Several real processes use one store: they append at the same time, die during an append, and take over from dead processes.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import { fateOf, newHolder } from '../../src/store/holder.ts';
import { openSqliteJournal } from '../../src/store/sqlite-journal.ts';
import { inFolder } from './store-folder.ts';

const APPENDER = fileURLToPath(new URL('./fixtures/appender.ts', import.meta.url));
const OPENER = fileURLToPath(new URL('./fixtures/opener.ts', import.meta.url));
const FOR_EVER = 1_000_000;
const HOUR = 3_600_000;

/** Starts a process that appends; `versions` yields each acknowledged version. */
function appender(
  file: string,
  stream: string,
  count: number,
): { process: ChildProcess; versions: AsyncIterable<string> } {
  const process = spawn(globalThis.process.execPath, [APPENDER, file, stream, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { process, versions: createInterface({ input: present(process.stdout, 'stdout') }) };
}

async function exitCode(child: ChildProcess): Promise<unknown> {
  const [code] = await once(child, 'exit');
  return code;
}

async function killedAfter(file: string, stream: string, count: number): Promise<number> {
  const child = appender(file, stream, FOR_EVER);
  let acknowledged = 0;
  for await (const version of child.versions) {
    acknowledged = Number(version);
    if (acknowledged === count) child.process.kill('SIGKILL');
  }
  return acknowledged;
}

it('a store keeps every acknowledged append when its process is killed during an append', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'runs.db');
    for (const [stream, count] of [
      ['r1', 1],
      ['r2', 40],
      ['r3', 150],
    ] as const) {
      const acknowledged = await killedAfter(file, stream, count);
      const journal = openSqliteJournal(file);
      const entries = journal.read(stream);
      expect(acknowledged).toBeGreaterThanOrEqual(count);
      expect(entries.length).toBeGreaterThanOrEqual(acknowledged);
      expect(entries.map((entry) => entry.version)).toEqual(entries.map((_, index) => index + 1));
      for (const entry of entries) expect(journal.blob(JSON.parse(entry.payload))).toBeDefined();
      expect(journal.header(stream)).toMatchObject({
        version: entries.length,
        summary: `{"version":${entries.length}}`,
      });
      expect(journal.check()).toEqual([]);
      await journal.close();
    }
  }));

it('several processes can open a new store at once', () =>
  inFolder(async (folder) => {
    const children = [1, 2, 3].map(() => spawn(process.execPath, [OPENER, folder, '100'], { stdio: 'ignore' }));
    expect(await Promise.all(children.map(exitCode))).toEqual([0, 0, 0]);
  }));

it('several processes can append to one store at the same time', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'runs.db');
    const children = ['r1', 'r2', 'r3'].map((stream) => appender(file, stream, 50).process);
    expect(await Promise.all(children.map(exitCode))).toEqual([0, 0, 0]);
    const journal = openSqliteJournal(file);
    expect(journal.streams().map((header) => header.version)).toEqual([50, 50, 50]);
    expect(journal.check()).toEqual([]);
    await journal.close();
  }));

it('the lease of a live process is refused to others, and granted at once after that process is killed', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'runs.db');
    const child = appender(file, 'r1', FOR_EVER);
    for await (const _version of child.versions) break;
    const journal = openSqliteJournal(file);
    // The lease is for an hour, but a live process keeps it even after that.
    for (const now of [Date.now(), Date.now() + 10 * HOUR]) {
      expect(journal.acquire('r1', newHolder(), now, 1_000)).toMatchObject({
        ok: false,
        error: { holder: { pid: child.process.pid } },
      });
    }
    child.process.kill('SIGKILL');
    await once(child.process, 'exit');
    expect(journal.acquire('r1', newHolder(), Date.now(), 1_000)).toMatchObject({ ok: true, value: { epoch: 2 } });
    await journal.close();
  }));

it('a holder is dead when a later process has its pid, and its fate is unknown on other hosts and in its own process', () => {
  const own = newHolder();
  expect(fateOf(own)).toBe('unknown');
  expect(fateOf({ ...own, nonce: 'another engine in this process' })).toBe('unknown');
  expect(fateOf({ ...own, startedAt: (own.startedAt ?? 0) - 1 })).toBe(
    own.startedAt === undefined ? 'unknown' : 'dead',
  );
  expect(fateOf({ ...own, host: 'elsewhere.invalid', startedAt: 0 })).toBe('unknown');
});
