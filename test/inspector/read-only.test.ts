// The inspector on a read-only store: it says so first, and refuses orders.
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { serve } from '../../src/inspector/server/serve.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { openSqliteJournal } from '../../src/store/sqlite-journal.ts';
import { openDoor, reconverge } from '../cli/reconverge.ts';
import { ask, heard, own, token } from './served.ts';

it('shows the runs of a read-only store, and refuses orders, forks and answers', async () => {
  const folder = openDoor();
  expect((await reconverge(['run', 'plan.yaml', '--quiet'], { cwd: folder })).code).toBe(0);
  const store = join(folder, '.reconverge/runs.db');
  chmodSync(store, 0o444);
  const engine = createEngine({ store, folder, access: 'any' });
  const journal = openSqliteJournal(store, { access: 'any' });
  const here = await serve({ engine, journal, files: new Map(), token, ports: [0], by: 'ann' });
  if (here === undefined) throw new Error('there is no free port');
  onTestFinished(async () => {
    await here.close();
    await journal.close();
    await engine.close();
  });
  const run = engine.runs()[0]?.id ?? '';
  const messages = await heard(here.url, `run=${run}`, (name) => name === 'events');
  const names = messages.map(({ name }) => name);
  expect(names[0]).toBe('readonly');
  expect(names).toEqual(expect.arrayContaining(['runs', 'template', 'events']));
  for (const [path, body] of [
    [`runs/${run}/orders`, { order: 'cancel' }],
    [`runs/${run}/forks`, { at: 2 }],
    [`runs/${run}/gates/g1`, { verdict: 'approve' }],
  ]) {
    const given = { method: 'POST', headers: own(here), body: JSON.stringify(body) };
    const answered = await ask(here, `/${token}/api/${path}`, given);
    expect(JSON.parse(answered.text)).toMatchObject({ ok: false, issues: [{ code: 'STORE_READ_ONLY' }] });
  }
});
