// Invariants E1 to E10 under random graphs, planners, failures and crashes: every run ends within its bound.
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { limitable, quantity } from '../../src/budget/amount.ts';
import { boundOf } from '../../src/engine/bound/bound.ts';
import { eventSchema } from '../../src/engine/record/event.schema.ts';
import { fold } from '../../src/engine/state/fold.ts';
import { isTerminal, type RunState } from '../../src/engine/state/state.ts';
import { isWaiting } from '../../src/engine/state/waiting.ts';
import type { World } from '../../src/testing/world.ts';
import { plain } from './plain-state.ts';
import { acts, meddle } from './random-orders.ts';
import { generous } from './random-people.ts';
import { liedAbout, orderly, RUNS, type Sketch, sketches, worldOf } from './random-worlds.ts';

/** One schema for each event type, so that an error concerns one type. */
function eventSchemas(schema: JsonObject): Record<string, JsonObject> {
  const branches = (schema.oneOf ?? []) as readonly { properties: { type: { const: string } } }[];
  return Object.fromEntries(
    branches.map((branch) => [branch.properties.type.const, { ...branch, $defs: schema.$defs ?? {} }]),
  );
}

/** The part of a state that is equal in two equal runs: without deliveries, and without the order in which branches grew. */
function endOf(state: RunState): unknown {
  return {
    ended: state.ended === undefined ? undefined : { ...state.ended, failure: state.ended.failure?.code },
    steps: Object.fromEntries(
      [...state.steps.values()].map(({ id, status, skipped, result, spec }) => [id, { status, skipped, result, spec }]),
    ),
  };
}

/** The run has ended, or waits for people without an expiry. */
function isAtRest(state: RunState): boolean {
  if (state.status === 'ended') return [...state.steps.values()].every(isTerminal) && state.openGates.size === 0;
  return isWaiting(state) && [...state.openGates].every((id) => state.gates.get(id)?.expiresAt === undefined);
}

function expectWithinBound(sketch: Sketch, state: RunState, attempts: number): void {
  const bound = new Map(boundOf(sketch.template).map((row) => [row.resource, row.bound]));
  const account = state.ledger.accounts.get('run');
  for (const of of limitable) {
    if (sketch.lies && liedAbout.includes(of)) continue;
    const most = bound.get(of);
    if (most !== undefined) expect(quantity(account?.spent ?? {}, of), of).toBeLessThanOrEqual(most);
  }
  expect(attempts).toBeLessThanOrEqual(bound.get('attempts') ?? 0);
  const depth = Math.max(0, ...[...state.steps.values()].map((step) => step.provenance?.depth ?? 0));
  expect(depth).toBeLessThanOrEqual(bound.get('planning_depth') ?? 0);
}

function expectNothingReserved(state: RunState): void {
  for (const account of state.ledger.accounts.values()) {
    for (const of of limitable) expect(quantity(account.reserved, of), `${account.id} ${of}`).toBe(0);
  }
}

describe('every run', () => {
  it('ends or rests on gates without expiry, stays within the bound of its template and releases every reservation', () => {
    fc.assert(
      fc.property(sketches, (sketch) => {
        // The world checks E1 to E10 after each of its batches.
        const { state, attempts } = worldOf(sketch).run();
        expect(isAtRest(state)).toBe(true);
        expectWithinBound(sketch, state, attempts);
        if (state.status === 'ended') expectNothingReserved(state);
      }),
      { numRuns: RUNS },
    );
  });

  it('writes events of every type that match schemas/event.schema.json', () => {
    const ajv = new Ajv2020({ strict: false });
    const seen = new Set<string>();
    const validators = new Map(
      Object.entries(eventSchemas(eventSchema)).map(([type, schema]) => [type, ajv.compile(schema)] as const),
    );
    fc.assert(
      fc.property(sketches, acts, fc.nat(60), (sketch, orders, point) => {
        const world = point % 3 === 0 ? worldOf(sketch) : worldOf(sketch, generous(sketch.seed));
        for (const act of point % 2 === 0 ? [] : orders) meddle(world, act);
        for (let i = 0; i < point && world.step(); i++);
        if (world.state.status !== 'ended') world.crash();
        for (const type of point % 7 === 0 ? (['pause', 'resume', 'cancel'] as const) : (['resume'] as const))
          world.tell({ type, by: 'test' });
        for (const event of world.run().events) {
          seen.add(event.type);
          const validate = validators.get(event.type);
          expect(validate?.(event), JSON.stringify([event, validate?.errors])).toBe(true);
        }
      }),
      // Some types are rare.
      { numRuns: RUNS * 2 },
    );
    // Forks and lock files have tests of their own: test/runtime/fork.test.ts and test/engine/lock.test.ts.
    const elsewhere = new Set(['run.forked', 'lock.differed']);
    expect([...validators.keys()].filter((type) => !seen.has(type) && !elsewhere.has(type))).toEqual([]);
  });
});

describe('the journal of every run (E8)', () => {
  it('folds to the state that wrote it, at every length', () => {
    fc.assert(
      fc.property(sketches, fc.double({ min: 0, max: 1, noNaN: true }), (sketch, where) => {
        const world = worldOf(sketch);
        const stop = Math.floor(where * 60);
        for (let i = 0; i < stop && world.step(); i++);
        const again = fold(sketch.template, world.journal);
        expect(plain(again)).toEqual(plain(world.state));
      }),
      { numRuns: RUNS },
    );
  });
});

describe('a crash', () => {
  it('after any batch does not change how the run ends, and no completed step runs again', () => {
    fc.assert(
      fc.property(sketches, fc.nat(80), (sketch, point) => {
        const settled = (step: string, world: World): boolean => world.state.steps.get(step)?.status === 'completed';
        const straight = orderly(sketch).run();
        const world = orderly(sketch);
        for (let i = 0; i < point && world.step(); i++);
        const finished = new Set([...world.state.steps.keys()].filter((step) => settled(step, world)));
        const before = world.performed.length;
        if (world.state.status !== 'ended') world.crash();
        world.run();
        expect(endOf(world.state)).toEqual(endOf(straight.state));
        expect(world.performed.slice(before).filter(({ step }) => finished.has(step))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('any number of crashes', () => {
  it('lets every run end within every limit, also with tight budgets', () => {
    fc.assert(
      fc.property(sketches, fc.array(fc.nat(40), { minLength: 1, maxLength: 6 }), (sketch, points) => {
        const world = worldOf(sketch);
        for (const point of points) {
          for (let i = 0; i < point && world.step(); i++);
          if (world.state.status !== 'ended') world.crash(1_000);
        }
        expect(isAtRest(world.run().state)).toBe(true);
        const bound = new Map(boundOf(sketch.template).map((row) => [row.resource, row.bound]));
        expect(world.attempts).toBeLessThanOrEqual(bound.get('attempts') ?? 0);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('a run that reuses another', () => {
  it('ends like any run, and adopts no work twice', () => {
    fc.assert(
      fc.property(sketches, (sketch) => {
        const { state, events } = worldOf(sketch, undefined, worldOf(sketch).run()).run();
        expect(isAtRest(state)).toBe(true);
        const taken = events.flatMap((event) => (event.type === 'step.adopted' ? [`${event.run}/${event.from}`] : []));
        expect(new Set(taken).size).toBe(taken.length);
      }),
      { numRuns: RUNS },
    );
  });
});
