// Misbehaving handlers: errors outside their promises, an exit of the process, text on standard output.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commandLine, type Ended, openDoor, reconverge } from './reconverge.ts';

/** A handler with the given body, and a step that calls it before a second step. */
function strayProject(body: string): string {
  return openDoor({
    'stray.ts': `
import { defineCapability } from 'reconverge';
export const stray = defineCapability({
  name: 'door.stray', description: 'Stray.', effects: ['read'],
  async run() { ${body} },
});
`,
    'stray.yaml':
      'reconverge: 1\nname: stray\ncapabilities: [./stray.ts]\nsteps:\n  - { name: a, handler: door.stray }\n  - { name: b, handler: door.stray, dependencies: [a] }\n',
  });
}

const run = (cwd: string, env: Record<string, string> = {}, ...flags: string[]): Promise<Ended> =>
  reconverge(['run', 'stray.yaml', '--quiet', ...flags], { cwd, env });

const LATER = 'await new Promise((resolve) => setTimeout(resolve, 20)); return {};';

describe('an error that a handler raises outside its promise', () => {
  it.each([
    ['a promise that nobody waits for', `Promise.reject(new Error('lost sheep')); ${LATER}`],
    ['a timer', `setTimeout(() => { throw new Error('lost sheep'); }, 0); ${LATER}`],
  ])('in %s stops the run in an orderly way, and names the running steps', async (_, body) => {
    const cwd = strayProject(body);
    const { code, stdout, stderr } = await run(cwd);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: lost sheep; .* under way: a$/m);
    expect(stderr).toMatch(/^go on with:\n {2}reconverge resume [a-z0-9]+$/m);
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect(stdout).toMatch(/^interrupted stray: 1 of 2 steps completed/);
  });

  it('is shown with its stack on request', async () => {
    const cwd = strayProject(`Promise.reject(new Error('lost sheep')); ${LATER}`);
    const { stderr } = await run(cwd, { RECONVERGE_DEBUG: '1' });
    expect(stderr).toMatch(/^ {4}at .*stray\.ts/m);
  });
});

it('an error after the end of the run does not change how the run ended', async () => {
  const cwd = strayProject("setInterval(() => { throw new Error('lost sheep'); }, 0); return {};");
  const { code, stdout, stderr } = await run(cwd);
  // If the error comes before the end after all, it is reported.
  expect(code).toBe(stderr.includes('lost sheep') ? 1 : 0);
  expect(stdout).toMatch(/^(completed|interrupted) stray: /);
  expect(stderr).not.toMatch(/^ {4}at /m);
});

it('an error while the last step ends leaves the run ended, and suggests no resume', async () => {
  const cwd = openDoor({
    'stray.ts': `
import { defineCapability } from 'reconverge';
export const stray = defineCapability({
  name: 'door.stray', description: 'Stray.', effects: ['read'],
  async run() { Promise.reject(new Error('lost sheep')); ${LATER} },
});
`,
    'stray.yaml':
      'reconverge: 1\nname: stray\ncapabilities: [./stray.ts]\nsteps:\n  - { name: a, handler: door.stray }\n',
  });
  const { code, stdout, stderr } = await run(cwd);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^completed stray: 1 of 1 step completed/);
  expect(stderr).toMatch(/^error: lost sheep; /m);
  expect(stderr).toMatch(/^error: a handler failed outside of its call; the run has completed all the same$/m);
  expect(stderr).not.toContain('resume');
});

it('a handler that ends the process does not make the run look completed', async () => {
  const cwd = strayProject('process.exit(0);');
  const { code, stderr } = await run(cwd);
  expect(code).toBe(130);
  expect(stderr).toMatch(/^error: a handler ended the process, .* under way: a; go on with: .*reconverge resume/m);
});

it('the output of a handler does not mix with the lines of JSON', async () => {
  const cwd = strayProject("console.log('hello'); console.info('hello'); console.table([1]); return {};");
  const { code, stdout, stderr } = await run(cwd, {}, '--json');
  expect(code).toBe(0);
  expect(() =>
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).not.toThrow();
  expect(stderr).toContain('hello');
});

/** Calls the command line with its output redirected by the shell. */
function inShell(cwd: string, line: string): Promise<Ended> {
  const { RECONVERGE_STORE: _store, ...env } = process.env;
  const command = line.replace('reconverge', `'${process.execPath}' '${commandLine()}'`);
  return new Promise((resolve) => {
    execFile('sh', ['-c', command], { cwd, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

describe.skipIf(!existsSync('/dev/full'))('a full disk behind a stream', () => {
  it('loses standard output, and standard error reports the cause without blaming a handler', async () => {
    const cwd = strayProject("console.log('hello'); return {};");
    const { code, stderr } = await inShell(cwd, 'reconverge run stray.yaml --json > /dev/full');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: the answer could not be written to standard output: ENOSPC/m);
    expect(stderr).not.toMatch(/handler|under way|interrupted/);
    const { stdout } = await inShell(cwd, 'reconverge show latest');
    expect(stdout).toMatch(/completed/);
  });

  it('loses standard error, while the run and its answer stay the same', async () => {
    const cwd = strayProject("console.log('hello'.repeat(1000)); return {};");
    const { code, stdout } = await inShell(cwd, 'reconverge run stray.yaml 2> /dev/full');
    expect(stdout).toMatch(/^completed stray: 2 of 2 steps completed/);
    expect(code).toBe(0);
  });

  it('also fails commands that print an answer without a run', async () => {
    expect(await inShell(strayProject(''), 'reconverge --version > /dev/full')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('ENOSPC'),
    });
  });
});
