// The command line outside any command: help, version, and unknown words.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cliReference } from '../../scripts/generate/cli-reference.ts';
import { commands } from '../../src/cli/commands.ts';
import { root } from '../sources.ts';
import { reconverge } from './reconverge.ts';

describe('reconverge', () => {
  it('prints its version', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(await reconverge(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('lists every command in its help, with the exit codes', async () => {
    const { code, stdout } = await reconverge(['--help']);
    expect(code).toBe(0);
    for (const { name, summary } of commands)
      expect(stdout).toMatch(new RegExp(`^  ${name} +${summary.slice(0, 9)}`, 'm'));
    expect(stdout).toMatch(/^ {2}130 {2}/m);
  });

  it('prints its usage when it is called without arguments', async () => {
    const { code, stdout, stderr } = await reconverge([]);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('Usage: reconverge COMMAND');
  });

  it('suggests the nearest command for an unknown command', async () => {
    const { code, stderr } = await reconverge(['validat']);
    expect(code).toBe(2);
    expect(stderr).toContain('did you mean "validate"?');
  });

  it('suggests the nearest flag for an unknown flag', async () => {
    const { code, stderr } = await reconverge(['runs', '--jsno']);
    expect(code).toBe(2);
    expect(stderr).toContain('--json');
    expect(stderr).toMatch(/see: reconverge runs --help/);
  });

  it('names the missing argument', async () => {
    const { code, stderr } = await reconverge(['resolve-step', 'latest']);
    expect(code).toBe(2);
    expect(stderr).toContain("missing required argument 'STEP'");
  });
});

describe('every command', () => {
  for (const { name, load } of commands) {
    it(`${name} explains itself with an example and its answer in JSON`, async () => {
      const { command } = await load();
      const { code, stdout } = await reconverge([name, '--help']);
      expect(code).toBe(0);
      const [example] = command.examples;
      expect(stdout).toContain(example?.command);
      expect(example?.command).toContain(`reconverge ${name}`);
      // A language server speaks its protocol alone.
      if (name !== 'lsp') expect(stdout).toMatch(/^With --json[:,]/m);
      expect(/^ {2}130 {2}/m.test(stdout)).toBe(command.exits?.includes('interrupted') === true);
      for (const { name: flag } of command.flags) expect(stdout).toContain(flag);
    });
  }
});

describe('the reference of the command line', () => {
  it('has a page for each command, with its flags and examples', async () => {
    const pages = cliReference();
    for (const { name, load } of commands) {
      const { command } = await load();
      const text = pages[`cli/${name.replaceAll(' ', '-')}.md`];
      for (const { command: line } of command.examples) expect(text).toContain(line);
      for (const { name: flag } of command.flags) expect(text).toContain(`| \`${flag}\` |`);
    }
  });
});
