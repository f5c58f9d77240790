// A read-only store: commands that only read work as usual, the others explain why they do not.
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { call, openDoor, reconverge } from './reconverge.ts';

const reading = [
  ['runs'],
  ['show', 'latest'],
  ['show', 'latest', '--events'],
  ['why', 'latest', 'first'],
  ['graph', 'latest'],
  ['budget', 'latest'],
  ['trace', 'latest'],
  ['gates'],
  ['gates', 'latest'],
  ['replay', 'latest'],
  ['diff', 'latest', 'latest'],
  ['stats'],
];
const writing = [
  ['run', 'plan.yaml'],
  ['cancel', 'latest'],
  ['pause', 'latest'],
  ['resume', 'latest'],
  ['fork', 'latest', '--at', '2'],
  ['raise-budget', 'latest', 'max_total_steps=99'],
  ['retry-step', 'latest', 'first'],
  ['review', 'latest', 'g1', '--approve'],
];

it('a read-only store serves every command that only reads, and no other', async () => {
  const cwd = openDoor();
  expect((await call(['run', 'plan.yaml', '--quiet'], { cwd })).code).toBe(0);
  const told = [];
  for (const words of reading) told.push((await call(words, { cwd })).stdout);
  const file = join(cwd, '.reconverge/runs.db');
  chmodSync(file, 0o444);
  const before = readFileSync(file);
  for (const [index, words] of reading.entries()) {
    const ended = await call(words, { cwd });
    expect([words, ended.code, ended.stdout]).toEqual([words, 0, told[index]]);
  }
  for (const words of writing) {
    const { code, stderr } = await call(words, { cwd });
    expect([words, code]).toEqual([words, 1]);
    expect(stderr).toMatch(/error STORE_READ_ONLY: the store .*runs\.db can be read, but not written/);
    expect(stderr).toMatch(/hint: .*make the file and its folder writable/);
    expect(stderr).not.toMatch(/SQLITE|^ {4}at /m);
  }
  expect((await call(['doctor'], { cwd })).stdout).toContain('it can be read, but not written');
  expect(readFileSync(file)).toEqual(before);
  expect(readdirSync(join(cwd, '.reconverge'))).toEqual(['runs.db']);
});

it.each([
  ['DROP TABLE streams', 'STORE_DAMAGED'],
  ['PRAGMA user_version = 9999', 'STORE_NEWER'],
  ['PRAGMA application_id = 7', 'STORE_FOREIGN'],
])(
  'a database that was changed by "%s" is refused with a code and a hint, and without the words of SQLite',
  async (change, code) => {
    const cwd = openDoor();
    await call(['run', 'plan.yaml', '--quiet'], { cwd });
    const file = join(cwd, '.reconverge/runs.db');
    const database = new DatabaseSync(file);
    database.exec(`PRAGMA foreign_keys = OFF; ${change}`);
    database.close();
    for (const words of [
      ['show', 'latest'],
      ['run', 'plan.yaml'],
      ['cancel', 'latest'],
    ]) {
      const { stderr } = await call(words, { cwd });
      expect(stderr).toMatch(new RegExp(`error ${code}: the store .*\n   hint: `));
      expect(stderr).not.toMatch(/SQLITE|fault|no such table/);
    }
  },
);

it('commands that only read also refuse a file that is no database', async () => {
  const cwd = openDoor();
  writeFileSync(
    join(cwd, 'notes.db'),
    'some notes, which are no database, and are long enough to be looked at'.repeat(20),
  );
  const { code, stderr } = await reconverge(['show', 'latest', '--store', 'notes.db'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toContain('STORE_NOT_DATABASE');
});
