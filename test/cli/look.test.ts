// Commands that inspect runs and templates: their text for people, and their JSON answers in the documented shape.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, openDoor, project } from './reconverge.ts';

let cwd: string;

beforeAll(async () => {
  cwd = openDoor({}, afterAll);
  await call(['run', 'plan.yaml', '--quiet'], { cwd });
});

describe('the answers in JSON', () => {
  it('follow the schema of each command, against which every answer in these tests is validated', async () => {
    const calls: readonly (readonly string[])[] = [
      ['runs'],
      ['show', 'latest'],
      ['why', 'latest', 'ann'],
      ['graph', 'latest'],
      ['budget', 'latest'],
      ['validate', 'plan.yaml'],
      ['explain', 'plan.yaml'],
      ['doctor'],
      ['lisp', '-e', '1'],
      ['completion', 'bash'],
      ['init', 'elsewhere'],
    ];
    for (const words of calls) {
      const { code } = await call([...words, '--json'], { cwd });
      expect(code, words.join(' ')).toBe(0);
    }
    await call(['run', 'plan.yaml', '--json'], { cwd });
  });
});

describe('runs', () => {
  it('marks a run that completed in part', async () => {
    const part = openDoor({
      'part.yaml':
        'reconverge: 1\nname: part\ncapabilities: [./handlers.ts]\nsteps:\n  - { name: a, handler: door.fall, input: { name: a } }\n  - { name: b, type: deferred, dependencies: [a], convergence: { policy: all_settled }, handler: door.note, input: { name: b } }\n',
    });
    await call(['run', 'part.yaml', '--quiet'], { cwd: part });
    expect((await call(['runs'], { cwd: part })).stdout).toContain('partial');
    const { runs } = JSON.parse((await call(['runs', '--json'], { cwd: part })).stdout);
    expect(runs).toMatchObject([{ status: 'completed', partial: true }]);
  });

  it('filters and sorts, says which command shows the others, and puts a fork under the run that it came from', async () => {
    const forked = openDoor();
    await call(['run', 'plan.yaml', '--quiet'], { cwd: forked });
    await call(['fork', 'latest', '--at', '3', '--quiet'], { cwd: forked });
    const all = await call(['runs'], { cwd: forked });
    expect(all.stdout).toMatch(
      /^run .*took +steps +failed +cost +template\n\w+ .*\n└ \w+ .*, fork of \w+ at event \d+/,
    );
    const one = await call(['runs', '--status', 'completed', '--since', '1d', '--limit', '1'], { cwd: forked });
    expect(one.stdout.trim().split('\n')).toHaveLength(2);
    expect(one.stderr).toMatch(/^1 more: .*reconverge runs --status completed --since 1d --limit 2$/m);
    const sorted = await call(['runs', '--sort', 'duration', '--forks', '--limit', '1', '--json'], { cwd: forked });
    expect(JSON.parse(sorted.stdout)).toMatchObject({ runs: [{ steps: { completed: 6 }, failed: 0 }], more: 1 });
    const none = await call(['runs', '--cost', '>1'], { cwd: forked });
    expect([none.stdout, none.stderr]).toEqual(['', expect.stringContaining('none of the 2 runs')]);
    const failed = await call(['runs', '--with-failures'], { cwd: forked });
    expect(failed.stderr).toContain('none of the 2 runs');
    const wrong = await call(['runs', '--status', 'faild', '--took', '5'], { cwd: forked });
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('did you mean "failed"?');
    expect(wrong.stderr).toContain("--took takes a bound such as '>10m'");
  });
});

describe('show', () => {
  it('shows the steps that each planning step added', async () => {
    const { stdout } = await call(['show', 'latest'], { cwd });
    expect(stdout).toMatch(/✓ plan {2}grew 2 steps.*\n {2}✓ ann .*\n {2}✓ ben /);
  });

  it('folds the finished steps of a large run, until all are wanted', async () => {
    const names = Array.from({ length: 45 }, (_, index) => `step_${index}`);
    const steps = names.map((name) => `  - { name: ${name}, handler: door.note, input: { name: ${name} } }\n`);
    const large = openDoor({
      'large.yaml': `reconverge: 1\nname: large\ncapabilities: [./handlers.ts]\nsteps:\n${steps.join('')}`,
    });
    await call(['run', 'large.yaml', '--quiet'], { cwd: large });
    const folded = await call(['show', 'latest'], { cwd: large });
    expect(folded.stdout).toMatch(/^run \w+\n… 45 completed \(--all\)\n/);
    expect(folded.stderr).toMatch(/^45 steps are folded; show all: .*show \w+ --all$/m);
    const whole = await call(['show', 'latest', '--all'], { cwd: large });
    expect(whole.stdout.split('\n').filter((line) => line.startsWith('✓ step_'))).toHaveLength(45);
    const { stdout } = await call(['show', 'latest', '--json'], { cwd: large });
    expect(JSON.parse(stdout).tree).toHaveLength(45);
  });

  it('prints the result of a step', async () => {
    const { stdout } = await call(['show', 'latest', '--result', 'ann'], { cwd });
    expect(JSON.parse(stdout)).toEqual({ name: 'ann' });
  });

  it('accepts the beginning of an id', async () => {
    const [run] = JSON.parse((await call(['runs', '--json'], { cwd })).stdout).runs;
    const { code, stdout } = await call(['show', run.id.slice(0, 3)], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain(`run ${run.id}`);
  });
});

describe('show --failed', () => {
  it('names only what failed, why, and what did not run because of it', async () => {
    const none = await call(['show', 'latest', '--failed'], { cwd });
    expect(none).toMatchObject({ code: 0, stderr: '' });
    expect(none.stdout).toMatch(/^run \w+ {2}completed: no step failed\n$/);

    const fallen = openDoor({
      'fallen.yaml':
        'reconverge: 1\nname: fallen\ncapabilities: [./handlers.ts]\nsteps:\n  - { name: a, handler: door.fall, input: { name: a } }\n  - { name: b, handler: door.note, input: { name: b }, dependencies: [a] }\n',
    });
    const run = await call(['run', 'fallen.yaml', '--quiet'], { cwd: fallen });
    expect(run.stderr).toMatch(/reconverge show \w+ --failed/);
    const some = await call(['show', 'latest', '--failed'], { cwd: fallen });
    expect(some.code).toBe(0);
    expect(some.stdout).toMatch(
      /^run \w+ {2}failed: 1 step failed; 1 step did not run because of it\n✗ a {2}[A-Z_]+: .*\n {4}after \d attempts?; not run because of it: b\n$/,
    );
    expect(some.stderr).toMatch(/reconverge why \w+ a$/m);
    const { stdout } = await call(['show', 'latest', '--failed', '--json'], { cwd: fallen });
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'failed',
      failures: [{ step: 'a', notRun: ['b'] }],
      groups: [{ steps: ['a'], repaired: false }],
      others: [],
    });
    const mixed = await call(['show', 'latest', '--failed', '--events'], { cwd: fallen });
    expect(mixed.code).toBe(2);
    expect(mixed.stderr).toContain('--failed does not go together with --events');
  });
});

describe('why', () => {
  it('leads from a grafted step back to its planning step and its reason', async () => {
    const { stdout } = await call(['why', 'latest', 'ann'], { cwd });
    expect(stdout).toContain('planned by  plan');
    expect(stdout).toContain('Say who was here.');
    expect(stdout).toContain('two guests');
  });

  it('shows the earlier results that a planner saw', async () => {
    const { stdout } = await call(['why', 'latest', 'plan', '--receipts'], { cwd });
    expect(stdout).toMatch(/^attempt 1 {2}\d+ tokens of context$/m);
    expect(stdout).toMatch(/^ {2}in full: 2 results, \d+ bytes$/m);
    const { stdout: json } = await call(['why', 'latest', 'plan', '--receipts', '--json'], { cwd });
    expect(JSON.parse(json)).toMatchObject([{ attempt: 1, items: [], missing: [] }]);
    const none = await call(['why', 'latest', 'last', '--receipts'], { cwd });
    expect([none.code, none.stdout]).toEqual([0, '']);
    expect(none.stderr).toContain('no planner was asked for "last"');
  });

  it('without a step shows the parts of each goal and the capability for each part', async () => {
    const { stdout } = await call(['why', 'latest'], { cwd });
    expect(stdout).toMatch(/^plan {2}completed.*\n {2}two guests\n {2}1 {2}ann\n {7}plan.1\/ann {2}completed\n/);
    const { goals } = JSON.parse((await call(['why', 'latest', '--json'], { cwd })).stdout);
    expect(goals).toMatchObject([{ planner: 'plan', intents: [{ steps: [{ step: 'plan.1/ann' }], goals: [] }, {}] }]);
    const asked = await call(['why', 'latest', '--receipts'], { cwd });
    expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining('--receipts needs a STEP') });
  });

  it('suggests the nearest name for an unknown step', async () => {
    const { code, stderr } = await call(['why', 'latest', 'lst'], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain('did you mean "last"?');
  });
});

describe('graph', () => {
  it('draws a run in every format', async () => {
    expect((await call(['graph', 'latest'], { cwd })).stdout).toContain('subgraph p0["grafted by plan"]');
    expect((await call(['graph', 'latest', '--format', 'dot'], { cwd })).stdout).toContain('digraph "door" {');
    const { stdout } = await call(['graph', 'latest', '--format', 'json'], { cwd });
    expect(JSON.parse(stdout).nodes).toHaveLength(6);
  });

  it('draws a template that has not run', async () => {
    const { stdout } = await call(['graph', 'plan.yaml', '--json'], { cwd });
    expect(JSON.parse(stdout).nodes).toHaveLength(4);
  });

  it('refuses two formats at once', async () => {
    const { code, stderr } = await call(['graph', 'latest', '--json', '--format', 'dot'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('--format dot');
    expect((await call(['graph', 'latest', '--json', '--format', 'json'], { cwd })).code).toBe(0);
  });

  it('refuses an unknown format', async () => {
    const { code, stderr } = await call(['graph', 'latest', '--format', 'png'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('mermaid, dot, svg, json');
  });
});

describe('explain', () => {
  it('shows the graph, the bounds of each resource, and the grants', async () => {
    const { code, stdout } = await call(['explain', 'plan.yaml'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/plan +planning +plans \(lisp\), converges at last +door/);
    expect(stdout).toMatch(/steps +\d+ /);
    expect(stdout).toMatch(/time +up to 30m +30m +budget\.max_wall_clock_time/);
    expect(stdout).toMatch(/door\.wait +read/);
  });
});

describe('schema', () => {
  it('prints the schema of a format', async () => {
    for (const format of ['template', 'fragment']) {
      const { stdout } = await call(['schema', format]);
      expect(JSON.parse(stdout)).toHaveProperty('$schema');
    }
  });

  it('suggests the nearest format', async () => {
    const { code, stderr } = await call(['schema', 'fragmnt']);
    expect(code).toBe(2);
    expect(stderr).toContain('did you mean "fragment"?');
  });
});

describe('init', () => {
  it('writes a template that is valid, runs, and passes the test beside it', async () => {
    const folder = project();
    expect((await call(['init', 'begun'], { cwd: folder })).code).toBe(0);
    const validated = await call(['validate', 'begun/template.yaml'], { cwd: folder });
    expect(validated.stderr).toBe('');
    expect(validated.stdout).toContain('begun/template.yaml: ok');
    const doctor = await call(['doctor'], { cwd: `${folder}/begun` });
    expect(doctor.stdout).toContain('✓ templates: 1 template, all valid');
    const { code, stdout } = await call(['run', 'template.yaml', '--quiet'], { cwd: `${folder}/begun` });
    expect(stdout).toMatch(/^completed first-plan: 5 of 5 steps completed/);
    expect(stdout).toContain('report: reports/');
    expect(code).toBe(0);
    const tested = await call(['test'], { cwd: `${folder}/begun` });
    expect(tested.stdout).toContain('ok: 2 scenarios');
    expect(tested.code).toBe(0);
  });

  it('writes commented lines for a gate that are valid once uncommented', async () => {
    const folder = project();
    await call(['init'], { cwd: folder });
    const file = join(folder, 'template.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/^ {2}# (- name: agree| {2}\w+: )/gm, '  $1'));
    const { stdout } = await call(['explain', 'template.yaml'], { cwd: folder });
    expect(stdout).toMatch(/agree +review +always +for ever +Is \{\{ results\.report\.path \}\} good\?/);
    expect(stdout).not.toContain('landing_reserve');
  });

  it('overwrites no file', async () => {
    const folder = project({ 'handlers.mts': 'mine' });
    const { code, stderr } = await call(['init'], { cwd: folder });
    expect(code).toBe(1);
    expect(stderr).toContain('FILE_EXISTS');
    expect((await call(['validate', 'template.yaml'], { cwd: folder })).code).toBe(1);
  });
});
