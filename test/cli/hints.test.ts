// Hints name commands as they are called here, so that a person can copy them.
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
  it('names the program as it is called, from source or as a package', async () => {
    const cwd = openDoor();
    await call(['run', 'plan.yaml', '--quiet'], { cwd });
    const fromSource = await reconverge(['resume', 'latest'], { cwd, isSource: true });
    expect(fromSource.stderr).toMatch(/hint: see it: \S+\/scripts\/dev exec reconverge show [a-z0-9]+$/m);
    const bundled = await call(['resume', 'latest'], { cwd });
    expect(bundled.stderr).toMatch(/hint: see it: reconverge show [a-z0-9]+$/m);
    const json = await call(['resume', 'latest', '--json'], { cwd });
    expect(JSON.parse(json.stdout).issues[0].hint).toMatch(/see it: reconverge show/);
  });

  it('repeats the given store for commands that take one', async () => {
    for (const { name, load } of commands) {
      const takesStore = (await load()).command.flags.some((flag) => flag.name.startsWith('--store'));
      expect(asCalled(given(), `reconverge ${name}`)).not.toBe(`reconverge ${name}`);
      expect(commandLine(given('my runs.db'), name).endsWith(" --store 'my runs.db'"), name).toBe(takesStore);
    }
    expect(asCalled(given('a.db'), 'see it: reconverge show x; or not')).toMatch(
      /^see it: \S+ exec reconverge show --store a\.db x; or not$/,
    );
  });

  it('repeats only flags that the command takes', async () => {
    for (const { name, carries = [], load } of commands) {
      const flags = (await load()).command.flags.map((flag) => flag.name.split(' ')[0]);
      for (const flag of carries) expect(flags, name).toContain(`--${flag}`);
    }
  });

  it('does not change the name of the program in other text', () => {
    expect(asCalled(given(), 'a bug in reconverge, not in yours')).toBe('a bug in reconverge, not in yours');
  });
});
