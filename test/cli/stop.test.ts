// Stopping runs: Ctrl-C, kill, cancel and pause from a second terminal; completed work is never repeated.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { atTheDoor, call, callsOf, doorProject, openThe, reconverge } from './reconverge.ts';

describe('Ctrl-C', () => {
  it('lets running steps finish, leaves the run resumable and shows how', async () => {
    const cwd = doorProject();
    const running = await atTheDoor(cwd);
    running.child.kill('SIGINT');
    await running.said('Ctrl-C again');
    openThe(cwd);
    const { code, stdout, stderr } = await running.ended;
    expect(code).toBe(130);
    expect(stdout).toMatch(/^interrupted door: /);
    expect(stderr).toMatch(/go on with:\n {2}reconverge resume [a-z0-9]+/);

    const resumed = await reconverge(['resume', 'latest'], { cwd });
    expect(resumed.code).toBe(0);
    expect(callsOf(cwd).toSorted()).toEqual(['ann', 'ben', 'door', 'first', 'last']);
  });

  it('stops the run at once when it is pressed twice', async () => {
    const cwd = doorProject();
    const running = await atTheDoor(cwd);
    running.child.kill('SIGINT');
    await running.said('Ctrl-C again');
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);

    openThe(cwd);
    const resumed = await call(['resume', 'latest'], { cwd });
    expect(resumed.code).toBe(0);
    expect(callsOf(cwd).filter((name) => name === 'first')).toHaveLength(1);
  });
});

it('a terminal that is closed stops a run as Ctrl-C does', async () => {
  const cwd = doorProject();
  const running = await atTheDoor(cwd);
  running.child.kill('SIGHUP');
  await running.said('stopping:');
  openThe(cwd);
  const { code, stderr } = await running.ended;
  expect(code).toBe(130);
  expect(stderr).toContain('go on with:');
});

describe('kill -9', () => {
  it('loses no completed step, and resume finishes the run', async () => {
    const cwd = doorProject();
    const running = await atTheDoor(cwd);
    running.child.kill('SIGKILL');
    expect((await running.ended).code).toBeNull();
    expect((await call(['runs'], { cwd })).stdout).toContain('interrupted');
    const shown = await call(['show', 'latest'], { cwd });
    expect(shown.stdout).toMatch(/^interrupted door: /m);
    expect(shown.stderr).toMatch(/reconverge resume [a-z0-9]+/);
    expect(JSON.parse((await call(['show', 'latest', '--json'], { cwd })).stdout).status).toBe('interrupted');

    openThe(cwd);
    const { code, stdout } = await call(['resume', 'latest'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('completed door: 6 of 6 steps completed');
    const calls = callsOf(cwd);
    expect(calls.filter((name) => name === 'first')).toHaveLength(1);
    expect(calls.filter((name) => name === 'door')).toHaveLength(2);
    const why = await call(['why', 'latest', 'door'], { cwd });
    expect(why.stdout).toContain('delivery 2: completed');
  });
});

describe('a second terminal', () => {
  it('cancels a run that the first one drives', async () => {
    const cwd = doorProject();
    const running = await atTheDoor(cwd);
    const cancelled = await call(['cancel', 'latest', '--why', 'wrong door'], { cwd });
    expect(cancelled.code).toBe(0);
    const { code, stdout, stderr } = await running.ended;
    expect(code).toBe(5);
    expect(stdout).toMatch(/^cancelled door: /);
    expect(stderr).toContain('wrong door');
  });

  it('pauses a run, which then waits for a person', async () => {
    const cwd = doorProject();
    const running = await atTheDoor(cwd);
    await call(['pause', 'latest'], { cwd });
    await running.said('run.paused');
    openThe(cwd);
    expect((await running.ended).code).toBe(3);
    expect((await call(['resume', 'latest'], { cwd })).code).toBe(0);
  });

  it('resumes a paused run while a step is still running', async () => {
    const cwd = doorProject();
    const running = await atTheDoor(cwd);
    const paused = await call(['pause', 'latest', '--quiet'], { cwd });
    expect([paused.code, paused.stdout]).toEqual([0, '']);
    await running.said('run.paused');
    const { code, stdout } = await call(['resume', 'latest'], { cwd });
    expect([code, stdout]).toEqual([0, expect.stringContaining('the process that drives the run has followed it')]);
    openThe(cwd);
    expect((await running.ended).code).toBe(0);
  });

  it('cannot resume a run that another process drives', async () => {
    const cwd = doorProject();
    const running = await atTheDoor(cwd);
    const { code, stderr } = await call(['resume', 'latest'], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain('RUN_DRIVEN');
    openThe(cwd);
    expect((await running.ended).code).toBe(0);
  });
});

describe('a run whose process was killed', () => {
  async function killed(cwd: string): Promise<void> {
    const running = await atTheDoor(cwd);
    running.child.kill('SIGKILL');
    await running.ended;
  }

  it('is cancelled without its handlers, and without any call', async () => {
    const cwd = doorProject();
    await killed(cwd);
    const calls = callsOf(cwd);
    rmSync(join(cwd, 'handlers.ts'));
    const { code, stdout } = await call(['cancel', 'latest'], { cwd });
    expect(stdout).toMatch(/: cancelled$/m);
    expect(code).toBe(0);
    expect(callsOf(cwd)).toEqual(calls);
  });

  it('leaves no order behind when it cannot be paused', async () => {
    const cwd = doorProject();
    await killed(cwd);
    renameSync(join(cwd, 'handlers.ts'), join(cwd, 'away.ts'));
    const { code, stderr } = await call(['pause', 'latest'], { cwd });
    expect(stderr).toMatch(/^plan\.yaml:4:\d+: error MODULE_NOT_FOUND/m);
    expect(code).toBe(1);
    rmSync(join(cwd, 'plan.yaml'));
    const without = await call(['resume', 'latest'], { cwd });
    expect(without.stderr).toMatch(
      /^capabilities\["\.\/handlers\.ts"\]: error MODULE_NOT_FOUND: .*; plan\.yaml names it$/m,
    );
    renameSync(join(cwd, 'away.ts'), join(cwd, 'handlers.ts'));
    openThe(cwd);
    expect((await call(['resume', 'latest'], { cwd })).code).toBe(0);
  });

  it('stays unchanged when a capability that it needs is gone', async () => {
    const cwd = doorProject();
    await killed(cwd);
    const module = join(cwd, 'handlers.ts');
    const before = readFileSync(module, 'utf8');
    writeFileSync(module, before.replace("'door.note'", "'door.jot'"));
    openThe(cwd);
    const { code, stderr } = await reconverge(['resume', 'latest'], { cwd });
    expect(code).toBe(1);
    expect(stderr).toMatch(/CAPABILITY_GONE.*"door\.note".*\.\/handlers\.ts/);
    expect(stderr).toContain('run plan.yaml');
    writeFileSync(module, before);
    expect((await reconverge(['resume', 'latest'], { cwd })).code).toBe(0);
  });
});

describe('a run that has ended', () => {
  it('cannot be resumed or cancelled', async () => {
    const cwd = doorProject({ open: '' });
    await call(['run', 'plan.yaml', '--quiet'], { cwd });
    for (const name of ['resume', 'cancel']) {
      const { code, stderr } = await call([name, 'latest'], { cwd });
      expect(code).toBe(1);
      expect(stderr).toContain('RUN_ENDED');
    }
  });
});
