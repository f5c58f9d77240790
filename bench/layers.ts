// PERF1 and PERF3: measures 10,000 trivial steps in layers of 20 against the bare floors, and the bytes of a step on disk.
import { type Durability, ownLoop, queueAndCommit } from './floor.ts';
import { runLayered } from './layered.ts';
import { scratch } from './scratch.ts';
import { median, printTable } from './table.ts';

const PAIRS = 5;
const layers = { steps: 10_000, width: 20 };
const store = scratch();

/** Runs the two in alternation, so that a drifting machine affects both alike. */
async function pairs(
  durability: Durability,
  floor: typeof ownLoop,
): Promise<{ ours: number; floor: number; ratio: number; growth: number }> {
  const rows: { ours: number; floor: number; growth: number }[] = [];
  for (let i = 0; i <= PAIRS; i++) {
    const bare = await floor(store.file(), layers, durability);
    const { perStep, growth } = await runLayered(store.file(), layers, durability);
    if (i > 0) rows.push({ ours: perStep, floor: bare, growth });
  }
  return {
    ours: median(rows.map((row) => row.ours)),
    floor: median(rows.map((row) => row.floor)),
    ratio: median(rows.map((row) => row.floor / row.ours)),
    growth: median(rows.map((row) => row.growth)),
  };
}

const strict = await pairs('strict', ownLoop);
const strictQueue = await pairs('strict', queueAndCommit);
const relaxed = await pairs('relaxed', queueAndCommit);

printTable(
  `PERF1: ${layers.steps} steps in layers of ${layers.width}, µs per step, medians of ${PAIRS} pairs`,
  ['durability', 'floor', 'floor µs', 'ours µs', 'floor ÷ ours', 'goal', 'last ÷ first tenth'],
  [
    ['strict', 'own loop, group commit', strict.floor, strict.ours, strict.ratio, '≥ 0.5', strict.growth],
    [
      'strict',
      'p-queue, commit per step',
      strictQueue.floor,
      strictQueue.ours,
      strictQueue.ratio,
      '≥ 3',
      strictQueue.growth,
    ],
    ['relaxed', 'p-queue, commit per step', relaxed.floor, relaxed.ours, relaxed.ratio, '≥ 0.6', relaxed.growth],
  ],
);

const sizes = [];
for (const steps of [1_000, 10_000, 100_000]) {
  const file = store.file();
  await runLayered(file, { steps, width: 20 }, 'relaxed');
  sizes.push([steps, store.bytes(file) / steps, '≤ 2 × 8 + 300']);
}
printTable('PERF3: bytes on disk per step (output of 8 bytes)', ['steps', 'bytes per step', 'goal'], sizes);
store.remove();
