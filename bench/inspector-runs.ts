// Makes stores with runs of 20 to 10,000 steps, for the inspector's measures and pictures: real templates, plans, failures, replans, model calls and a gate.
import { mkdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeRun, type Variant } from './runs/make-run.ts';
import { makeManyRuns } from './runs/many-runs.ts';

const usage = `Usage: node bench/inspector-runs.ts FOLDER [STEPS …] [--living | --failing | --many]

Makes FOLDER/STEPS.db for each number of steps (20 100 300 1000 3000 10000), with one run that waits at a gate.
  --living   stops the run in its middle, with steps at work: FOLDER/STEPS-living.db
  --failing  lets 40 % of the calls fail: FOLDER/STEPS-failing.db
  --many     makes FOLDER/many-runs.db with 40 runs of eight templates, and FOLDER/1000-runs.db with 1,000 small runs
Look at one of them: scripts/dev exec reconverge ui --store FOLDER/300.db`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    living: { type: 'boolean' },
    failing: { type: 'boolean' },
    many: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
const [folder, ...sizes] = positionals;
if (values.help === true || folder === undefined || sizes.some((size) => !/^\d+$/.test(size))) {
  console.error(usage);
  process.exit(values.help === true ? 0 : 2);
}
const variant: Variant = values.living === true ? 'living' : values.failing === true ? 'failing' : 'gate';
mkdirSync(folder, { recursive: true });
if (values.many === true) {
  for (const [name, count, small] of [
    ['many-runs', 40, false],
    ['1000-runs', 1_000, true],
  ] as const) {
    const store = emptied(`${name}.db`);
    const counts = await makeManyRuns(store, count, { small });
    console.log(`${store}: ${told(counts)}`);
  }
  process.exit();
}
for (const steps of sizes.length === 0 ? [20, 100, 300, 1_000, 3_000, 10_000] : sizes.map(Number)) {
  const store = emptied(`${steps}${variant === 'gate' ? '' : `-${variant}`}.db`);
  const began = performance.now();
  const { report, counts } = await makeRun({ store, steps, variant });
  console.log(`${store}: ${report.status}, ${told(counts)}, ${((performance.now() - began) / 1_000).toFixed(1)} s`);
}

function emptied(name: string): string {
  const store = resolve(folder ?? '.', name);
  for (const ending of ['', '-wal', '-shm']) rmSync(store + ending, { force: true });
  return store;
}

function told(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([status, count]) => `${count} ${status}`).join(', ');
}
