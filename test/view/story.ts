// Runs written by hand: events one second apart, folded into a state.
import type { Json } from '../../src/base/json.ts';
import type { Event, EventOf, Recorded } from '../../src/engine/record/event.schema.ts';
import type { Exhaustion } from '../../src/engine/record/event-parts.schema.ts';
import type { GateKind } from '../../src/engine/record/gate-events.schema.ts';
import { fold } from '../../src/engine/state/fold.ts';
import type { RunState } from '../../src/engine/state/state.ts';
import type { GraftedStep } from '../../src/planning/prepare-graft.ts';
import type { Template } from '../../src/template/template.ts';
import { type History, historyOf } from '../../src/view/history.ts';
import { type Line, plainText } from '../../src/view/line.ts';
import { type StepSketch, stepOf, templateOf } from '../engine/template-of.ts';

export const START = 1_790_000_000_000;

export interface Story {
  readonly state: RunState;
  readonly history: History;
  readonly events: readonly Recorded[];
}

export function tell(template: Template, events: readonly Event[]): Story {
  const started: Event = {
    type: 'run.started',
    run: 'run-1',
    template: template.digest,
    input: { value: {} },
    folder: '/data',
    by: 'ann',
  };
  const recorded = [started, ...events].map((event, index) => ({
    version: index + 1,
    at: START + index * 1_000,
    cause: index,
    event,
  }));
  return { state: fold(template, recorded), history: historyOf(recorded), events: recorded };
}

export function began(step: string, details: Partial<EventOf<'attempt.started'>> = {}): Event {
  return { type: 'attempt.started', step, attempt: 1, ...details };
}

export function completed(step: string, value: Json = null, details: Partial<EventOf<'step.completed'>> = {}): Event {
  return { type: 'step.completed', step, value: { value }, ...details };
}

export function failed(step: string, code: string, message: string): Event {
  return { type: 'step.failed', step, failure: { code, message, retry: 'never' } };
}

export function grafted(planner: string, target: string, steps: readonly StepSketch[]): Event {
  return {
    type: 'fragment.grafted',
    planner,
    attempt: 1,
    fragment: 'digest-of-fragment',
    rationale: `one step per file for ${planner}`,
    target,
    steps: steps.map((sketch): GraftedStep => {
      const dependencies = sketch.after ?? [planner];
      return { id: `${planner}.1/${sketch.name}`, spec: stepOf(sketch), dependencies, depth: 1 };
    }),
    terminals: steps.map(({ name }) => `${planner}.1/${name}`),
    amount: { steps: steps.length },
  };
}

const judged = (step: string, succeeded: number, expected: number): Event => ({
  type: 'convergence.judged',
  step,
  satisfied: true,
  convergence: {
    expected,
    succeeded,
    failed: [],
    skipped: [],
    partial: succeeded < expected,
    reason: 'all_settled',
    by_phase: {},
  },
});

/** `plan` plans steps from the list of `ingest`, and the phase converges at `report`. */
export const frame = templateOf({
  steps: [
    { name: 'ingest' },
    { name: 'plan', after: ['ingest'], planning: { target: 'report', goal: 'look at every file of {{ run.id }}' } },
    { name: 'report', type: 'deferred', after: ['plan'], capability: 'work' },
  ],
});

/** `plan` planned `a`, `b` and `c`, which depends on `b`; `b` failed, and the repair `plan~2` has started. */
export function broken(): readonly Event[] {
  return [
    began('ingest'),
    completed('ingest'),
    began('plan'),
    grafted('plan', 'report', [{ name: 'a' }, { name: 'b' }, { name: 'c', after: ['plan.1/b'] }]),
    completed('plan'),
    began('plan.1/a', { input: 'digest-of-input' }),
    completed('plan.1/a', { rows: 4 }),
    began('plan.1/b'),
    {
      type: 'replan.started',
      step: 'plan~2',
      planner: 'plan',
      target: 'report',
      scope: 'tail',
      failing: ['plan.1/b'],
      after: ['plan.1/a', 'plan.1/b'],
      trial: 1,
      readyAt: START,
    },
    { type: 'steps.superseded', steps: ['plan.1/c'], by: 'plan~2' },
    {
      type: 'step.failed',
      step: 'plan.1/b',
      failure: { code: 'CSV_RAGGED', message: 'row 4 has 3 fields', retry: 'never' },
      repair: 'plan~2',
    },
  ];
}

/** `plan~2` planned `a` again, which adopted the work of the first `a`, and `d` instead of the failed `b`. */
export function mended(): readonly Event[] {
  return [
    ...broken(),
    began('plan~2'),
    grafted('plan~2', 'report', [{ name: 'a' }, { name: 'd' }]),
    completed('plan~2'),
    {
      type: 'step.adopted',
      step: 'plan~2.1/a',
      from: 'plan.1/a',
      input: 'digest-of-input',
      value: { value: { rows: 4 } },
    },
    began('plan~2.1/d'),
    completed('plan~2.1/d'),
  ];
}

export function asked(step: string, kind: GateKind, details: Partial<EventOf<'gate.opened'>> = {}): Event {
  return { type: 'gate.opened', gate: 'g1', step, kind, prompt: 'May it?', decision: {}, ...details };
}

/** Runs one step for each item. */
export const outOfMoney: Exhaustion = {
  account: 'run',
  resource: 'cost_usd',
  limit: 5_000_000,
  spent: 4_931_200,
  reserved: 70_000,
  landing: 500_000,
  key: 'budget.max_cost_budget',
};

export const map: StepSketch = {
  name: 'map',
  type: 'fan_out',
  fanOut: { do: stepOf({ name: 'one' }), forEach: [], maxWidth: 50, failureStrategy: 'continue_on_failure' },
};

export const mapping = templateOf({ steps: [map, { name: 'end', after: ['map'] }] });

export function expanded(items: number): Event {
  return { type: 'fan_out.expanded', step: 'map', items: Array.from({ length: items }, (_, value) => ({ value })) };
}

/** Two files were found; one was read, and the other was broken. */
export function ragged(): Story {
  return tell(frame, [
    began('ingest', { reserved: { tool_calls: 1 } }),
    completed('ingest', null, { bill: { tool_calls: 1 } }),
    began('plan'),
    grafted('plan', 'report', [{ name: 'orders' }, { name: 'broken' }]),
    completed('plan'),
    began('plan.1/orders', { reserved: { tool_calls: 1 } }),
    completed('plan.1/orders', null, { bill: { tool_calls: 1 }, verified: true }),
    began('plan.1/broken', { reserved: { tool_calls: 1 } }),
    { ...failed('plan.1/broken', 'CSV_RAGGED', 'row 4 has 3 fields'), bill: { tool_calls: 1 } } as Event,
    judged('report', 1, 2),
    began('report'),
    completed('report'),
    { type: 'run.ended', status: 'completed', partial: true, output: { value: null } },
  ]);
}

export function textOf(lines: readonly Line[]): string {
  return lines.map(plainText).join('\n');
}
