// Shell completion: the words that bash offers, and the commands and flags in the scripts of all shells.
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { completedCommands } from '../../src/cli/completion/command-completions.ts';
import { call } from './reconverge.ts';

async function scriptFor(shell: string): Promise<string> {
  const { code, stdout } = await call(['completion', shell]);
  expect(code).toBe(0);
  return stdout;
}

/** The words that bash offers after these words. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const asking = [
    await scriptFor('bash'),
    'COMP_WORDS=(reconverge "$@")',
    'COMP_CWORD=$#',
    '_reconverge',
    'printf "%s\\n" "${COMPREPLY[@]}"',
  ].join('\n');
  return execFileSync('bash', ['-c', asking, 'bash', ...words], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');
}

describe('in bash', () => {
  it('completes commands of one word and of two words', async () => {
    expect(await offered('val')).toEqual(['validate']);
    expect(await offered('plan', '')).toEqual(expect.arrayContaining(['review', 'run']));
  });

  it('completes the flags of the typed command only', async () => {
    expect(await offered('graph', '--f')).toEqual(['--format']);
    expect(await offered('plan', 'run', '--crit')).toEqual(['--critic']);
    expect(await offered('run', '--crit')).toEqual([]);
  });

  it('completes the values of a flag', async () => {
    expect(await offered('graph', 'latest', '--format', 's')).toEqual(['svg']);
  });

  it('offers the latest run beside files', async () => {
    expect(await offered('show', 'la')).toEqual(['latest']);
    expect(await offered('run', 'templates/recon-t')).toEqual(['templates/recon-then-execute.yaml']);
  });
});

describe.each(['bash', 'zsh', 'fish'])('%s', (shell) => {
  it('gets every command and every flag', async () => {
    const script = await scriptFor(shell);
    for (const { name, flags } of await completedCommands(commands)) {
      expect(script).toContain(name);
      for (const { long } of flags) expect(script).toContain(shell === 'fish' ? `-l ${long.slice(2)}` : long);
    }
  });
});

it('offers the supported shells', async () => {
  const { code, stderr } = await call(['completion', 'tcsh']);
  expect(code).toBe(2);
  expect(stderr).toContain('the shells are bash, zsh, fish');
});
