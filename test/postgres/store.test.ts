// Runs in a PostgreSQL store, driven by the real command line: crashes of the program and of the database, and stores that cannot be used.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgresJournal } from '../../src/postgres/index.ts';
import { StoreRefused } from '../../src/store/store-refused.ts';
import { begin, call, openDoor, project } from '../cli/reconverge.ts';
import { type PostgresServer, postgresBin, startPostgres } from './server.ts';

const chain = (count: number): string => `reconverge: 1
name: chain
capabilities: [wait.until]
steps:
${Array.from(
  { length: count },
  (_, index) =>
    `  - { name: s${index}, handler: wait.until, input: { for: 40ms }${index === 0 ? '' : `, dependencies: [s${index - 1}]`} }`,
).join('\n')}
`;

const asked = `reconverge: 1
name: asked
steps:
  - { name: ask, type: human_review, prompt: Is it good? }
`;

let server: PostgresServer;
beforeAll(async () => {
  if (postgresBin !== undefined) server = await startPostgres({ fsync: 'off' });
});
afterAll(() => server?.stop());

async function sql(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}

describe.skipIf(postgresBin === undefined)('a store in PostgreSQL', () => {
  it('holds runs for every command, as a file does', async () => {
    const url = await server.database();
    const cwd = openDoor();
    const run = await call(['run', 'plan.yaml', '--store', url], { cwd });
    expect(run).toMatchObject({ code: 0 });
    const listed = await call(['runs', '--json'], { cwd, env: { RECONVERGE_STORE: url } });
    expect(JSON.parse(listed.stdout)).toMatchObject({ runs: [{ status: 'completed', template: 'door' }] });
    const env = { RECONVERGE_STORE: url };
    expect((await call(['why', 'latest', 'plan.1/ann'], { cwd, env })).stdout).toContain('planned by');
    expect((await call(['replay', 'latest'], { cwd, env })).code).toBe(0);
    expect((await call(['doctor'], { cwd, env })).stdout).toMatch(/is sound, with 1 run$/m);
  });

  it('continues a run whose process was killed, without repeating a recorded step', async () => {
    const url = await server.database();
    const cwd = project({ 'chain.yaml': chain(12) });
    const running = begin(['run', 'chain.yaml', '--store', url], { cwd });
    await running.said('s3');
    running.child.kill('SIGKILL');
    await running.ended;
    expect(await call(['resume', 'latest', '--store', url], { cwd })).toMatchObject({ code: 0 });
    const [{ starts } = {}] = await sql(
      url,
      `SELECT max(n) AS starts FROM (SELECT count(*) AS n FROM reconverge.entries
         WHERE payload LIKE '%"step":"s2"%' AND type = (SELECT type FROM reconverge.entries
           WHERE payload LIKE '%"step":"s2"%' ORDER BY version LIMIT 1) GROUP BY type) AS counted`,
    );
    expect(Number(starts)).toBe(1);
  });

  it('outlives a crash of the database in the middle of a run', async () => {
    const url = await server.database();
    const cwd = project({ 'chain.yaml': chain(25) });
    const running = begin(['run', 'chain.yaml', '--store', url], { cwd });
    await running.said('s3');
    await server.restart('immediate');
    expect(await running.ended).toMatchObject({ code: 0 });
    expect((await call(['replay', 'latest', '--store', url], { cwd })).stdout).toContain('all invariants hold');
    const journal = openPostgresJournal(url);
    expect(journal.check()).toEqual([]);
    await journal.close();
  });

  it('takes over the runs of a file: finished ones to look at, and one at a gate to answer', async () => {
    const url = await server.database();
    const cwd = openDoor({ 'asked.yaml': asked });
    expect((await call(['run', 'plan.yaml'], { cwd })).code).toBe(0);
    expect((await call(['run', 'asked.yaml'], { cwd })).code).toBe(3);
    const shown = await call(['show', 'latest', '--json'], { cwd });
    const migrated = await call(['migrate', '--store', url, '--from', '.reconverge/runs.db', '--json'], { cwd });
    expect(JSON.parse(migrated.stdout)).toMatchObject({ migrations: 1, copied: { runs: 2, known: 0 } });
    const env = { RECONVERGE_STORE: url };
    expect((await call(['show', 'latest', '--json'], { cwd, env })).stdout).toBe(shown.stdout);
    const answered = await call(['review', 'latest', 'g1', '--approve'], { cwd, env });
    expect(answered).toMatchObject({ code: 0 });
    expect((await call(['replay', 'latest'], { cwd, env })).stdout).toContain('all invariants hold');
    expect((await call(['doctor'], { cwd, env })).stdout).toContain('is sound, with 2 runs');
    const again = await call(['migrate', '--from', '.reconverge/runs.db'], { cwd, env });
    expect(again.stdout).toContain('its tables are up to date');
    expect(again.stdout).toContain('2 runs were there already');
  });

  it('is refused with the reason and without its password when it cannot be reached', async () => {
    const cwd = project({ 'chain.yaml': chain(1) });
    const url = (await server.database()).replace('postgres@', 'postgres:hush@');
    const gone = await call(['run', 'chain.yaml', '--store', `${url}_gone`], { cwd });
    expect(gone.code).toBe(1);
    expect(gone.stderr).toMatch(/STORE_UNREACHABLE: the store postgres:\/\/postgres@127\.0\.0\.1:\d+\/store_\d+_gone/);
    expect(gone.stderr).toContain('does not exist');
    expect(gone.stderr).not.toContain('hush');
  });

  it('is refused when another program or another version of this one has made it', async () => {
    const foreign = await server.database();
    await sql(foreign, 'CREATE SCHEMA reconverge');
    expect(() => openPostgresJournal(foreign)).toThrow(StoreRefused);
    expect(() => openPostgresJournal(foreign)).toThrow('another program');
    const other = await server.database();
    await openPostgresJournal(other).close();
    await sql(other, 'INSERT INTO reconverge.migrations (number) VALUES (999)');
    expect(() => openPostgresJournal(other)).toThrow('newer version');
    await sql(other, 'DELETE FROM reconverge.migrations');
    expect(() => openPostgresJournal(other)).toThrow('older version');
  });

  it('reports altered entries, texts and snapshots', async () => {
    const url = await server.database();
    const cwd = openDoor();
    expect((await call(['run', 'plan.yaml', '--store', url], { cwd })).code).toBe(0);
    await sql(
      url,
      `UPDATE reconverge.entries SET payload = '{' WHERE version = 2;
       DELETE FROM reconverge.entries WHERE version = 4;
       UPDATE reconverge.blobs SET text = text || ' ' WHERE digest = (SELECT min(digest) FROM reconverge.blobs)`,
    );
    const journal = openPostgresJournal(url);
    const codes = journal.check().map(({ code }) => code);
    await journal.close();
    expect(codes).toEqual(expect.arrayContaining(['STREAM_GAP', 'ENTRY_ALTERED', 'BLOB_ALTERED']));
  });
});
