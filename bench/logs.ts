// Measures what log lines cost: time of the processor and room per step, and the memory for a run with 100,000 lines.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { capabilityOf } from '../src/capabilities/capability.ts';
import { createEngine } from '../src/runtime/create-engine.ts';
import type { Durability } from './floor.ts';
import { layered, trivial } from './layered.ts';
import { scratch } from './scratch.ts';
import { median, printTable } from './table.ts';

const PAIRS = 5;
const layers = { steps: 2_000, width: 20 };
const LINES = 10;
const store = scratch();

/** The trivial step of the other benches, which also writes log lines. */
function logging(lines: number) {
  return capabilityOf(trivial.declaration, (_, { log }) => {
    for (let n = 1; n <= lines; n += 1) log.info(`page ${n} of the orders is here`, { page: n, rows: 100 });
    return { n: 1 };
  });
}

interface Measured {
  /** Microseconds. */
  readonly perStep: number;
  readonly cpu: number;
  readonly bytes: number;
  readonly lines: number;
}

async function run(lines: number, durability: Durability, file: string, steps = layers.steps): Promise<Measured> {
  const engine = createEngine({ store: file, durability, capabilities: [logging(lines)] });
  const began = performance.now();
  const before = process.cpuUsage();
  const started = await engine.start(layered({ ...layers, steps }));
  if (!started.ok) throw new Error(JSON.stringify(started.error));
  const report = await started.value.done;
  const took = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  await engine.close();
  if (report.status !== 'completed') throw new Error(`the run ended ${report.status}`);
  const reader = createEngine({ store: file });
  const last = reader.logs(report.run, { last: 1 });
  await reader.close();
  return {
    perStep: (took * 1_000) / steps,
    cpu: (user + system) / steps,
    bytes: store.bytes(file) / steps,
    lines: last.ok ? (last.value[0]?.number ?? 0) : 0,
  };
}

const rows = [];
for (const durability of ['strict', 'relaxed'] as const) {
  const pairs: { none: Measured; ten: Measured }[] = [];
  for (let i = 0; i <= PAIRS; i++) {
    const none = await run(0, durability, store.file());
    const ten = await run(LINES, durability, store.file());
    if (ten.lines !== layers.steps * LINES) throw new Error(`${ten.lines} lines were kept`);
    if (i > 0) pairs.push({ none, ten });
  }
  rows.push([
    durability,
    median(pairs.map(({ none }) => none.perStep)),
    median(pairs.map(({ none, ten }) => ten.perStep - none.perStep)),
    median(pairs.map(({ none }) => none.cpu)),
    median(pairs.map(({ none, ten }) => ten.cpu - none.cpu)),
    median(pairs.map(({ none, ten }) => (ten.bytes - none.bytes) / LINES)),
  ]);
}
printTable(
  `${layers.steps} steps with ${LINES} log lines each, medians of ${PAIRS} pairs`,
  [
    'durability',
    'without, µs per step',
    'added µs',
    'without, µs of processor',
    'added µs of processor',
    'bytes per line',
  ],
  rows,
);

const large = store.file();
const used = (): number => process.memoryUsage().rss / 1e6;
const least = used();
let most = least;
const watch = setInterval(() => {
  most = Math.max(most, used());
}, 20);
const { lines, perStep } = await run(100, 'strict', large, 1_000);
clearInterval(watch);
const main = join(import.meta.dirname, '../src/cli/main.ts');
const timed = (...words: readonly string[]): number => {
  const began = performance.now();
  const { status } = spawnSync(process.execPath, [main, ...words, '--store', large], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}`);
  return performance.now() - began;
};
printTable(
  `a run of 1,000 steps with ${lines} log lines, strict`,
  [
    'seconds of the run',
    'MB more at most',
    'MB of the store',
    'show, ms',
    'show --logs, ms',
    '--logs STEP, ms',
    '--logs --tail 20, ms',
  ],
  [
    [
      perStep / 1_000,
      most - least,
      store.bytes(large) / 1e6,
      timed('show', 'latest'),
      timed('show', 'latest', '--logs'),
      timed('show', 'latest', '--logs', 's500'),
      timed('show', 'latest', '--logs', '--tail', '20'),
    ],
  ],
);
store.remove();
