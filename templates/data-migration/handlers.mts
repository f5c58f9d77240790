// The capabilities of the migration: inspecting, copying, creating tables, moving one batch, and checking the whole.
import { rm, stat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { type CallContext, CapabilityError, defineCapability } from 'reconverge';
import { type ColumnRule, type OldValue, turnValue } from './values.mts';

interface TableRule {
  readonly target: string;
  readonly source: string;
  readonly key: string;
  readonly create: readonly string[];
  readonly columns: Readonly<Record<string, ColumnRule>>;
  /** New columns that hold the key of another new table. A row whose partner was not moved is set aside. */
  readonly references?: Readonly<Record<string, string>>;
}

interface Mapping {
  readonly tables: readonly TableRule[];
  /** Queries with one number as their answer, which must be the same after the rehearsal and after the migration. */
  readonly figures: Readonly<Record<string, string>>;
}

/**
 * Each row that was moved or set aside is noted here in the transaction that did it. A repeated batch skips such rows: this is
 * why the capabilities below say `repeat: 'safe'`, and why a run that was killed goes on without a question.
 */
const NOTES = `CREATE TABLE IF NOT EXISTS migration_note (
  target TEXT NOT NULL, key INTEGER NOT NULL, problem TEXT, PRIMARY KEY (target, key)) WITHOUT ROWID`;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

async function mappingIn(ctx: CallContext, path: string): Promise<Mapping> {
  const text = (await ctx.files.read(path, 1_000_000)).toString('utf8');
  try {
    return JSON.parse(text) as Mapping;
  } catch (error) {
    throw new CapabilityError(
      'MAPPING_INVALID',
      `${path} is no JSON: ${error instanceof Error ? error.message : error}`,
      {
        retry: 'never',
      },
    );
  }
}

function ruleFor({ tables }: Mapping, target: string): TableRule {
  const rule = tables.find((each) => each.target === target);
  if (rule === undefined) throw new CapabilityError('TABLE_UNKNOWN', `the mapping has no table "${target}"`);
  return rule;
}

async function opened<T>(ctx: CallContext, path: string, use: (db: DatabaseSync) => Promise<T> | T): Promise<T> {
  const file = await ctx.files.resolve(path, 'write');
  // SQLite would make a file that is missing; the read explains what is wrong.
  if (
    !(await stat(file).then(
      (found) => found.isFile(),
      () => false,
    ))
  )
    await ctx.files.read(path, 1_000);
  const db = new DatabaseSync(file, {
    enableForeignKeyConstraints: true,
    timeout: 10_000,
  });
  try {
    return await use(db);
  } catch (error) {
    if (error instanceof Error && error.message === 'file is not a database')
      throw new CapabilityError('DATABASE_UNREADABLE', `${path} is no SQLite database`, { retry: 'never' });
    throw error;
  } finally {
    db.close();
  }
}

/** @throws CapabilityError for a table or a column that the database does not have */
function checkSources(db: DatabaseSync, path: string, rules: readonly TableRule[]): void {
  for (const { target, source, key, columns } of rules) {
    const known = db.prepare('SELECT name FROM pragma_table_info(?)').all(source);
    const names = known.map(({ name }) => String(name));
    const wanted = [key, ...Object.values(columns).map(({ from }) => from)];
    const missing = wanted.find((name) => !names.includes(name));
    if (missing === undefined) continue;
    const why =
      names.length === 0
        ? `the database has no table "${source}"`
        : `the table "${source}" has no column "${missing}", but ${names.join(', ')}`;
    throw new CapabilityError('MAPPING_INVALID', `${path}, table "${target}": ${why}`, { retry: 'never' });
  }
}

type Row = Readonly<Record<string, OldValue>>;

/** The values of a row in the new table, or the first reason why it cannot be moved. */
function turnRow(
  { columns }: TableRule,
  row: Row,
): { readonly values: readonly OldValue[] } | { readonly problem: string } {
  const values: OldValue[] = [];
  for (const rule of Object.values(columns)) {
    const turned = turnValue(rule, row[rule.from] ?? null);
    if ('problem' in turned) return turned;
    values.push(turned.value);
  }
  return { values };
}

const rowsOf = (db: DatabaseSync, { source, key }: TableRule, first: number, last: number): readonly Row[] =>
  db
    .prepare(`SELECT * FROM ${quoted(source)} WHERE ${quoted(key)} BETWEEN ? AND ? ORDER BY ${quoted(key)}`)
    .all(first, last) as Row[];

export const inspect = defineCapability({
  name: 'migration.inspect',
  description:
    'Count the rows of each source table, cut them into ranges of keys, and list the values that cannot be moved.',
  input: '{database :string, mapping :string, batch_size :int, most_batches :int}',
  output:
    '{tables [{target :string, source :string, rows :int, batches [{first :int, last :int}], problems [{problem :string, rows :int}]}], rows :int}',
  effects: ['read'],
  async run({ database, mapping, batch_size, most_batches }, ctx) {
    const rules = (await mappingIn(ctx, mapping)).tables;
    if (!Array.isArray(rules) || rules.length === 0)
      throw new CapabilityError('MAPPING_INVALID', `${mapping} lists no table; add one under "tables"`, {
        retry: 'never',
      });
    return opened(ctx, database, (db) => {
      checkSources(db, mapping, rules);
      const counts = rules.map(({ source }) =>
        Number(db.prepare(`SELECT count(*) AS n FROM ${quoted(source)}`).get()?.n ?? 0),
      );
      const all = counts.reduce((sum, count) => sum + count, 0);
      const size = Math.max(batch_size, Math.ceil(all / Math.max(1, most_batches - rules.length)));
      const tables = rules.map((rule) => {
        const rows = rowsOf(db, rule, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
        const keys = rows.map((row) => Number(row[rule.key]));
        const starts = Array.from({ length: Math.ceil(keys.length / size) }, (_, at) => at * size);
        // A range begins right after the one before it, so that rows that come later do not fall between two batches.
        const lasts = starts.map((at) => keys[Math.min(at + size, keys.length) - 1] ?? 0);
        const batches = lasts.map((last, at) => ({
          first: at === 0 ? Math.min(0, keys[0] ?? 0) : (lasts[at - 1] ?? 0) + 1,
          last,
        }));
        const problems = rows.flatMap((row) => {
          const turned = turnRow(rule, row);
          return 'problem' in turned ? [turned.problem] : [];
        });
        const counted = [...Map.groupBy(problems, (each) => each)].map(([problem, each]) => ({
          problem,
          rows: each.length,
        }));
        return { target: rule.target, source: rule.source, rows: rows.length, batches, problems: counted };
      });
      return { tables, rows: all };
    });
  },
});

export const copy = defineCapability({
  name: 'migration.copy',
  description: 'Copy the database into a file for the rehearsal, and replace an earlier copy.',
  input: '{database :string, copy :string}',
  output: '{copy :string}',
  effects: ['filesystem'],
  repeat: 'safe',
  async run({ database, copy: path }, ctx) {
    const target = await ctx.files.resolve(path, 'write');
    await rm(target, { force: true });
    await opened(ctx, database, (db) => db.prepare('VACUUM INTO ?').run(target));
    return { copy: path };
  },
});

export const create = defineCapability({
  name: 'migration.create',
  description: 'Create the new tables where they do not exist yet.',
  input: '{database :string, mapping :string}',
  output: '{tables [:string]}',
  effects: ['filesystem'],
  repeat: 'safe',
  async run({ database, mapping }, ctx) {
    const { tables } = await mappingIn(ctx, mapping);
    return opened(ctx, database, (db) => {
      inTransaction(db, () => {
        db.exec(NOTES);
        for (const statement of tables.flatMap((each) => each.create)) db.exec(statement);
      });
      return { tables: tables.map(({ target }) => target) };
    });
  },
});

function inTransaction(db: DatabaseSync, work: () => void): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    work();
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

export const batch = defineCapability({
  name: 'migration.batch',
  description:
    'Move the rows of one range of keys into the new table, all or none, and set aside those that cannot be moved.',
  input: '{database :string, mapping :string, target :string, first :int, last :int, pace_ms :int?}',
  output: '{target :string, first :int, last :int, moved :int, set_aside :int, earlier :int}',
  effects: ['filesystem'],
  repeat: 'safe',
  async run({ database, mapping, target, first, last, pace_ms = 0 }, ctx) {
    const rule = ruleFor(await mappingIn(ctx, mapping), target);
    return opened(ctx, database, async (db) => {
      const names = Object.keys(rule.columns);
      const insert = db.prepare(
        `INSERT INTO ${quoted(target)} (${names.map(quoted).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      );
      const note = db.prepare('INSERT INTO migration_note (target, key, problem) VALUES (?, ?, ?)');
      const known = db.prepare('SELECT 1 FROM migration_note WHERE target = ? AND key = ?');
      const partners = Object.entries(rule.references ?? {}).map(([column, table]) => ({
        at: names.indexOf(column),
        table,
        found: db.prepare(`SELECT 1 FROM ${quoted(table)} WHERE rowid = ?`),
      }));
      const partnerMissing = (values: readonly OldValue[]): string | null => {
        const lost = partners.find(({ at, found }) => found.get(values[at] ?? null) === undefined);
        return lost === undefined ? null : `its ${lost.table} was not moved`;
      };
      let moved = 0;
      let set_aside = 0;
      let earlier = 0;
      let key = 0;
      db.exec('BEGIN IMMEDIATE');
      try {
        for (const row of rowsOf(db, rule, first, last)) {
          ctx.signal.throwIfAborted();
          key = Number(row[rule.key]);
          if (known.get(target, key) !== undefined) {
            earlier += 1;
            continue;
          }
          const turned = turnRow(rule, row);
          const problem = 'problem' in turned ? turned.problem : partnerMissing(turned.values);
          if ('values' in turned && problem === null) {
            insert.run(...turned.values);
            moved += 1;
          } else set_aside += 1;
          note.run(target, key, problem);
          if (pace_ms > 0) await pause(pace_ms, undefined, { signal: ctx.signal });
        }
        db.exec('COMMIT');
      } catch (error) {
        db.exec('ROLLBACK');
        const why = error instanceof Error ? error.message : String(error);
        throw new CapabilityError('BATCH_STOPPED', `${rule.source} ${key}: ${why}; nothing of this batch was kept`, {
          retry: 'never',
        });
      }
      return { target, first, last, moved, set_aside, earlier };
    });
  },
});

export const check = defineCapability({
  name: 'migration.check',
  description:
    'Count what was moved and set aside, compare it with the source, and compute the figures of the mapping.',
  input: '{database :string, mapping :string}',
  output:
    '{tables [{target :string, source_rows :int, moved :int, set_aside :int, rows :int, missing :int}], problems [{target :string, problem :string, rows :int}], figures :any, orphans :int, complete :bool}',
  effects: ['read'],
  async run({ database, mapping }, ctx) {
    const { tables: rules, figures } = await mappingIn(ctx, mapping);
    return opened(ctx, database, (db) => {
      const number = (sql: string, ...params: string[]): number =>
        Number(Object.values(db.prepare(sql).get(...params) ?? {})[0] ?? 0);
      const tables = rules.map(({ target, source, key }) => {
        const noted = (problem: string): number =>
          number(`SELECT count(*) FROM migration_note WHERE target = ? AND problem IS ${problem}`, target);
        return {
          target,
          source_rows: number(`SELECT count(*) FROM ${quoted(source)}`),
          moved: noted('NULL'),
          set_aside: noted('NOT NULL'),
          rows: number(`SELECT count(*) FROM ${quoted(target)}`),
          missing: number(
            `SELECT count(*) FROM ${quoted(source)} s WHERE NOT EXISTS (SELECT 1 FROM migration_note n WHERE n.target = ? AND n.key = s.${quoted(key)})`,
            target,
          ),
        };
      });
      const problems = db
        .prepare(
          'SELECT target, problem, count(*) AS rows FROM migration_note WHERE problem IS NOT NULL GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2',
        )
        .all()
        .map(({ target, problem, rows }) => ({ target: String(target), problem: String(problem), rows: Number(rows) }));
      const orphans = db.prepare('PRAGMA foreign_key_check').all().length;
      return {
        tables,
        problems,
        figures: Object.fromEntries(Object.entries(figures).map(([name, sql]) => [name, number(sql)])),
        orphans,
        complete: orphans === 0 && tables.every(({ missing, moved, rows }) => missing === 0 && moved === rows),
      };
    });
  },
});
