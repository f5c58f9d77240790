// Accounts for resources: every unit of fuel, slot of memory and level of depth is taken here before it is used.
import { counted } from '../base/counted.ts';
import type { TimeOptions } from './deadline.ts';
import { exception, limitError } from './exception.ts';
import { type Limits, raising } from './limits.ts';
import type { Machine, Value } from './value.ts';

/** Fuel between two looks at the clock. */
const CLOCK_EVERY = 2_000;

export function machine(
  limits: Limits,
  { now, endsAt }: TimeOptions,
  bindings: (Value | undefined)[],
  globals: number,
): Machine {
  return {
    fuel: limits.fuel,
    pauseAt: now === undefined ? 0 : Math.max(0, limits.fuel - CLOCK_EVERY),
    cells: limits.cells,
    depth: 0,
    at: 0,
    limits,
    now,
    endsAt: now === undefined ? 0 : (endsAt ?? now() + limits.deadline),
    bindings,
    globals: globals === 0 ? [] : new Array<Value | undefined>(globals).fill(undefined),
    regexes: undefined,
  };
}

export function burn(m: Machine, units: number): void {
  m.fuel -= units;
  if (m.fuel < m.pauseAt) pause(m);
}

/** Called when fuel runs out, or when it is time to look at the clock. */
export function pause(m: Machine): void {
  if (!(m.fuel >= 0)) {
    m.fuel = 0;
    throw exception(
      'LISP_OUT_OF_FUEL',
      `the program used up its ${counted(m.limits.fuel, 'unit')} of fuel`,
      `do less work, or ${raising('fuel')}`,
    );
  }
  if (m.now === undefined) return;
  if (m.now() > m.endsAt) throw lateError(m);
  m.pauseAt = Math.max(0, m.fuel - CLOCK_EVERY);
}

function lateError({ limits }: Machine) {
  return limitError(
    `the program ran longer than its deadline of ${limits.deadline} ms`,
    `do less work, or ${raising('deadline')} and the timeout of the step`,
  );
}

/** Reserves memory before it is used, and burns fuel for filling it. */
export function allocate(m: Machine, cells: number): void {
  m.cells -= cells;
  if (!(m.cells >= 0)) {
    m.cells = 0;
    throw limitError(
      `the program used up its ${counted(m.limits.cells, 'cell')} of memory`,
      `build smaller collections, or ${raising('cells')}`,
    );
  }
}

/** Pays for a builtin that visits and builds `count` elements: fuel and memory. */
export function handle(m: Machine, count: number): void {
  burn(m, count);
  allocate(m, count);
}

/** The largest block among the host's young objects; larger blocks cost several times as much per element. */
const YOUNG_BLOCK = 16_000;

/** Pays for copying storage as a block, which costs far less than handling each element. */
export function copying(m: Machine, count: number): void {
  burn(m, (count >> 5) + (count > YOUNG_BLOCK ? count >> 4 : 0));
  allocate(m, count);
}

/** The stack depth of one level of data in a walk, in closures. */
const DATA_WEIGHT = 4;

/** Enters some levels of depth. The caller calls `leave` afterwards unless it throws. */
export function enter(m: Machine, weight = DATA_WEIGHT): void {
  m.depth += weight;
  if (m.depth > m.limits.depth) {
    throw limitError(
      `calls or data nest deeper than ${counted(m.limits.depth, 'level')}`,
      'use loop and recur, which cost no depth',
    );
  }
}

export function leave(m: Machine): void {
  m.depth -= DATA_WEIGHT;
}

/** Pays for reading text at about the speed of memory, for example to compare or hash it; short text is free. */
export function scan(m: Machine, text: string): void {
  if (text.length > 63) burn(m, text.length >> 6);
}

/** Pays for a new string before it exists. */
export function grow(m: Machine, characters: number): void {
  if (characters > m.limits.text) throw limitError(`a string grew beyond ${counted(m.limits.text, 'character')}`);
  burn(m, characters >> 6);
  allocate(m, characters >> 3);
}
