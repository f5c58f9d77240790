// The template data-migration moves every row once or sets it aside, in the sample and in another database.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { call } from '../../cli/reconverge.ts';
import { copyOf } from './run-template.ts';

type Row = Readonly<Record<string, string | number | null>>;

function inDatabase<T>(file: string, use: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(file);
  try {
    return use(db);
  } finally {
    db.close();
  }
}

const rowsIn = (folder: string, sql: string, file = 'data/shop.db'): readonly Row[] =>
  inDatabase(
    join(folder, file),
    (db) =>
      db
        .prepare(sql)
        .all()
        .map((row) => ({ ...row })) as Row[],
  );

async function inFolder(
  cwd: string,
  ...words: readonly string[]
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  return call(words, { cwd });
}

describe('the sample', () => {
  it('is rehearsed on a copy, changed only after the approval, and complete then', async () => {
    const cwd = copyOf('data-migration');
    const asked = await inFolder(cwd, 'run', 'template.yaml', '--quiet');
    expect(asked.code).toBe(3);
    expect(asked.stdout).toContain(
      '415 of 420 rows to customer, 411 of 420 rows to address, 1128 of 1150 rows to sales_order',
    );
    expect(asked.stdout).toContain('17 of sales_order, because its customer was not moved');
    expect(rowsIn(cwd, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")).toEqual([
      { name: 'customers' },
      { name: 'orders' },
    ]);
    const done = await inFolder(cwd, 'review', 'latest', 'g1', '--approve', '--quiet');
    expect(done.stdout).toContain('completed data-migration: 36 of 36 steps completed');
    // Ids 52, 77 and so on of the old table are broken: no name, no address, no date.
    expect(rowsIn(cwd, 'SELECT count(*) AS n, count(DISTINCT id) AS ids FROM customer')).toEqual([
      { n: 415, ids: 415 },
    ]);
    expect(
      rowsIn(
        cwd,
        "SELECT problem, count(*) AS n FROM migration_note WHERE target = 'customer' AND problem IS NOT NULL GROUP BY 1 ORDER BY 1",
      ),
    ).toEqual([
      { problem: 'created is no date', n: 2 },
      { problem: 'email is no address', n: 1 },
      { problem: 'full_name is empty', n: 2 },
    ]);
    expect(
      rowsIn(cwd, 'SELECT count(*) AS n FROM sales_order WHERE customer_id NOT IN (SELECT id FROM customer)'),
    ).toEqual([{ n: 0 }]);
    expect(
      rowsIn(
        cwd,
        "SELECT count(*) AS n FROM customer WHERE name GLOB '*  *' OR email GLOB '*[A-Z]*' OR since NOT GLOB '20[12][0-9]-[01][0-9]-[0-3][0-9]'",
      ),
    ).toEqual([{ n: 0 }]);
  });

  it('stays as it was when a person says no', async () => {
    const cwd = copyOf('data-migration');
    const before = readFileSync(join(cwd, 'data/shop.db'));
    await inFolder(cwd, 'run', 'template.yaml', '--quiet');
    const { code, stdout } = await inFolder(
      cwd,
      'review',
      'latest',
      'g1',
      '--reject',
      'not before the weekend',
      '--quiet',
    );
    expect(code).toBe(1);
    expect(stdout).toContain('not before the weekend');
    expect(readFileSync(join(cwd, 'data/shop.db')).equals(before)).toBe(true);
  });
});

describe('a batch that fails', () => {
  it('keeps nothing of itself, stops all later ones, and a new run does the rest', async () => {
    const cwd = copyOf('data-migration');
    await inFolder(cwd, 'run', 'template.yaml', '--quiet');
    // Between the rehearsal and the approval somebody registers with an address that is taken.
    const [taken] = rowsIn(cwd, 'SELECT lower(trim(email)) AS email FROM customers WHERE id = 5');
    inDatabase(join(cwd, 'data/shop.db'), (db) =>
      db
        .prepare("INSERT INTO customers VALUES (210, 'Late Comer', ?, NULL, 'Seestr. 1, 10115 Berlin', '2026-01-01')")
        .run(taken?.email ?? ''),
    );
    const { code, stdout } = await inFolder(cwd, 'review', 'latest', 'g1', '--approve', '--quiet');
    expect(code).toBe(1);
    expect(stdout).toContain('customers 210: UNIQUE constraint failed: customer.email; nothing of this batch was kept');
    expect(rowsIn(cwd, 'SELECT count(*) AS n FROM customer WHERE id >= 200')).toEqual([{ n: 1 }]);
    expect(rowsIn(cwd, 'SELECT count(*) AS n FROM sales_order')).toEqual([{ n: 0 }]);

    inDatabase(join(cwd, 'data/shop.db'), (db) =>
      db.exec("UPDATE customers SET email = 'late@example.com' WHERE id = 210"),
    );
    await inFolder(cwd, 'run', 'template.yaml', '--quiet');
    const done = await inFolder(cwd, 'review', 'latest', 'g1', '--approve', '--quiet');
    expect(done.stdout).toContain('completed data-migration');
    expect(rowsIn(cwd, 'SELECT count(*) AS n, count(DISTINCT id) AS ids FROM customer')).toEqual([
      { n: 416, ids: 416 },
    ]);
    expect(rowsIn(cwd, 'SELECT count(*) AS n FROM sales_order')).toEqual([{ n: 1128 }]);
  });
});

describe('another database with another mapping', () => {
  it('is moved by the same template', async () => {
    const cwd = copyOf('data-migration');
    rmSync(join(cwd, 'data/shop.db'));
    const dates = ['1999-12-31', '31.12.1999', '31 Dec 1999', '946598400', '1999/12/31'];
    inDatabase(join(cwd, 'data/clinic.db'), (db) => {
      db.exec('CREATE TABLE visits (no INTEGER PRIMARY KEY, seen TEXT, fee TEXT, kind TEXT)');
      const insert = db.prepare('INSERT INTO visits VALUES (?, ?, ?, ?)');
      for (let no = 0; no < 733; no += 1)
        insert.run(no * 3, dates[no % 5] ?? '', no === 700 ? 'free' : `${no}.50`, no % 2 === 0 ? 'FIRST' : 'again');
    });
    const columns = {
      id: { from: 'no' },
      day: { from: 'seen', as: 'date', required: true },
      cents: { from: 'fee', as: 'cents', required: true },
      kind: { from: 'kind', as: 'choice', values: { first: [], second: ['again'] } },
    };
    const create = ['CREATE TABLE IF NOT EXISTS visit (id INTEGER PRIMARY KEY, day TEXT, cents INTEGER, kind TEXT)'];
    const mapping = {
      tables: [{ target: 'visit', source: 'visits', key: 'no', create, columns }],
      figures: { cents: 'SELECT sum(cents) FROM visit' },
    };
    writeFileSync(join(cwd, 'clinic.json'), JSON.stringify(mapping));
    const own = ['--input', 'database=data/clinic.db', '--input', 'mapping=clinic.json', '--input', 'batch_size=50'];
    expect((await inFolder(cwd, 'run', 'template.yaml', ...own, '--quiet')).stdout).toContain(
      'moved 732 of 733 rows to visit. Set aside: 1 of visit, because fee is no amount.',
    );
    expect((await inFolder(cwd, 'review', 'latest', 'g1', '--approve', '--quiet')).code).toBe(0);
    const sum = Array.from({ length: 733 }, (_, no) => (no === 700 ? 0 : no * 100 + 50)).reduce((a, b) => a + b, 0);
    expect(
      rowsIn(
        cwd,
        'SELECT count(*) AS n, sum(cents) AS cents, min(day) AS first, max(day) AS last FROM visit',
        'data/clinic.db',
      ),
    ).toEqual([{ n: 732, cents: sum, first: '1999-12-31', last: '1999-12-31' }]);
    expect(rowsIn(cwd, 'SELECT DISTINCT kind FROM visit ORDER BY 1', 'data/clinic.db')).toEqual([
      { kind: 'first' },
      { kind: 'second' },
    ]);
    expect(existsSync(join(cwd, 'data/rehearsal.db'))).toBe(true);
  });
});
