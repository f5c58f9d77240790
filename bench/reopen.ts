// PERF4 and PERF5: measures how a fresh process reopens a run with 10,000 or 100,000 finished steps, and the memory of each step.
import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { readState } from '../src/runtime/journal/read-run.ts';
import { openSqliteJournal } from '../src/store/sqlite-journal.ts';
import { runUntilHeld } from './layered.ts';
import { scratch } from './scratch.ts';
import { median, printTable } from './table.ts';

const ROUNDS = 5;
const MB = 1_000_000;

/** Each part runs in a process of its own, so that no part is warm and none adds to another's memory. */
const parts: Readonly<Record<string, (file: string, steps: number) => Promise<object>>> = { run, floor, forget, open };

/** The most resident bytes while the run was driven. */
async function run(file: string, steps: number): Promise<object> {
  await runUntilHeld(file, { steps, width: 20 });
  return { resident: process.resourceUsage().maxRSS * 1_024 };
}

/** Milliseconds so far, by the clock and by the processor time of this thread, which other processes affect less. */
function stopwatch(): () => { readonly total: number; readonly cpu: number } {
  const [began, before] = [performance.now(), process.threadCpuUsage()];
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    return { total: performance.now() - began, cpu: (user + system) / 1_000 };
  };
}

/** Reads and parses the rows, and counts them by step. */
async function floor(file: string): Promise<object> {
  const read = stopwatch();
  const database = new DatabaseSync(file, { returnArrays: true });
  const seen = new Map<string, number>();
  for (const row of database.prepare('SELECT position, type, elapsed, cause, payload FROM entries').all()) {
    if (typeof row[4] !== 'string') continue;
    const { step } = JSON.parse(row[4]) as { step: string };
    seen.set(step, (seen.get(step) ?? 0) + 1);
  }
  return read();
}

/** A copy of the store without the final snapshot of the run. */
async function forget(file: string, steps: number): Promise<object> {
  const database = new DatabaseSync(file);
  const kept = database.prepare('SELECT length(text) AS bytes FROM snapshots').get();
  database.exec('DELETE FROM snapshots');
  database.close();
  return { perStep: Number(kept?.bytes) / steps };
}

/** Milliseconds until the ready steps are known, and heap bytes of the state. */
async function open(file: string, steps: number): Promise<object> {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const read = stopwatch();
  const journal = openSqliteJournal(file);
  const [run] = journal.streams(1);
  const state = readState(journal, run?.id ?? '');
  const taken = read();
  if (!state.ok) throw new Error(JSON.stringify(state.error));
  const { running, ready, live } = state.value;
  if (live !== 1 || !running.has('held') || ready.size > 0) throw new Error('more than the held step is live');
  await journal.close();
  globalThis.gc?.();
  const heap = process.memoryUsage().heapUsed - before;
  return { ...taken, heap: heap / steps, steps: state.value.steps.size };
}

function inProcess(part: string, file: string, steps: number): Readonly<Record<string, number>> {
  const words = ['--expose-gc', fileURLToPath(import.meta.url), part, file, String(steps)];
  return JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' })) as Record<string, number>;
}

const [part, file = '', size = ''] = process.argv.slice(2);
const asked = parts[part ?? ''];
if (asked === undefined) {
  const store = scratch();
  const rows = [10_000, 100_000].map((steps) => {
    const path = store.file();
    const { resident = 0 } = inProcess('run', path, steps);
    const plain = store.file();
    copyFileSync(path, plain);
    const { perStep = 0 } = inProcess('forget', plain, steps);
    const rounds = Array.from({ length: ROUNDS }, () => {
      const folded = inProcess('open', plain, steps);
      const restored = inProcess('open', path, steps);
      return { floor: inProcess('floor', path, steps), folded, restored };
    });
    const of = (part: 'floor' | 'folded' | 'restored', key: 'total' | 'cpu' | 'heap'): number =>
      median(rounds.map((round) => round[part][key] ?? 0));
    const both = (part: 'floor' | 'folded' | 'restored') =>
      `${of(part, 'total').toFixed(0)} (${of(part, 'cpu').toFixed(0)})`;
    const [goal, snapshotGoal] = steps === 10_000 ? ['≤ 120', '≤ 60'] : ['≤ 1,200', '≤ 800'];
    return [
      ...[steps, both('floor'), both('folded'), goal, both('restored'), snapshotGoal, perStep],
      ...[of('folded', 'heap'), '≤ 1,900', resident / MB, '≤ 250'],
    ];
  });
  printTable(
    `PERF5 and PERF4: taking up a run in a fresh process, medians of ${ROUNDS}, in brackets ms of the processor`,
    [
      'finished steps',
      'floor ms (rows read and parsed)',
      'by folding ms',
      'goal',
      'from a snapshot ms',
      'goal',
      'snapshot bytes per step',
      'heap bytes per step',
      'goal',
      'resident MB while it ran',
      'goal',
    ],
    rows,
  );
  store.remove();
} else {
  console.log(JSON.stringify(await asked(file, Number(size))));
}
