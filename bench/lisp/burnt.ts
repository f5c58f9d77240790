// The fuel that one call of a builtin burns, which is the same on every machine.
import { compile } from '../../src/lisp/program.ts';
import { run } from '../../src/lisp/run.ts';
import { type Probe, programOf } from './probes.ts';

const limits = { fuel: 1e6, cells: 4e6 };
const TIMES = 4;
/** A turn of the loop around the call. */
const TURN = 2;

/** Undefined when the call fails on such arguments. */
export function unitsOf(probe: Probe): number | undefined {
  const few = fuelOf(programOf(probe, 1));
  const many = few === undefined ? undefined : fuelOf(programOf(probe, 1 + TIMES));
  return few === undefined || many === undefined ? undefined : (many - few) / TIMES - TURN;
}

function fuelOf(source: string): number | undefined {
  const program = compile(source, { limits });
  if (!program.ok) return undefined;
  const outcome = run(program.value, {});
  return outcome.ok ? outcome.fuel : undefined;
}
