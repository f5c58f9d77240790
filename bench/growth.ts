// PERF2: grows a run to 100,000 steps by grafts of 20 steps, at its end or near its top, and measures one graft at every size.

import type { Json } from '../src/base/json.ts';
import { good } from '../src/base/result.ts';
import { encode } from '../src/engine/codec/event-codec.ts';
import { decide } from '../src/engine/decide.ts';
import type { EffectOutcome } from '../src/engine/record/command.ts';
import type { Effect } from '../src/engine/record/effect.ts';
import type { Recorded } from '../src/engine/record/event.schema.ts';
import { evolve } from '../src/engine/state/evolve.ts';
import { newState, type RunState } from '../src/engine/state/state.ts';
import { valuesToLoad } from '../src/engine/values-to-load.ts';
import { newHolder } from '../src/store/holder.ts';
import { openSqliteJournal } from '../src/store/sqlite-journal.ts';
import { type StepSketch, templateOf } from '../test/engine/template-of.ts';
import { trivial } from './layered.ts';
import { scratch } from './scratch.ts';
import { median, printTable } from './table.ts';

const FRAGMENT = 20;

/** Twenty steps in two layers. */
function fragment(): Json {
  const first = Array.from({ length: FRAGMENT / 2 }, (_, i) => ({ name: `a${i}`, capability: 'work', input: {} }));
  const second = first.map((_step, i) => ({ name: `b${i}`, capability: 'work', input: {}, depends_on: [`a${i}`] }));
  return { rationale: 'more', steps: [...first, ...second] };
}

/** Planning steps in a chain, so that each graft is appended, or side by side, so that each graft is spliced in at the top. */
function planners(count: number, appended: boolean): StepSketch[] {
  return Array.from({ length: count }, (_, i) => ({
    name: `p${i}`,
    after: appended && i > 0 ? [`p${i - 1}`] : [],
    planning: {
      target: appended && i < count - 1 ? `p${i + 1}` : 'end',
      planner: { kind: 'fixed' as const, fragment: null },
    },
  }));
}

interface Growth {
  /** Microseconds to graft an accepted fragment, with ledger and counters. */
  readonly graft: number;
  /** Microseconds to read, review and graft one reply; durable when there is a journal. */
  readonly reply: number;
  /** Microseconds to build the brief of the planner. */
  readonly brief: number;
  /** Microseconds per step for everything. */
  readonly step: number;
}

async function grow(steps: number, appended: boolean, file: string | undefined): Promise<Map<number, Growth>> {
  const authored = planners(Math.ceil(steps / FRAGMENT) + 1, appended);
  const template = templateOf({
    capabilities: [trivial.declaration],
    budget: {
      // Twice the use, so that no planner is told to converge.
      limit: { steps: steps * 2, phases: steps, tool_calls: steps * 30 },
      fragmentSteps: FRAGMENT,
      wallClock: 3_600_000_000,
    },
    steps: [...authored, { name: 'end', type: 'deferred', after: authored.map(({ name }) => name) }],
  });
  const journal = file === undefined ? undefined : openSqliteJournal(file, { durability: 'relaxed' });
  const lease = await journal?.create({ id: 'r', title: 'bench', createdAt: 0 }, newHolder(), 1_000_000);
  const state: RunState = newState(template);
  const marks = new Map<number, Growth>();
  const replies: number[] = [];
  const events: Recorded[] = [];
  const briefs: number[] = [];
  let at = 0;
  let next = 1_000;
  let mark = performance.now();
  let markSteps = template.steps.length;
  const reply: EffectOutcome = good(fragment());
  const work: EffectOutcome = good({ n: 1 });
  let due: Effect[] = [];

  async function tell(command: Parameters<typeof decide>[1]): Promise<number> {
    const began = performance.now();
    const expected = state.version;
    const decision = decide(state, command, new Map(valuesToLoad(state, command).map((digest) => [digest, null])));
    due.push(...decision.effects);
    events.push(...decision.events);
    if (journal !== undefined && lease !== undefined) {
      await journal.append({
        stream: 'r',
        expected,
        epoch: lease.epoch,
        entries: decision.events.map(encode),
        blobs: decision.blobs,
      });
    }
    return (performance.now() - began) * 1_000;
  }

  await tell({ type: 'start-run', at, run: 'r', template, input: {}, folder: '/', by: 'bench' });
  while (state.steps.size - template.steps.length < steps) {
    for (const step of [...state.ready].slice(0, 40)) {
      const took = await tell({ type: 'start-step', at: ++at, step });
      if (state.steps.get(step)?.spec.type === 'planning') briefs.push(took);
    }
    if (due.length === 0) throw new Error('the run has stopped growing');
    const now = due;
    due = [];
    for (const effect of now) {
      if (effect.type === 'abort') continue;
      const { step, attempt, delivery, input } = effect;
      const outcome = effect.type === 'ask-planner' ? reply : work;
      const took = await tell({ type: 'settle', at: ++at, step, attempt, delivery, input, outcome, chance: 0 });
      if (effect.type === 'ask-planner') replies.push(took);
    }
    const size = state.steps.size - template.steps.length;
    if (size >= next) {
      const took = performance.now() - mark;
      const grown = state.steps.size - markSteps;
      marks.set(next, {
        graft: 0,
        reply: median(replies.slice(-20)),
        brief: median(briefs.slice(-20)),
        step: (took * 1_000) / grown,
      });
      next = next < 10_000 ? 10_000 : next + 10_000;
      mark = performance.now();
      markSteps = state.steps.size;
    }
  }
  await journal?.close();
  const grafts = graftsIn(events, newState(template));
  return new Map([...marks].map(([size, growth]) => [size, { ...growth, graft: graftAt(grafts, size) }]));
}

/** Microseconds of each graft when the run is folded again. */
function graftsIn(events: readonly Recorded[], state: RunState): readonly number[] {
  return events.flatMap((recorded) => {
    const began = performance.now();
    evolve(state, recorded);
    return recorded.event.type === 'fragment.grafted' ? [(performance.now() - began) * 1_000] : [];
  });
}

function graftAt(grafts: readonly number[], size: number): number {
  const last = Math.ceil(size / FRAGMENT);
  return median(grafts.slice(last - 20, last));
}

const store = scratch();
const rows: (string | number)[][] = [];
for (const [name, appended, durable] of [
  ['appended, in memory', true, false],
  ['spliced near the top, in memory', false, false],
  ['appended, durable', true, true],
] as const) {
  const marks = await grow(100_100, appended, durable ? store.file() : undefined);
  for (const [steps, { graft, reply, brief, step }] of marks) {
    if ([1_000, 10_000, 50_000, 100_000].includes(steps)) rows.push([name, steps, graft, '≤ 150', reply, brief, step]);
  }
  const first = marks.get(10_000)?.step ?? 0;
  const last = marks.get(100_000)?.step ?? 0;
  rows.push([name, 'exponent 10,000 → 100,000', Math.log10(last / first), '≤ 0.05', '', '', '']);
}
printTable(
  'PERF2: growth by grafts of 20 steps',
  ['where', 'steps', 'graft µs', 'goal', 'reply read, reviewed, grafted µs', 'brief µs', 'µs per step'],
  rows,
);
store.remove();
