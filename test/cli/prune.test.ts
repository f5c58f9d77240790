// prune: removes old runs, and nothing that others need.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { call, openDoor } from './reconverge.ts';

it('runs that ended long ago are removed with their values, and newer, open and forked ones stay whole', async () => {
  const cwd = openDoor({
    'asked.yaml': 'reconverge: 1\nname: asked\nsteps:\n  - { name: ask, type: human_review, prompt: Is it good? }\n',
  });
  const idOf = async (words: readonly string[]): Promise<string> => {
    await call(words, { cwd });
    const listed = JSON.parse((await call(['runs', '--limit', '1', '--json'], { cwd })).stdout);
    return listed.runs[0].id;
  };
  const old = await idOf(['run', 'plan.yaml']);
  const asked = await idOf(['run', 'asked.yaml']);
  const fork = await idOf(['fork', old, '--at', '4']);
  expect((await call(['prune', '--older-than', '1h', '--json'], { cwd })).stdout).toContain('"runs": []');
  const dry = await call(['prune', '--older-than', '0s', '--dry'], { cwd });
  expect(dry.stdout).toContain(`${old}  completed  door`);
  expect(dry.stdout).not.toContain(asked);
  expect((await call(['runs'], { cwd })).stdout).toContain(old);

  const database = new DatabaseSync(join(cwd, '.reconverge/runs.db'));
  database.exec(`UPDATE streams SET summary = json_set(summary, '$.endedAt', 1) WHERE id = '${old}'`);
  database.close();
  const pruned = await call(['prune', '--older-than', '30d'], { cwd });
  expect(pruned).toMatchObject({ code: 0 });
  expect(pruned.stdout).toContain('1 run that ended more than');
  const left = JSON.parse((await call(['runs', '--json'], { cwd })).stdout);
  expect(left.runs.map(({ id }: { id: string }) => id)).toEqual([fork, asked]);
  expect((await call(['replay', fork], { cwd })).stdout).toContain('all invariants hold');
  expect((await call(['review', asked, 'g1', '--approve'], { cwd })).code).toBe(0);
  expect((await call(['doctor'], { cwd })).stdout).toContain('is sound, with 2 runs');
  expect((await call(['prune'], { cwd })).stderr).toContain('--older-than 30d');
  expect((await call(['prune', '--older-than', 'long'], { cwd })).stderr).toContain('such as 30d');
});
