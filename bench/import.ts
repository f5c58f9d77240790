// Measures how long a program takes to import the library, in installed projects beside each other: `bench/import.ts FOLDER...`.
import { spawnSync } from 'node:child_process';
import { median, printTable } from './table.ts';

const ROUNDS = 40;
const folders = process.argv.slice(2);
if (folders.length === 0) throw new Error('name folders in which the package is installed');

/** Milliseconds of the import, and of the processor in the main thread since its start. */
const program = `const began = performance.now();
await import('reconverge');
const wall = performance.now() - began;
const { user, system } = process.threadCpuUsage();
console.log(wall, (user + system) / 1000);`;

function time(folder: string): readonly number[] {
  const words = ['--input-type=module', '-e', program];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${folder}: ${stderr}`);
  return stdout.trim().split(' ').map(Number);
}

const took = folders.map((): (readonly number[])[] => []);
for (let round = 0; round <= ROUNDS; round++) {
  folders.forEach((folder, nth) => {
    const figures = time(folder);
    // The first round fills the file system's cache.
    if (round > 0) took[nth]?.push(figures);
  });
}
const rows = folders.map((folder, nth) => {
  const column = (at: number): number[] => (took[nth] ?? []).map((figures) => figures[at] ?? Number.NaN);
  const [wall, processor] = [column(0), column(1)];
  return [folder, median(wall), Math.min(...wall), median(processor), Math.min(...processor)];
});
printTable(
  `import('reconverge') in milliseconds, ${ROUNDS} rounds in turn`,
  ['project', 'median', 'least', 'processor, median', 'processor, least'],
  rows,
);
