// A crash at every point of a run in turn: before a batch is durable, after it, and after the effect whose outcome was lost.

import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import type { Json } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import type { Declaration } from '../../src/contract/declaration.ts';
import type { Call } from '../../src/engine/record/call.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { Event } from '../../src/engine/record/event.schema.ts';
import type { Gate, RunState } from '../../src/engine/state/state.ts';
import type { Work } from '../../src/runtime/ports/work.ts';
import type { Template } from '../../src/template/template.ts';
import { type GateAnswer, World, type WorldOptions } from '../../src/testing/world.ts';
import { asks, calls, plans, says, trouble } from './models-say.ts';
import { type StepSketch, templateOf, thinker, work } from './template-of.ts';

const task = (name: string, ...after: string[]): Json => ({ name, capability: 'work', depends_on: after });
const retry = { maxAttempts: 2, backoff: 'none', base: 0, max: 0, jitter: 0 } as const;

/** Two phases, a retry, a failure that is tolerated, one that is not, a condition, a verified result and a large one. */
const steps: StepSketch[] = [
  { name: 'ingest' },
  { name: 'flaky', onFailure: 'retry', retry },
  { name: 'unwanted', when: { $lisp: 'false' } },
  { name: 'recon', after: ['ingest', 'flaky'], planning: { target: 'execute' } },
  { name: 'execute', after: ['recon'], planning: { target: 'end' } },
  {
    name: 'end',
    type: 'deferred',
    capability: 'work',
    after: ['execute'],
    convergence: { policy: 'all_settled', early: false, onExhaustion: 'converge' },
    input: { found: '{{ depends }}', failed: '{{ convergence.failed }}' },
  },
];

function perform({ type, step, attempt }: Work): EffectOutcome {
  if (type === 'ask-planner') {
    const plans: Record<string, Json[]> = {
      recon: [task('a'), task('b', 'a'), { name: 'c', capability: 'work', critical: false }],
      execute: [task('d'), { name: 'e', capability: 'work', verification: '(pos? (get data/result "n"))' }],
    };
    return good({ rationale: step, steps: plans[step] ?? [] });
  }
  const breaks = (step === 'flaky' && attempt === 1) || step.endsWith('/c') || step.endsWith('/d');
  if (breaks) return bad({ code: 'CAPABILITY_THREW', message: step, retry: 'may' });
  return good({ n: step.length, text: step === 'ingest' ? 'x'.repeat(3_000) : step });
}

/** Everything that people are asked: a review, approval of a large call, a planner's and a handler's question, a plan; one never comes. */
const asking: StepSketch[] = [
  { name: 'draft' },
  {
    name: 'send',
    after: ['draft'],
    input: '{{ results.draft }}',
    approval: { prompt: 'Send {{ results.draft.n }}?', onExpiry: 'fail' },
  },
  { name: 'look', type: 'human_review', after: ['draft'], gate: { prompt: 'Well?', onExpiry: 'fail' } },
  {
    name: 'nobody',
    type: 'human_review',
    gate: { prompt: 'Anybody?', expiresIn: 30 * 24 * 3_600_000, onExpiry: 'converge' },
  },
  { name: 'plan', after: ['look'], planning: { target: 'end', review: 'always' } },
  {
    name: 'end',
    type: 'deferred',
    after: ['plan', 'send', 'nobody'],
    convergence: { policy: 'all_settled', early: false, onExhaustion: 'converge' },
    input: '{{ depends }}',
  },
];

const sure: Json = { name: 'sure', type: 'human_review', prompt: 'Sure?', depends_on: ['a'] };

function answer(of: Work): EffectOutcome {
  const value = (): Json => {
    if (of.type === 'ask-planner') {
      if (of.brief.clarifications === undefined)
        return { needs_clarification: { question: 'How many?', answer: '{more :string}' } };
      return { steps: [task('a'), sure] };
    }
    if (of.step === 'plan.1/a' && of.attempt === 1) return { needs_clarification: { question: 'Which?' } };
    return { n: of.step.length, text: 'x'.repeat(of.step === 'draft' ? 3_000 : 3) };
  };
  return good(value());
}

function person({ step, kind }: Gate, refused: number): GateAnswer | undefined {
  if (step === 'nobody') return undefined;
  if (refused === 0) return { verdict: 'answer', value: 'x'.repeat(2_000) };
  if (kind === 'clarification') return { verdict: 'answer', value: { more: 'x'.repeat(2_000) } };
  if (kind !== 'plan_review') return { verdict: 'approve', why: 'fine' };
  return { verdict: 'edit', value: { steps: [task('a'), sure, task('b', 'a')] } };
}

/** A planner that looks up, asks and is rejected once; an agent of its plan that calls, asks and has to mend; judges of both. */
const thinking: StepSketch[] = [
  { name: 'ingest', judge: {} },
  {
    name: 'plan',
    after: ['ingest'],
    planning: { target: 'end', planner: { kind: 'llm' }, goal: 'Find out.' },
    timeout: 300_000,
  },
  {
    name: 'end',
    type: 'deferred',
    agent: { name: 'default' },
    after: ['plan'],
    convergence: { policy: 'all_settled', early: false, onExhaustion: 'converge' },
  },
];

const scout: Json = { prompt: 'You scout.', tools: ['work', 'pay'], output: { type: 'object', required: ['n'] } };
const proposing = (capability: string): EffectOutcome =>
  says({
    agents: { scout },
    steps: [
      { name: 'look', agent: 'scout', description: 'Look.', judge: true, on_verification_failure: 'retry' },
      { name: 'also', capability },
    ],
  });

/** By step, attempt and call, which no crash changes. */
const lines: Readonly<Record<string, EffectOutcome>> = {
  'ingest#1.2': says({ passes: true, diagnosis: '' }),
  'plan#1.1': calls(['fetch_context', { ref: 'ingest#1' }], ['fetch_context', { ref: 'nowhere' }]),
  'plan#1.4': says({ needs_clarification: { question: 'Which?' } }),
  'plan#2.5': proposing('wrok'),
  'plan#3.1': proposing('work'),
  'plan.1/look#1.1': calls(['work', { q: 1 }], ['pay', { to: 'ada' }], ['nothing', {}]),
  'plan.1/look#2.4': asks('How many?'),
  'plan.1/look#3.5': trouble('MODEL_UNAVAILABLE'),
  'plan.1/look#3.6': says('three'),
  'plan.1/look#3.7': says({ n: 3, text: 'x'.repeat(2_000) }),
  'plan.1/look#3.8': says({ passes: false, diagnosis: 'too few' }),
  'plan.1/look#4.1': calls(['pay', { to: 'ada' }]),
  'plan.1/look#4.3': says({ n: 4 }),
  'plan.1/look#4.4': says({ passes: true, diagnosis: '' }),
  'end#1.1': says('four'),
};

const pay: Declaration = { ...work, name: 'pay', effects: ['write'], repeat: 'keyed' };
const thought = templateOf({
  steps: thinking,
  models: { default: thinker },
  capabilities: [work, pay],
  effects: { allowed: [], denied: [], approval: [] },
  budget: { limit: {} },
});

function think(of: Work): EffectOutcome | { readonly asks: Call } {
  if (of.type === 'ask-planner') return plans(thought, of);
  if (of.type !== 'ask-model') return good({ n: 1, text: 'x'.repeat(2_000) });
  return present(lines[of.key.slice('r1/'.length)], `what is said to ${of.key}`);
}

function agree({ kind }: Gate): GateAnswer {
  return kind === 'approval' ? { verdict: 'approve' } : { verdict: 'answer', value: 'x'.repeat(2_000) };
}

const able: Declaration = { ...work, asks: true };
const runs: readonly (readonly [string, Template, WorldOptions, object])[] = [
  ['of work', templateOf({ steps }), { perform }, { status: 'completed', partial: true }],
  [
    'of people',
    templateOf({ steps: asking, capabilities: [able] }),
    { perform: answer, review: person },
    { status: 'completed', partial: true },
  ],
  ['of models', thought, { perform: think, review: agree }, { status: 'completed', partial: false }],
];

/** The keys of the calls that the event ends. */
function keysOfEnd(event: Event): readonly string[] {
  return event.type === 'call.ended' ? [`${event.step}#${event.attempt}.${event.call}`] : [];
}

function keyOfCall(of: Work): string {
  const call = of.type === 'ask-planner' ? undefined : of.call;
  return `${of.step}#${of.attempt}.${call}`;
}

function endOf(state: RunState): unknown {
  const { ended } = state;
  return {
    ended: { status: ended?.status, partial: ended?.partial, output: ended?.output },
    steps: [...state.steps.values()].map(({ id, status, skipped, result, failure }) => [
      id,
      status,
      skipped,
      result,
      failure?.code,
    ]),
  };
}

describe.each(runs)('a crash of a run %s', (_, template, options, end) => {
  const straight = new World(template, options).begin().run();
  const { batches } = straight;

  it('has a run to strike that is worth it', () => {
    expect(straight.state.ended).toMatchObject(end);
    expect(batches.length).toBeGreaterThan(20);
  });

  // The journal holds the first n batches. Whether the next was being written or its effect under way, this is what is left.
  it.each(batches.slice(0, -1).map((length, index) => [index + 1, length]))(
    'after batch %i ends as if nothing had happened',
    (_, length) => {
      const world = World.over(template, options, straight.journal.slice(0, length), straight.blobs);
      const done = new Set(
        [...world.state.steps.values()].filter(({ status }) => status === 'completed').map(({ id }) => id),
      );
      world.crash();
      world.run();
      expect(endOf(world.state)).toEqual(endOf(straight.state));
      expect(world.performed.filter(({ step }) => done.has(step))).toEqual([]);
      const answered = new Set(straight.journal.slice(0, length).flatMap(({ event }) => keysOfEnd(event)));
      expect(world.performed.filter((work) => answered.has(keyOfCall(work)))).toEqual([]);
    },
  );
});
