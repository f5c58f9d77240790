// Completion of the command line: what bash itself answers, and that every shell is told of everything.
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { completedCommands } from '../../src/cli/completion/completed.ts';
import { call } from './reconverge.ts';

async function scriptFor(shell: string): Promise<string> {
  const { code, stdout } = await call(['completion', shell]);
  expect(code).toBe(0);
  return stdout;
}

/** What bash offers behind these words. */
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
  it('completes commands, also of two words', async () => {
    expect(await offered('val')).toEqual(['validate']);
    expect(await offered('plan', '')).toEqual(expect.arrayContaining(['review', 'run']));
  });

  it('completes the flags of a command and of no other', async () => {
    expect(await offered('graph', '--f')).toEqual(['--format']);
    expect(await offered('plan', 'run', '--crit')).toEqual(['--critic']);
    expect(await offered('run', '--crit')).toEqual([]);
  });

  it('completes the values that a flag may have', async () => {
    expect(await offered('graph', 'latest', '--format', 's')).toEqual(['svg']);
  });

  it('offers the latest run beside files', async () => {
    expect(await offered('show', 'la')).toEqual(['latest']);
    expect(await offered('run', 'templates/recon-t')).toEqual(['templates/recon-then-execute.yaml']);
  });
});

describe.each(['bash', 'zsh', 'fish'])('%s', (shell) => {
  it('is told of every command and every flag', async () => {
    const script = await scriptFor(shell);
    for (const { name, flags } of await completedCommands(commands)) {
      expect(script).toContain(name);
      for (const { long } of flags) expect(script).toContain(shell === 'fish' ? `-l ${long.slice(2)}` : long);
    }
  });
});

it('knows the shells that there are', async () => {
  const { code, stderr } = await call(['completion', 'tcsh']);
  expect(code).toBe(2);
  expect(stderr).toContain('the shells are bash, zsh, fish');
});
