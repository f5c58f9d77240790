// The trace of a run as a function of its events: properties of random runs.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitable, quantity } from '../../src/budget/amount.ts';
import type { Recorded } from '../../src/engine/record/event.schema.ts';
import { attributes, attributeType } from '../../src/telemetry/attributes.ts';
import type { SpanOperation } from '../../src/telemetry/span-operation.ts';
import { recordsOf } from '../../src/telemetry/span-record.ts';
import { spansOf } from '../../src/telemetry/spans.ts';
import { newTracing } from '../../src/telemetry/tracing.ts';
import type { Template } from '../../src/template/template.ts';
import type { World } from '../../src/testing/world.ts';
import { acts, meddle } from '../engine/random-orders.ts';
import { generous } from '../engine/random-people.ts';
import { sketches, worldOf } from '../engine/random-worlds.ts';
import { genaiOperations, genaiSpanNames } from './genai-registry.ts';

const RUNS = 80;

/** Runs with orders of people and crashes, up to their end or until they wait for people. */
const worlds: fc.Arbitrary<World> = fc.tuple(sketches, acts, fc.nat(60)).map(([sketch, orders, point]) => {
  const world = point % 3 === 0 ? worldOf(sketch) : worldOf(sketch, generous(sketch.seed));
  for (const act of point % 2 === 0 ? [] : orders) meddle(world, act);
  for (let i = 0; i < point && world.step(); i++);
  if (world.state.status !== 'ended') world.crash();
  for (const type of point % 7 === 0 ? (['pause', 'resume', 'cancel'] as const) : (['resume'] as const))
    world.tell({ type, by: 'test' });
  return world.run();
});

function toldOf(template: Template, events: readonly Recorded[]): readonly SpanOperation[] {
  const tracing = newTracing(template);
  return events.flatMap((event) => spansOf(tracing, event));
}

function holdsOfEvery(property: (world: World, told: readonly SpanOperation[]) => void): void {
  fc.assert(
    fc.property(worlds, (world) => property(world, toldOf(world.template, world.journal))),
    { numRuns: RUNS },
  );
}

describe('the trace of every run', () => {
  it('starts each span once under an open parent, and never touches it after its end', () => {
    holdsOfEvery((_, told) => {
      const open = new Set<string>();
      const known = new Set<string>();
      for (const each of told) {
        if (each.op === 'start') {
          expect(known.has(each.span), `${each.name} twice`).toBe(false);
          expect(each.parent === undefined || known.has(each.parent), `parent of ${each.name}`).toBe(true);
          for (const { to } of each.links) expect(known.has(to), `link of ${each.name}`).toBe(true);
          known.add(each.span);
          open.add(each.span);
        } else {
          expect(open.has(each.span), JSON.stringify(each)).toBe(true);
          if (each.op === 'end') open.delete(each.span);
        }
      }
    });
  });

  it('has one root, and ends every span once the run has ended', () => {
    holdsOfEvery(({ state }, told) => {
      const starts = told.filter((each) => each.op === 'start');
      expect(starts.filter(({ parent }) => parent === undefined).map(({ kind }) => kind)).toEqual(['run']);
      expect(new Set(starts.map(({ trace }) => trace)).size).toBe(1);
      const ends = told.filter((each) => each.op === 'end').length;
      if (state.status === 'ended') expect(ends).toBe(starts.length);
      else expect(ends).toBeLessThan(starts.length);
    });
  });

  it('is the same when exported again, and when a resumed run continues it', () => {
    fc.assert(
      fc.property(worlds, fc.double({ min: 0, max: 1, noNaN: true }), ({ template, journal }, where) => {
        const whole = toldOf(template, journal);
        const cut = Math.floor(where * journal.length);
        const before = newTracing(template);
        const first = journal.slice(0, cut).flatMap((event) => spansOf(before, event));
        // Another process folds the earlier events and continues.
        const after = newTracing(template);
        for (const event of journal.slice(0, cut)) spansOf(after, event);
        const rest = journal.slice(cut).flatMap((event) => spansOf(after, event));
        expect([...first, ...rest]).toEqual(whole);
      }),
      { numRuns: RUNS },
    );
  });

  it('has a span with a status for every ended step', () => {
    holdsOfEvery(({ state, template, journal }) => {
      if (state.status !== 'ended') return;
      const records = recordsOf(template, journal);
      const ends = records.filter(({ kind }) => kind === 'step' || kind === 'phase');
      expect(new Set(ends.map(({ attributes: of }) => of['reconverge.step.id']))).toEqual(new Set(state.steps.keys()));
      for (const { kind, attributes: of, endedAt, startedAt } of records) {
        if (kind === 'attempt' || kind === 'gate') expect(of['reconverge.status']).toBeDefined();
        expect(endedAt).toBeGreaterThanOrEqual(startedAt);
      }
    });
  });

  it('gives every span a duration after the start of its parent, also when all events have one time', () => {
    holdsOfEvery(({ template, journal }) => {
      for (const events of [journal, journal.map((event) => ({ ...event, at: 1_000 }))]) {
        const records = recordsOf(template, events);
        const times = new Map(
          records.map(({ span, startedAt, endedAt, micros }) => [
            span,
            [startedAt * 1_000 + micros.start, endedAt * 1_000 + micros.end] as const,
          ]),
        );
        for (const { span, parent, name } of records) {
          const [start, end] = times.get(span) ?? [0, 0];
          const [above] = times.get(parent ?? '') ?? [start];
          expect(end, name).toBeGreaterThan(start);
          expect(start, name).toBeGreaterThanOrEqual(above);
        }
      }
    });
  });

  it('sums up to the amounts of the ledger', () => {
    holdsOfEvery(({ state, template, journal }) => {
      const tracing = newTracing(template);
      for (const event of journal) spansOf(tracing, event);
      const account = state.ledger.accounts.get('run');
      const counted = (of: typeof tracing.spent) => limitable.map((each) => [each, quantity(of, each)]);
      expect(counted(tracing.spent)).toEqual(counted(account?.spent ?? {}));
      expect(tracing.limit).toEqual(account?.limit);
    });
  });

  it('has names of few values and attributes of one type, and the operations of the conventions', () => {
    const names =
      /^(run|phase|replan|step|attempt|plan (lisp|fixed|llm|hybrid|pattern|capability)|gate \w+|(execute_tool|invoke_agent|chat|embeddings) \S+|invoke_agent|execute_tool|plan|look up|find files|discover capabilities)$/;
    holdsOfEvery(({ template, journal }) => {
      for (const { name, kind, attributes: of, events } of recordsOf(template, journal)) {
        expect(name).toMatch(names);
        const operation = of['gen_ai.operation.name'];
        if (operation !== undefined) {
          expect(genaiOperations).toContain(operation);
          if (kind !== 'run') expect(name).toMatch(genaiSpanNames[String(operation)] ?? /^$/);
        }
        for (const [key, value] of [of, ...events.map((each) => each.attributes)].flatMap(Object.entries)) {
          const type = Array.isArray(value) ? 'string[]' : typeof value;
          const expected = attributeType(key);
          expect([key, type]).toEqual([key, expected === 'int' || expected === 'double' ? 'number' : expected]);
          if (expected === 'int') expect([key, Number.isInteger(value)]).toEqual([key, true]);
        }
      }
    });
  });

  it('uses only attributes of the table, and none with data of the run', () => {
    const budget = /^reconverge\.budget\.[a-z_]+\.(spent|limit)$/;
    const content = new Set(Object.entries(attributes).flatMap(([name, spec]) => ('content' in spec ? [name] : [])));
    holdsOfEvery((_, told) => {
      const names = told.flatMap((each) => ('attributes' in each ? Object.keys(each.attributes) : []));
      expect(names.filter((name) => content.has(name) || !(name in attributes || budget.test(name)))).toEqual([]);
    });
  });
});
