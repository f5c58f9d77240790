// PERF7: compares the Lisp with other embeddable engines, in speed and against hostile programs.
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { compareHostile } from './compare-hostile.ts';
import { compareSpeed } from './compare-speed.ts';
import { comparePrices } from './prices.ts';

if (!existsSync(fileURLToPath(new URL('../node_modules', import.meta.url)))) {
  console.error('The engines to compare with are not installed. Install them: npm ci --prefix bench');
  process.exit(2);
}
console.log(`Node ${process.versions.node}, ${availableParallelism()} cores`);
await compareSpeed();
const [isPriced, isStopped] = [comparePrices(), await compareHostile()];
if (!isPriced || !isStopped) process.exitCode = 1;
