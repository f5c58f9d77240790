// Prints the ten builtins with the most processor time per unit of fuel; more than ten times the median is a defect.
import { median, printTable } from '../table.ts';
import { dearestUnits, referenceTime } from './measure-prices.ts';
import { builtins } from './probes.ts';

const DEFECT = 10;

/** False when a builtin is far too cheap. */
export function comparePrices(): boolean {
  const prices = dearestUnits();
  const middle = median(prices.map(({ nanosecondsAUnit }) => nanosecondsAUnit));
  const worst = prices.toSorted((a, b) => b.nanosecondsAUnit - a.nanosecondsAUnit).slice(0, 10);
  console.log(`Reference loop: ${referenceTime().toFixed(2)} ms of processor`);
  printTable(
    `Nanoseconds of processor for a unit of fuel: the worst ten of ${prices.length} builtins (${builtins.length - prices.length} not called in their examples); median ${middle.toFixed(0)}`,
    ['builtin', 'size', 'grown argument', 'units a call', 'ns a unit', 'times the median'],
    worst.map(({ name, size, grown, unitsACall, nanosecondsAUnit }) => [
      name,
      String(size),
      grown,
      unitsACall.toFixed(1),
      nanosecondsAUnit.toFixed(0),
      (nanosecondsAUnit / middle).toFixed(1),
    ]),
  );
  return worst.every(({ nanosecondsAUnit }) => nanosecondsAUnit <= DEFECT * middle);
}

if (import.meta.main && !comparePrices()) process.exitCode = 1;
