// The history of runs: past states, forks, differences, and the check of a journal.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, openDoor } from './reconverge.ts';

let cwd: string;
let first: string;

beforeAll(async () => {
  cwd = openDoor({}, afterAll);
  await call(['run', 'plan.yaml', '--quiet'], { cwd });
  first = await latest();
});

async function latest(): Promise<string> {
  return JSON.parse((await call(['runs', '--json'], { cwd })).stdout).runs[0].id;
}

async function eventsOf(run: string): Promise<readonly { version: number; event: { type: string; step?: string } }[]> {
  const { stdout } = await call(['show', run, '--events', '--json'], { cwd });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('show', () => {
  it('lists the events by number, and shows the run after one of them', async () => {
    const { stdout } = await call(['show', first, '--events'], { cwd });
    expect(stdout).toMatch(/^ *1 {2}\+0ms +run\.started/);
    const grafted = (await eventsOf(first)).find(({ event }) => event.type === 'fragment.grafted')?.version ?? 0;
    const before = await call(['show', first, '--at', String(grafted - 1)], { cwd });
    expect(before.stdout).toMatch(/● plan/);
    expect(before.stdout).not.toMatch(/ ann /);
    const after = await call(['show', first, '--at', String(grafted), '--json'], { cwd });
    expect(JSON.parse(after.stdout)).toMatchObject({ status: 'running', output: null });
  });

  it('refuses the number of a missing event', async () => {
    const { code, stderr } = await call(['show', first, '--at', '999'], { cwd });
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('from 1 to') });
  });
});

describe('fork and diff', () => {
  it('continue from a step with another plan, and show the differences', async () => {
    writeFileSync(
      join(cwd, 'other.yaml'),
      'rationale: one alone\nsteps:\n  - { name: zoe, handler: door.note, input: { name: zoe } }\n',
    );
    const forked = await call(['fork', first, '--at', 'plan', '--plan', 'other.yaml', '--why', 'to see'], { cwd });
    expect(forked).toMatchObject({ code: 0, stdout: expect.stringContaining(`forked from ${first}`) });
    const other = await latest();
    const text = await call(['diff', first, other], { cwd });
    expect(text.stdout).toMatch(/the same up to event \d+/);
    expect(text.stdout).toContain('+ plan.1/zoe');
    expect(text.stdout).toContain('- plan.1/ann');
    const json = await call(['diff', first, other, '--json'], { cwd });
    expect(JSON.parse(json.stdout)).toMatchObject({ left: first, right: other, plans: [{ planner: 'plan' }] });
  });

  it('report two runs without differences', async () => {
    expect((await call(['diff', first, first], { cwd })).stdout.trim()).toBe('no difference');
  });

  it('report invalid arguments', async () => {
    const noPoint = await call(['fork', first], { cwd });
    expect(noPoint).toMatchObject({ code: 2, stderr: expect.stringContaining('--at') });
    const late = await call(['fork', first, '--at', '999'], { cwd });
    expect(late).toMatchObject({ code: 1, stderr: expect.stringContaining('FORK_POINT_UNKNOWN') });
    const plan = await call(['fork', first, '--at', '3', '--plan', 'other.yaml'], { cwd });
    expect(plan).toMatchObject({ code: 2, stderr: expect.stringContaining('planning step') });
  });
});

describe('replay', () => {
  it('finds no damage in an unchanged run', async () => {
    const { code, stdout } = await call(['replay', first, '--json'], { cwd });
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, broken: [] });
  });
});

describe('a run that somebody altered in the store', () => {
  const entry = 'WHERE version = ? AND stream = (SELECT key FROM streams WHERE id = ?)';
  it.each([
    [
      'an event taken out',
      `DELETE FROM entries ${entry}`,
      /RUN_DAMAGED: .* behind its event (\d+): event \d+ is missing/,
    ],
    [
      'an event that is no JSON',
      `UPDATE entries SET payload = '{' ${entry}`,
      /RUN_DAMAGED: .* behind its event (\d+): .*JSON/,
    ],
    ['an event of a kind to come', `UPDATE entries SET type = 999 ${entry}`, /RUN_DAMAGED: .* unknown type 999/],
    [
      'an event of something else',
      `UPDATE entries SET payload = '{"step":"x"}' ${entry}`,
      /RUN_DAMAGED: .* event (\d+): /,
    ],
  ])('is refused with the place of the damage, while other runs stay readable: %s', async (_, alter, said) => {
    const run = await call(['run', 'plan.yaml', '--quiet', '--json'], { cwd });
    const { report } = JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '');
    const events = await eventsOf(report.run);
    const done = events.find(({ event }) => event.type === 'step.completed' && event.step?.startsWith('plan.1'));
    const database = new DatabaseSync(join(cwd, '.reconverge', 'runs.db'));
    database.prepare(alter).run(done?.version ?? 0, report.run);
    database.close();
    for (const command of [['replay'], ['show'], ['fork', '--at', '2']]) {
      const [name = '', ...flags] = command;
      const { code, stderr } = await call([name, report.run, ...flags], { cwd });
      expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(said) });
      expect(stderr.match(said)?.[1] ?? String((done?.version ?? 0) - 1)).toBe(String((done?.version ?? 0) - 1));
    }
    expect((await call(['show', first], { cwd })).code).toBe(0);
  });

  it('reports a missing template differently from a run that never began', async () => {
    const other = openDoor();
    await call(['run', 'plan.yaml', '--quiet'], { cwd: other });
    const database = new DatabaseSync(join(other, '.reconverge', 'runs.db'));
    database.exec('DELETE FROM blobs');
    database.close();
    const { code, stderr } = await call(['show', 'latest'], { cwd: other });
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(/RUN_DAMAGED: .*its template/) });
  });
});
