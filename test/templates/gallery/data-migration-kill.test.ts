// A migration that is killed in the middle of a batch goes on without a doubled or lost row.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { begin, call } from '../../cli/reconverge.ts';
import { copyOf } from './run-template.ts';

function numberOf(file: string, sql: string): number {
  const db = new DatabaseSync(file, { timeout: 5_000 });
  try {
    return Number(Object.values(db.prepare(sql).get() ?? {})[0] ?? 0);
  } catch {
    return 0;
  } finally {
    db.close();
  }
}

it('a migration that is killed in the middle of a batch is resumed without a doubled row', async () => {
  const cwd = copyOf('data-migration');
  const file = join(cwd, 'data/shop.db');
  const input = ['--input', 'batch_size=100', '--input', 'pace_ms=5'];
  expect((await call(['run', 'template.yaml', ...input, '--quiet'], { cwd })).code).toBe(3);

  const running = begin(['review', 'latest', 'g1', '--approve', '--quiet'], { cwd });
  const journal = `${file}-journal`;
  // Some batches are committed, and another one has begun to write.
  while (numberOf(file, 'SELECT count(*) FROM migration_note') < 200) await pause(5);
  while (!existsSync(journal)) await pause(1);
  running.child.kill('SIGKILL');
  await running.ended;
  expect(existsSync(journal)).toBe(true);
  const kept = numberOf(file, 'SELECT count(*) FROM migration_note');
  expect(kept % 100).toBe(0);
  expect(kept).toBeLessThan(1990);

  const { code, stdout, stderr } = await call(['resume', 'latest', '--quiet'], { cwd });
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('completed data-migration');
  expect(numberOf(file, 'SELECT count(*) FROM migration_note')).toBe(420 + 420 + 1150);
  expect(numberOf(file, 'SELECT count(*) FROM customer')).toBe(415);
  expect(numberOf(file, 'SELECT count(*) FROM sales_order')).toBe(1128);
  expect(numberOf(file, 'SELECT sum(cents) FROM sales_order')).toBe(84573737);
});
