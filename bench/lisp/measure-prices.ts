// Measures the processor time per unit of fuel, for each builtin on growing arguments.
import { compile, type Program } from '../../src/lisp/program.ts';
import { run } from '../../src/lisp/run.ts';
import { builtins, type Probe, probesOf, programOf } from './probes.ts';

/** Wide enough to see the price, and narrow enough for a measurement to end. */
const limits = { fuel: 3e7, cells: 2e7, text: 1e7 };
const SIZES = [4, 256, 20_000];
/** The least processor time of one measurement, when the limits allow it. */
const MILLISECONDS = 8;

export interface Price {
  readonly name: string;
  readonly size: number;
  readonly grown: string;
  readonly nanosecondsAUnit: number;
  readonly unitsACall: number;
}

export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The loop that other times are compared with: 30,000 turns of plain arithmetic. */
export const REFERENCE = '(loop [i 0 sum 0] (if (< i 30000) (recur (inc i) (+ sum i)) sum))';

/** Milliseconds of processor time of the reference loop here: the median of some runs after a warm-up. */
export function referenceTime(): number {
  const program = compiled(REFERENCE);
  const times = Array.from({ length: 15 }, () => timed(program).milliseconds).slice(5);
  return times.sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
}

function compiled(source: string): Program {
  const program = compile(source, { limits });
  if (program.ok) return program.value;
  throw new Error(`${source}: ${program.error[0]?.message}`);
}

function timed(program: Program): { readonly milliseconds: number; readonly fuel: number } {
  const began = processorTime();
  const outcome = run(program, {});
  const milliseconds = processorTime() - began;
  if (!outcome.ok) throw new Error(`${program.source}: ${outcome.error.message}`);
  return { milliseconds, fuel: outcome.fuel };
}

/** The cost of one call without its preparation; undefined when the call fails on such arguments. */
export function priceOf(probe: Probe, size: number): Price | undefined {
  try {
    const few = compiled(programOf(probe, 1));
    timed(few);
    const before = timed(few);
    let last: Price | undefined;
    for (let times = 4; times < 4_000_000; times *= 4) {
      const many = quickest(compiled(programOf(probe, times + 1)));
      if (many === undefined) return last;
      const milliseconds = many.milliseconds - before.milliseconds;
      const units = many.fuel - before.fuel;
      const { name } = probe.builtin;
      last = {
        name,
        size,
        grown: probe.grown,
        nanosecondsAUnit: (milliseconds * 1e6) / units,
        unitsACall: units / times,
      };
      if (milliseconds >= MILLISECONDS) return last;
    }
    return last;
  } catch {
    return undefined;
  }
}

/** The fastest of a few runs, because other processes use the machine too; undefined when the program fails or meets a limit. */
function quickest(program: Program): ReturnType<typeof timed> | undefined {
  try {
    let best = timed(program);
    for (let again = 0; again < 3 && best.milliseconds >= MILLISECONDS; again++) {
      const next = timed(program);
      if (next.milliseconds < best.milliseconds) best = next;
    }
    return best;
  } catch {
    return undefined;
  }
}

/** The dearest unit of each builtin. */
export function dearestUnits(): readonly Price[] {
  return builtins.flatMap((builtin) => {
    const prices = SIZES.flatMap((size) => probesOf(builtin, size).flatMap((probe) => surePrice(probe, size) ?? []));
    const [dearest] = prices.sort((a, b) => b.nanosecondsAUnit - a.nanosecondsAUnit);
    return dearest === undefined ? [] : [dearest];
  });
}

/** Above this many nanoseconds per unit, a price is measured again. */
const DEAR = 150;

/** The least of three for a dear price, because garbage of earlier probes may be collected during a measurement. */
function surePrice(probe: Probe, size: number): Price | undefined {
  const first = priceOf(probe, size);
  if (first === undefined || first.nanosecondsAUnit < DEAR) return first;
  const again = [1, 2].flatMap(() => priceOf(probe, size) ?? []);
  return [first, ...again].toSorted((one, other) => one.nanosecondsAUnit - other.nanosecondsAUnit)[0];
}
