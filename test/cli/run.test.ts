// Runs from the command line: their progress, their store, and their ends.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { call, openDoor, project, reconverge } from './reconverge.ts';

const ESC = String.fromCharCode(27);

describe('run', () => {
  it('runs a template to its end and reports what the run used', async () => {
    const cwd = openDoor();
    const { code, stdout } = await reconverge(['run', 'plan.yaml'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('completed door: 6 of 6 steps completed');
    expect(stdout).toContain('6 of 100 steps, 1 of 5 phases, $0.00 of $5.00');
    expect(readFileSync(join(cwd, 'calls.log'), 'utf8').trim().split('\n').toSorted()).toEqual([
      'ann',
      'ben',
      'door',
      'first',
      'last',
    ]);
  });

  it('prints one line for each event to standard error if no terminal is attached', async () => {
    const { stdout, stderr } = await reconverge(['run', 'plan.yaml'], { cwd: openDoor() });
    expect(stderr).toMatch(/fragment\.grafted +plan +2 steps before last/);
    expect(stdout).not.toContain('fragment.grafted');
    expect(stdout + stderr).not.toContain(ESC);
  });

  it('suggests the next commands', async () => {
    const { stderr } = await call(['run', 'plan.yaml'], { cwd: openDoor() });
    for (const name of ['show', 'why', 'graph', 'budget'])
      expect(stderr).toMatch(new RegExp(`reconverge ${name} [a-z0-9]+`));
  });

  it('suggests `reconverge why` for the step that failed', async () => {
    const cwd = openDoor({
      'fall.yaml':
        'reconverge: 1\nname: fall\ncapabilities: [./handlers.ts]\nsteps:\n  - { name: stumble, handler: door.fall, input: { name: a } }\n',
    });
    const { stderr } = await call(['run', 'fall.yaml'], { cwd });
    expect(stderr).toMatch(/reconverge why [a-z0-9]+ stumble$/m);
    const why = await call(['why', 'latest', 'stumble'], { cwd });
    expect(why.stdout.match(/fell over the threshold/g)).toHaveLength(1);
  });

  it('prints no progress with --quiet', async () => {
    const { stdout, stderr } = await reconverge(['run', 'plan.yaml', '--quiet'], { cwd: openDoor() });
    expect(stderr).not.toContain('step.completed');
    expect(stdout).toContain('completed door');
  });

  it('uses color when it is forced, and not when it is disabled', async () => {
    const forced = await reconverge(['run', 'plan.yaml'], { cwd: openDoor(), env: { FORCE_COLOR: '1' } });
    expect(forced.stdout).toContain(`${ESC}[32m`);
    const none = await reconverge(['run', 'plan.yaml'], { cwd: openDoor(), env: { NO_COLOR: '1' } });
    expect(none.stdout + none.stderr).not.toContain(ESC);
  });

  it('answers --json with events and then the report, one per line, and nothing else', async () => {
    const { code, stdout, stderr } = await reconverge(['run', 'plan.yaml', '--json'], { cwd: openDoor() });
    expect(code).toBe(0);
    expect(stderr).toBe('');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { report } = lines.at(-1);
    expect(report).toMatchObject({
      template: 'door',
      status: 'completed',
      partial: false,
      output: { last: { name: 'last' } },
    });
    expect(lines.slice(0, -1).map(({ version }) => version)).toEqual(lines.slice(0, -1).map((_, index) => index + 1));
  });

  it('takes input as pairs, as JSON and from a file; later words win', async () => {
    const cwd = project({
      'echo.yaml':
        'reconverge: 1\nname: echo\ninput: { type: object, properties: { zip: { type: string }, n: { type: integer } } }\nsteps:\n  - { name: echo, type: compute, expr: !lisp data/input }\n',
      'input.json': '{ "n": 1, "list": [1] }',
    });
    const words = [
      'run',
      'echo.yaml',
      '--json',
      '--input',
      '@input.json',
      '--input',
      '{"n": 2}',
      '--input',
      'zip=01234',
    ];
    const { stdout } = await call(words, { cwd });
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '').report.output).toEqual({
      echo: { n: 2, list: [1], zip: '01234' },
    });
  });

  it('exits with 1 when the run failed, and names the step that caused the failure', async () => {
    const cwd = openDoor({
      'fall.yaml':
        'reconverge: 1\nname: fall\ncapabilities: [./handlers.ts]\nsteps:\n  - { name: trip, handler: door.fall, input: { name: x } }\n  - { name: after, handler: door.note, dependencies: [trip], input: { name: y } }\n',
    });
    const { code, stdout } = await call(['run', 'fall.yaml'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^failed fall: /);
    expect(stdout).toMatch(/trip +[A-Z_]+: .*fell over the threshold.*; 1 step did not run because of it/);
  });

  it('exits with 4 when the budget stopped the run, and names the limit', async () => {
    const { code, stdout } = await call(['run', 'plan.yaml', '--budget', 'max_total_tool_calls=2'], {
      cwd: openDoor(),
    });
    expect(code).toBe(4);
    expect(stdout).toContain('stopped by budget.max_total_tool_calls (plan.yaml): 1 of 2 tool calls used');
  });

  it('loosens a limit only with the flag for it', async () => {
    const cwd = openDoor();
    const refused = await call(['run', 'plan.yaml', '--budget', 'max_total_steps=200'], { cwd });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('BUDGET_LOOSENED');
    const raised = await call(['run', 'plan.yaml', '--budget', 'max_total_steps=200', '--raise'], { cwd });
    expect(raised.stdout).toContain('6 of 200 steps');
  });

  it('keeps its runs in the given store', async () => {
    const cwd = openDoor();
    await call(['run', 'plan.yaml', '--store', 'kept/here.db', '--relaxed'], { cwd });
    expect(existsSync(join(cwd, 'kept/here.db'))).toBe(true);
    expect(existsSync(join(cwd, '.reconverge'))).toBe(false);
    const { stdout } = await call(['runs', '--json'], { cwd, env: { RECONVERGE_STORE: 'kept/here.db' } });
    expect(JSON.parse(stdout).runs).toMatchObject([{ template: 'door', status: 'completed' }]);
  });
});

describe('the main job', () => {
  it('profiles a folder of data files, survives a broken file, and says where its report is', async () => {
    const cwd = project();
    const template = new URL('../../templates/recon-then-execute.yaml', import.meta.url).pathname;
    const folder = new URL('../../templates/data/shop', import.meta.url).pathname;
    const { code, stdout } = await reconverge(['run', template, '--input', `folder=${folder}`], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^partial recon-then-execute: /);
    const report = /^report: (\S+)$/m.exec(stdout)?.[1] ?? '';
    expect(readFileSync(join(cwd, report), 'utf8')).toContain('## What failed');
  });
});
