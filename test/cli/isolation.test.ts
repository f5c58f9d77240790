// Capabilities in separate threads, as a user runs them: a misbehaving capability ends only its own step.
import { describe, expect, it } from 'vitest';
import { begin, call, project, reconverge } from './reconverge.ts';

const handlers = `
import { defineCapability } from 'reconverge';
const effects = ['compute'] as const;
export const loop = defineCapability({ name: 'a.loop', description: 'Loops.', effects, isolate: 'thread',
  run(_, ctx) { console.log('looping'); ctx.log('looping'); for (;;); } });
export const hoard = defineCapability({ name: 'a.hoard', description: 'Hoards.', effects, isolate: 'thread', memory: '128M',
  run() { const all: object[] = []; while (all.length < 30_000_000) all.push({ n: all.length, list: [1, 2, 3] }); return all.length; } });
export const quit = defineCapability({ name: 'a.quit', description: 'Quits.', effects, isolate: 'thread', run() { process.exit(0); } });
export const add = defineCapability({ name: 'a.add', description: 'Adds.', input: '{n :int}', output: ':int', effects, isolate: 'thread',
  run({ n }, ctx) { console.log('adding'); return n + (ctx.env('ONE') === '1' ? 1 : 0); } });
`;

const steps = `
  - { name: loop, handler: a.loop, timeout: 200ms, critical: false }
  - { name: hoard, handler: a.hoard, critical: false }
  - { name: quit, handler: a.quit, critical: false }
  - { name: add, handler: a.add, input: { n: 1 } }
  - { name: again, handler: a.add, input: { n: '{{ results.add }}' }, dependencies: [add] }
output: '{{ results.again }}'
`;

describe.each([
  ['whose capabilities say so', handlers, './h.ts'],
  [
    'whose module is listed so',
    handlers.replaceAll(/isolate: 'thread', (memory: '128M',)?/g, ''),
    '{ module: { file: ./h.ts, isolate: thread, memory: 256M } }',
  ],
])('a template %s', (_, module, source) => {
  it('fails the steps that loop, exhaust memory or exit, and completes the others', async () => {
    const cwd = project({
      'h.ts': module,
      't.yaml': `reconverge: 1\nname: apart\ncapabilities: [${source}]\nsteps:${steps}`,
    });
    const { code, stdout, stderr } = await reconverge(['run', 't.yaml', '--json', '--quiet'], {
      cwd,
      env: { ONE: '1' },
    });
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(0);
    expect(lines.at(-1).report).toMatchObject({ status: 'completed', output: 3 });
    const skipped = lines.flatMap(({ event }) =>
      event?.type === 'step.skipped' ? [[event.step, event.failure.code]] : [],
    );
    expect(Object.fromEntries(skipped)).toEqual({
      loop: 'STEP_TIMEOUT',
      hoard: 'THREAD_OUT_OF_MEMORY',
      quit: 'THREAD_EXITED',
    });
    // Standard output is reserved for the answer.
    expect(stderr).toContain('adding');
  });
});

it('Ctrl-C works while a thread loops, and the second Ctrl-C ends the run at once', async () => {
  const cwd = project({
    'h.ts': handlers,
    't.yaml':
      'reconverge: 1\nname: apart\ncapabilities: [./h.ts]\nsteps:\n  - { name: loop, handler: a.loop, timeout: 1h }\n',
  });
  const running = begin(['run', 't.yaml'], { cwd });
  await running.said('looping');
  running.child.kill('SIGINT');
  await running.said('Ctrl-C again');
  running.child.kill('SIGINT');
  const { code, stdout } = await running.ended;
  expect(code).toBe(130);
  expect(stdout).toMatch(/^interrupted apart: /m);
});

it('validate reports capabilities that cannot be isolated, with their places', async () => {
  const cwd = project({
    'h.mjs': `import { defineCapability } from 'reconverge';
export const a = defineCapability({ name: 'a.a', description: 'A.', effects: ['pure'], isolate: 'process', run: () => 1 });
export const b = defineCapability({ name: 'a.b', description: 'B.', effects: ['pure'], memory: '1G', run: () => 1 });
export const c = defineCapability({ name: 'a.c', description: 'C.', effects: ['pure'], isolate: 'thread', memory: '1 kB', run: () => 1 });
`,
    'good.mjs': `import { defineCapability } from 'reconverge';
export const d = defineCapability({ name: 'a.d', description: 'D.', effects: ['pure'], run: () => 1 });
`,
    'a.yaml': 'reconverge: 1\nname: a\ncapabilities: [./h.mjs]\nsteps:\n  - { name: a, handler: a.a }\n',
    'b.yaml':
      'reconverge: 1\nname: b\ncapabilities:\n  - module: { file: ./good.mjs, isolate: thread, memory: 1M }\nsteps:\n  - { name: d, handler: a.d }\n',
    'c.yaml':
      'reconverge: 1\nname: c\ncapabilities:\n  - module: { file: ./good.mjs, memory: 1G }\nsteps:\n  - { name: d, handler: a.d }\n',
    'd.yaml': 'reconverge: 1\nname: d\ncapabilities:\n  - module: ./good.mjs\nsteps:\n  - { name: d, handler: a.d }\n',
  });
  const a = await call(['validate', 'a.yaml'], { cwd });
  expect(a.code).toBe(1);
  expect(a.stderr.match(/ISOLATION_INVALID/g)).toHaveLength(3);
  expect((await call(['validate', 'b.yaml'], { cwd })).stderr).toMatch(
    /b\.yaml:4:\d+: error ISOLATION_INVALID.*at least 64M/,
  );
  expect((await call(['validate', 'c.yaml'], { cwd })).stderr).toMatch(/c\.yaml:4:\d+: error ISOLATION_INVALID/);
  expect((await call(['validate', 'd.yaml'], { cwd })).code).toBe(0);
});
