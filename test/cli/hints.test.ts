// Hints that name a command name it as it is called here, so that it can be copied.
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { asCalled, commandLine } from '../../src/cli/store-file.ts';
import { call, openDoor, reconverge } from './reconverge.ts';

const given = (store?: string) => ({
  commands,
  arguments: [],
  text: (flag: string) => (flag === 'store' ? store : undefined),
  all: () => [],
  has: () => false,
});

describe('a hint', () => {
  it('calls the command line as it is called: from source, and as a package', async () => {
    const cwd = openDoor();
    await call(['run', 'plan.yaml', '--quiet'], { cwd });
    const fromSource = await reconverge(['resume', 'latest'], { cwd, isSource: true });
    expect(fromSource.stderr).toMatch(/hint: see it: \S+\/scripts\/dev exec reconverge show [a-z0-9]+$/m);
    const bundled = await call(['resume', 'latest'], { cwd });
    expect(bundled.stderr).toMatch(/hint: see it: reconverge show [a-z0-9]+$/m);
    const json = await call(['resume', 'latest', '--json'], { cwd });
    expect(JSON.parse(json.stdout).issues[0].hint).toMatch(/see it: reconverge show/);
  });

  it('names the store that was given, where the command takes one', async () => {
    for (const { name, load } of commands) {
      const takesStore = (await load()).command.flags.some((flag) => flag.name.startsWith('--store'));
      expect(asCalled(given(), `reconverge ${name}`)).not.toBe(`reconverge ${name}`);
      expect(commandLine(given('my runs.db'), name).endsWith(" --store 'my runs.db'"), name).toBe(takesStore);
    }
    expect(asCalled(given('a.db'), 'see it: reconverge show x; or not')).toMatch(
      /^see it: \S+ exec reconverge show --store a\.db x; or not$/,
    );
  });

  it('carries only flags that the command takes', async () => {
    for (const { name, carries = [], load } of commands) {
      const flags = (await load()).command.flags.map((flag) => flag.name.split(' ')[0]);
      for (const flag of carries) expect(flags, name).toContain(`--${flag}`);
    }
  });

  it('leaves the name of the program alone', () => {
    expect(asCalled(given(), 'a bug in reconverge, not in yours')).toBe('a bug in reconverge, not in yours');
  });
});
