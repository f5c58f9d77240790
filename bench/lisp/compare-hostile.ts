// The table of hostile programs: each runs in a process of its own, which is killed when it hangs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { printTable } from '../table.ts';
import type { Fate } from './attack.ts';
import { type Engine, engineNamed, engines, OURS } from './engine.ts';
import { hostilePrograms } from './hostile.ts';

const GOAL_MS = 50;
/** A program that runs longer than this hangs. */
const PATIENCE_MS = 3_000;
const MEMORY_MB = 256;

interface Ended {
  readonly cell: string;
  /** Ended in time with a coded error or a harmless value. */
  readonly held: boolean;
}

/** False when Reconverge did not stop a program in time. */
export async function compareHostile(): Promise<boolean> {
  const names: string[] = [];
  for (const name of Object.keys(engines)) {
    if (Object.keys((await engineNamed(name)).hostile).length > 0) names.push(name);
  }
  const rows: string[][] = [];
  let held = true;
  for (const [program, what] of Object.entries(hostilePrograms)) {
    const cells: string[] = [];
    for (const name of names) {
      const ended = await fateOf(name, await engineNamed(name), program);
      cells.push(ended.cell);
      if (name === OURS) held &&= ended.held;
    }
    rows.push([`${program}: ${what}`, ...cells]);
  }
  printTable(
    `Hostile programs: milliseconds in a new process of ${MEMORY_MB} MB (– no such program in the language; hang: ended after ${PATIENCE_MS / 1_000} s)`,
    ['program', ...names],
    rows,
  );
  console.log(
    held
      ? `\nOurs stopped or answered every one within ${GOAL_MS} ms.`
      : `\nOurs did NOT stop every one within ${GOAL_MS} ms.`,
  );
  return held;
}

async function fateOf(name: string, { hostile }: Engine, program: string): Promise<Ended> {
  if (hostile[program] === undefined) return { cell: '–', held: true };
  const file = fileURLToPath(new URL('attack.ts', import.meta.url));
  const words = [`--max-old-space-size=${MEMORY_MB}`, file, name, program];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  let hangs = false;
  const patience = setTimeout(() => {
    hangs = true;
    child.kill('SIGKILL');
  }, PATIENCE_MS);
  await once(child, 'close');
  clearTimeout(patience);
  if (hangs) return { cell: '**hang**', held: false };
  if (said === '') return { cell: '**died**', held: false };
  const { kind, what, milliseconds } = JSON.parse(said) as Fate;
  const inTime = milliseconds <= GOAL_MS;
  const time = `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
  if (kind === 'reached') return { cell: '**reached**', held: false };
  if (kind === 'answered') return { cell: `answered, ${time}`, held: inTime };
  return { cell: `stopped, ${time}${name === OURS ? ` \`${what}\`` : ''}`, held: inTime };
}
