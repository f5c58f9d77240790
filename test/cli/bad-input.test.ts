// Bad input: each kind gets a clear message with a fix, the right exit code, no stack trace, and loses nothing.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { call, type Ended, openDoor, reconverge } from './reconverge.ts';

function expectRefusal({ code, stderr }: Ended, expected: number, ...texts: readonly string[]): void {
  for (const text of texts) expect(stderr).toContain(text);
  expect(code).toBe(expected);
  expect(stderr).not.toMatch(/^ {4}at /m);
  expect(stderr).not.toContain('This is a bug');
}

describe('templates', () => {
  it('a missing file is refused', async () => {
    expectRefusal(await call(['run', 'nowhere.yaml'], { cwd: openDoor() }), 1, 'TEMPLATE_UNREADABLE', 'nowhere.yaml');
  });

  it('invalid YAML is reported with the line and a caret', async () => {
    const cwd = openDoor({ 'bad.yaml': 'reconverge: 1\nname: "open\nsteps: []\n' });
    expectRefusal(await call(['validate', 'bad.yaml'], { cwd }), 1, 'bad.yaml:', '^');
  });

  it('several mistakes are reported together, each with a hint', async () => {
    const cwd = openDoor({
      'bad.yaml':
        'reconverge: 1\nname: bad\ncapabilities: [./handlers.ts]\nsteps:\n  - { name: a, handler: door.noet, input: { name: x } }\n  - { name: b, handler: door.note, dependencies: [aa], input: { name: x } }\n',
    });
    const ended = await call(['validate', 'bad.yaml'], { cwd });
    expectRefusal(ended, 1, 'bad.yaml:5:', 'did you mean "door.note"?', 'bad.yaml:6:', 'did you mean "a"?');
    const { stdout } = await call(['validate', 'bad.yaml', 'plan.yaml', '--json'], { cwd });
    const { files } = JSON.parse(stdout);
    expect(files.map(({ ok }: { ok: boolean }) => ok)).toEqual([false, true]);
    expect(files[0].issues.length).toBeGreaterThan(1);
  });

  it('a handler module that does not load is refused', async () => {
    const cwd = openDoor({ 'handlers.ts': "throw new Error('no good morning');\n" });
    expectRefusal(await reconverge(['run', 'plan.yaml'], { cwd }), 1, './handlers.ts', 'no good morning');
  });

  it('a missing handler module is refused', async () => {
    const cwd = openDoor({
      'bad.yaml':
        'reconverge: 1\nname: bad\ncapabilities: [./handler.ts]\nsteps:\n  - { name: a, handler: door.note }\n',
    });
    expectRefusal(await call(['run', 'bad.yaml'], { cwd }), 1, 'MODULE_NOT_FOUND', 'did you mean "handlers.ts"?');
  });

  it('a misspelled key and a missing module are reported together', async () => {
    const cwd = openDoor({
      'bad.yaml':
        'reconverge: 1\nname: bad\nbudgt: {}\ncapabilities: [./handler.ts]\nsteps:\n  - { name: a, handler: door.note }\n',
    });
    const refused = await call(['run', 'bad.yaml'], { cwd });
    expectRefusal(refused, 1, 'MODULE_NOT_FOUND', 'bad.yaml:3:1: error SHAPE_UNKNOWN_KEY');
    expect(refused.stderr).not.toContain('CAPABILITY_UNKNOWN');
  });

  it('a planner that answers rubbish fails the run', async () => {
    const cwd = openDoor({
      'bad.yaml':
        'reconverge: 1\nname: bad\nsteps:\n  - { name: plan, type: planning, goal: g, convergence_target: end, planner: { kind: lisp, source: !lisp "42" } }\n  - { name: end, type: deferred, dependencies: [plan] }\n',
    });
    const ended = await call(['run', 'bad.yaml'], { cwd });
    expectRefusal(ended, 1);
    expect(ended.stdout).toMatch(/^failed bad: /);
    expect(ended.stdout).toContain('plan  PLAN_INVALID');
  });
});

describe('input', () => {
  const template =
    'reconverge: 1\nname: needs\ninput: { type: object, required: [n], properties: { n: { type: integer } } }\nsteps:\n  - { name: a, type: compute, expr: !lisp data/input }\n';

  it('an input that breaks its contract is refused', async () => {
    const cwd = openDoor({ 'needs.yaml': template });
    expectRefusal(await call(['run', 'needs.yaml'], { cwd }), 1, 'INPUT_INVALID', '--input n=VALUE');
    expectRefusal(await call(['run', 'needs.yaml', '--input', 'n=many'], { cwd }), 1, 'INPUT_INVALID', 'input.n');
  });

  it('an input that cannot be read is refused', async () => {
    const cwd = openDoor({ 'needs.yaml': template, 'broken.json': '{' });
    expectRefusal(await call(['run', 'needs.yaml', '--input', 'n'], { cwd }), 2, 'key=value');
    expectRefusal(await call(['run', 'needs.yaml', '--input', '@no.json'], { cwd }), 2, 'there is no such file');
    expectRefusal(await call(['run', 'needs.yaml', '--input', '@broken.json'], { cwd }), 2, 'is not JSON');
    expectRefusal(await call(['run', 'needs.yaml', '--input', '{]'], { cwd }), 2, 'is not JSON');
  });

  it('an invalid budget is refused', async () => {
    const cwd = openDoor();
    expectRefusal(await call(['run', 'plan.yaml', '--budget', 'max_steps'], { cwd }), 2, 'key=value');
    const unknown = await call(['run', 'plan.yaml', '--budget', 'max_total_step=3'], { cwd });
    expectRefusal(unknown, 1, 'BUDGET_KEY_UNKNOWN', 'did you mean "max_total_steps"?');
  });

  it('a missing input folder fails the run without a stack trace', async () => {
    const cwd = openDoor();
    const template = new URL('../../templates/recon-then-execute.yaml', import.meta.url).pathname;
    const ended = await call(['run', template, '--input', 'folder=nowhere'], { cwd });
    expect(ended.code).toBe(1);
    expect(ended.stdout).toMatch(/^failed recon-then-execute: /);
    expect(ended.stdout).toMatch(/failed:\n {2}ingest {2}FILE_NOT_FOUND: "nowhere" is not there/);
    expect(ended.stderr).not.toMatch(/^ {4}at /m);
  });
});

describe('runs', () => {
  it('a missing store is reported', async () => {
    const cwd = openDoor();
    expectRefusal(await call(['show', 'latest'], { cwd }), 1, 'STORE_MISSING', '--store');
    expect((await call(['runs'], { cwd })).code).toBe(0);
  });

  it('an unknown run is reported', async () => {
    const cwd = openDoor();
    await call(['run', 'plan.yaml', '--quiet'], { cwd });
    expectRefusal(await call(['show', 'nobody'], { cwd }), 1, 'RUN_UNKNOWN', 'reconverge runs');
  });
});

describe('the store', () => {
  it('a file that is no database is refused and stays unchanged', async () => {
    const cwd = openDoor({
      'runs.db': 'this is no database, but it is quite long enough to be taken for one at first',
    });
    const ended = await reconverge(['run', 'plan.yaml', '--store', 'runs.db'], { cwd });
    expectRefusal(ended, 1, 'STORE_NOT_DATABASE', 'hint:');
    const doctor = await reconverge(['doctor', '--store', 'runs.db'], { cwd });
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toMatch(/✗ store: STORE_NOT_DATABASE: .*\(file is not a database\)/);
  });

  it('a store that a newer version wrote is refused', async () => {
    const cwd = openDoor();
    await call(['run', 'plan.yaml', '--quiet'], { cwd });
    const file = join(cwd, '.reconverge/runs.db');
    const database = new DatabaseSync(file);
    database.exec('PRAGMA user_version = 9999');
    database.close();
    expectRefusal(await call(['runs'], { cwd }), 1, 'STORE_NEWER', 'use that version');
  });

  it('the doctor reports a store that another process has locked', async () => {
    const cwd = openDoor();
    await call(['run', 'plan.yaml', '--quiet'], { cwd });
    const database = new DatabaseSync(join(cwd, '.reconverge/runs.db'));
    database.exec('BEGIN IMMEDIATE');
    const { code, stdout } = await call(['doctor'], { cwd });
    database.close();
    expect(stdout).toContain('✗ store: STORE_LOCKED');
    expect(code).toBe(1);
  });

  it('commands that only read leave an empty file empty', async () => {
    const cwd = openDoor({ 'empty.db': '' });
    for (const [name, code] of [
      ['runs', 0],
      ['doctor', 0],
      ['show', 1],
    ] as const) {
      const words = [name, ...(name === 'show' ? ['latest'] : []), '--store', 'empty.db'];
      expect((await call(words, { cwd })).code, name).toBe(code);
    }
    expect(readFileSync(join(cwd, 'empty.db'), 'utf8')).toBe('');
  });

  it('a sound store passes the doctor', async () => {
    const cwd = openDoor();
    await call(['run', 'plan.yaml', '--quiet'], { cwd });
    const { code, stdout } = await call(['doctor'], { cwd });
    expect(stdout).toContain('is sound, with 1 run\n');
    expect(code).toBe(0);
  });

  it('a store at an impossible path is refused', async () => {
    const cwd = openDoor();
    writeFileSync(join(cwd, 'file'), '');
    expectRefusal(await call(['run', 'plan.yaml', '--store', 'file/runs.db'], { cwd }), 1, 'STORE_UNWRITABLE');
  });
});
