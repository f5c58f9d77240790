// show --logs: the log lines of runs and steps, of living runs, killed runs, forks and child runs.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { KeptLogLine } from '../../src/engine/record/log-line.ts';
import { patience } from '../patience.ts';
import { atTerminal, hasScript } from './pty.ts';
import { begin, call, project } from './reconverge.ts';

const handlers = `
import { existsSync } from 'node:fs';
import { setTimeout as pass } from 'node:timers/promises';
import { defineCapability } from 'reconverge';

export const talk = defineCapability({
  name: 'shop.talk',
  description: 'Logs.',
  effects: ['compute'],
  run(_, ctx) {
    ctx.log.debug('page 1', { page: 1 });
    ctx.log.warn('slow page', { ms: 900, path: 'a b' });
    ctx.log.error('bad table\\nsecond line', new TypeError('no price'));
    return { rows: 3 };
  },
});

export const wait = defineCapability({
  name: 'shop.wait',
  description: 'Logs, and waits for the file open.',
  effects: ['compute'],
  async run(_, ctx) {
    ctx.log('at the door');
    while (!existsSync('open')) await pass(10, undefined, { signal: ctx.signal });
    ctx.log('inside');
    return { rows: 3 };
  },
});
`;

const shop = `reconverge: 1
name: shop
capabilities: [./handlers.ts]
steps:
  - { name: first, handler: shop.talk }
  - { name: second, handler: shop.wait, dependencies: [first], timeout: 10m }
`;

const parent = `reconverge: 1
name: parent
capabilities: [{ template: ./shop.yaml }]
steps:
  - { name: whole, handler: shop }
`;

const shopProject = (): string => project({ 'handlers.ts': handlers, 'shop.yaml': shop, 'parent.yaml': parent });

const open = (cwd: string): void => writeFileSync(join(cwd, 'open'), '');

/** The lines without their times. */
const untimed = (text: string): string =>
  text.replaceAll(/\d\d:\d\d:\d\d\.\d{3}/g, 'TIME').replaceAll(/^\d{4}-.* UTC$/gm, 'DAY');

describe('show --logs', () => {
  it('prints the lines of a run, of a step, from a level on, or the last ones', async () => {
    const cwd = shopProject();
    open(cwd);
    await call(['run', 'shop.yaml', '--quiet'], { cwd });
    const shown = async (...words: readonly string[]): Promise<string> => {
      const { code, stdout } = await call(['show', 'latest', '--logs', ...words], { cwd });
      expect(code).toBe(0);
      return untimed(stdout);
    };
    const whole = await shown();
    expect(whole.split('\n').slice(0, 6)).toEqual([
      'DAY',
      'TIME  debug  first   page 1  page=1',
      'TIME  warn   first   slow page  ms=900 path="a b"',
      'TIME  error  first   bad table  name=TypeError message="no price"',
      '              second line',
      '              stack:',
    ]);
    expect(whole).toMatch(/TIME {2}info {3}second {2}at the door\nTIME {2}info {3}second {2}inside\n$/);
    expect(await shown('second')).toBe('DAY\nTIME  info   at the door\nTIME  info   inside\n');
    expect(await shown('--level', 'warn', '--tail', '1')).toMatch(/^DAY\nTIME {2}error {2}first {2}bad table/);
    const { stdout } = await call(['show', 'latest', '--logs', 'second', '--json'], { cwd });
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as KeptLogLine);
    expect(lines.map(({ number, step, level, message }) => [number, step, level, message])).toEqual([
      [4, 'second', 'info', 'at the door'],
      [5, 'second', 'info', 'inside'],
    ]);
  });

  it('explains wrong flags, and where the lines of forks and child runs are', async () => {
    const cwd = shopProject();
    open(cwd);
    await call(['run', 'shop.yaml', '--quiet'], { cwd });
    const said = async (...words: readonly string[]) => call(['show', 'latest', ...words], { cwd });
    expect(await said('--tail', '3')).toMatchObject({ code: 2, stderr: expect.stringContaining('add --logs') });
    expect(await said('first')).toMatchObject({ code: 2, stderr: expect.stringContaining('"first" names a step') });
    expect(await said('--logs', '--tail', 'all')).toMatchObject({ code: 2 });
    expect(await said('--logs', 'frist')).toMatchObject({ code: 1, stderr: expect.stringContaining('"first"') });
    expect((await said('--logs', 'second', '--level', 'error')).stderr).toContain(
      'second has no log lines here, with --level error',
    );
    await call(['fork', 'latest', '--at', 'second', '--quiet'], { cwd });
    expect((await said('--logs', 'second')).stdout).toContain('inside');
    expect((await said('--logs', 'first')).stderr).toMatch(
      /first began in the run (\w+), before this run was forked from it: reconverge show \1 --logs/,
    );
    await call(['run', 'parent.yaml', '--quiet'], { cwd });
    expect((await said('--logs', 'whole')).stderr).toMatch(
      /the work of whole is the run (\w+): reconverge show \1 --logs/,
    );
  });

  it('follows a run until its end, until Ctrl-C, and shows what a killed run wrote', async () => {
    const cwd = shopProject();
    const running = begin(['run', 'shop.yaml', '--quiet'], { cwd });
    await vi.waitFor(async () => {
      expect(existsSync(join(cwd, '.reconverge/runs.db'))).toBe(true);
      expect((await call(['show', 'latest', '--logs', 'second'], { cwd })).stdout).toContain('at the door');
    }, patience);
    const follower = begin(['show', 'latest', '--logs', 'second', '--follow'], { cwd });
    const stopped = begin(['show', 'latest', '--logs', '--follow', '--json'], { cwd });
    let heard = '';
    await new Promise<void>((resolve) => {
      stopped.child.stdout?.on('data', (text: string) => {
        heard += text;
        if (heard.includes('at the door')) resolve();
      });
    });
    stopped.child.kill('SIGINT');
    expect((await stopped.ended).code).toBe(0);
    running.child.kill('SIGKILL');
    await running.ended;
    expect((await call(['show', 'latest', '--logs'], { cwd })).stdout).toContain('at the door');
    open(cwd);
    await call(['resume', 'latest', '--quiet'], { cwd });
    const { code, stdout } = await follower.ended;
    expect(code).toBe(0);
    expect(untimed(stdout)).toBe('DAY\nTIME  info   at the door\nTIME  info   at the door\nTIME  info   inside\n');
  });
});

describe.skipIf(!hasScript)('run --watch', () => {
  it('shows the last log line of a running step beside it, if there is room', async () => {
    const cwd = shopProject();
    const talk = [['· at the door', () => open(cwd)]] as const;
    const { code, lines } = await atTerminal(cwd, ['run', 'shop.yaml', '--watch'], { talk, columns: 100 });
    expect(code).toBe(0);
    expect(lines.some((line) => /second .*shop\.wait .*· at the door/.test(line))).toBe(true);
    expect(lines.slice(-10).join('\n')).not.toContain('·');
  });
});
