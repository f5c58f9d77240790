// Calls the command line at a real pseudo terminal with a given size and a typing person.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { commandLine } from './reconverge.ts';

/** Only `script` of util-linux behaves the same on every system. */
export const hasScript = spawnSync('script', ['--version']).stdout?.toString().includes('util-linux') === true;

interface AtTerminal {
  /** For each pair, types the second text once the command has printed the first, or calls the function. */
  readonly talk?: readonly (readonly [says: string, typed: string | (() => void)])[];
  /** By default the terminal does not know its width. */
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Seen {
  readonly code: number | null;
  /** The output with colors. */
  readonly seen: string;
  /** The output without colors. */
  readonly lines: readonly string[];
}

export async function atTerminal(
  cwd: string,
  words: readonly string[],
  { talk = [], columns, env = {} }: AtTerminal = {},
): Promise<Seen> {
  const quoted = [process.execPath, commandLine(), ...words].map(quote).join(' ');
  const line = columns === undefined ? quoted : `stty cols ${columns} rows 40; ${quoted}`;
  // CI would say that no person is present and make Node drop colors, so the terminal runs without it.
  const { NO_COLOR: _no, FORCE_COLOR: _force, CI: _ci, RECONVERGE_STORE: _store, ...inherited } = process.env;
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd,
    env: { ...inherited, TERM: 'xterm', ...env },
    stdio: 'pipe',
  });
  const ended = once(child, 'close');
  let seen = '';
  let heard = 0;
  const left = [...talk];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    seen += text;
    for (let next = left[0]; next !== undefined && seen.indexOf(next[0], heard) >= 0; next = left[0]) {
      heard = seen.indexOf(next[0], heard) + next[0].length;
      left.shift();
      if (typeof next[1] === 'string') child.stdin.write(next[1]);
      else next[1]();
    }
  });
  const [code]: (number | null)[] = await ended;
  return { code: code ?? null, seen, lines: stripVTControlCharacters(seen).split(/\r?\n/) };
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
