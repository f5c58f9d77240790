// The lease of a run: a live process keeps it however busy the process is, and a process that lost it says so.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { openSqliteJournal } from '../../src/store/sqlite-journal.ts';
import { atTheDoor, callsOf, doorProject, openThe, reconverge } from './reconverge.ts';

const STORE = '.reconverge/runs.db';

it('a run is not taken over from a process that is too busy to renew its lease', async () => {
  const cwd = doorProject();
  const running = await atTheDoor(cwd);
  // A stopped process cannot renew its lease, like a process whose handler computes for minutes.
  running.child.kill('SIGSTOP');
  const database = new DatabaseSync(join(cwd, STORE), { timeout: 5_000 });
  database.exec('UPDATE leases SET until = 1');
  database.close();
  const listed = await reconverge(['runs', '--json'], { cwd });
  expect(JSON.parse(listed.stdout).runs).toMatchObject([{ status: 'running', driven: true }]);
  const { code, stderr } = await reconverge(['resume', 'latest'], { cwd });
  expect(stderr).toContain('RUN_DRIVEN');
  expect(code).toBe(1);
  running.child.kill('SIGCONT');
  openThe(cwd);
  expect((await running.ended).code).toBe(0);
  expect(callsOf(cwd).filter((name) => name === 'door')).toHaveLength(1);
});

it('a process that lost its run says so, and does not suggest to resume the run', async () => {
  const cwd = doorProject();
  const running = await atTheDoor(cwd);
  const journal = openSqliteJournal(join(cwd, STORE), { fateOf: () => 'dead' });
  const [run] = journal.streams();
  const elsewhere = { host: 'elsewhere.invalid', pid: 1, nonce: 'other' };
  expect(journal.acquire(run?.id ?? '', elsewhere, Date.now(), 60_000).ok).toBe(true);
  await journal.close();
  openThe(cwd);
  const { code, stdout, stderr } = await running.ended;
  expect(code).toBe(130);
  expect(stdout).toMatch(/^interrupted door: /);
  expect(stderr).toContain('another process has taken this run over');
  expect(stderr).not.toMatch(/reconverge resume/);
});
