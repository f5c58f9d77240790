// Gates: steps that wait for a person, the valid answers, and their effects.

import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import { unknownGate } from '../../src/engine/order/answer-gate.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import { elapsedOf } from '../../src/engine/state/state.ts';
import { isWaiting } from '../../src/engine/state/waiting.ts';
import type { GateSpec } from '../../src/template/step-spec.ts';
import { type GateAnswer, World, type WorldOptions } from '../../src/testing/world.ts';
import { type StepSketch, stepOf, type TemplateSketch, templateOf, work } from './template-of.ts';

type Rest = Partial<WorldOptions> & Omit<Partial<TemplateSketch>, 'steps'>;

const done = (value: Json = { ok: true }): EffectOutcome => good(value);

function worldOf(steps: readonly StepSketch[], { budget, failFast, ...options }: Rest = {}): World {
  const template = templateOf({
    steps,
    capabilities: [{ ...work, asks: true }],
    ...(budget === undefined ? {} : { budget }),
    ...(failFast === undefined ? {} : { failFast }),
  });
  return new World(template, { perform: () => done({ title: 'Plums' }), ...options }).begin();
}

const always = (said: GateAnswer) => ({ review: () => said });
const review = (world: World, gate: string, said: GateAnswer) =>
  world.tell({ type: 'review', gate, by: 'ada', ...said });
const endOf = (world: World, id: string) => world.state.steps.get(id)?.skipped ?? world.state.steps.get(id)?.status;
const failureOf = (world: World, id: string) => world.state.steps.get(id)?.failure;
const open = (world: World) => [...world.state.openGates];
function resultOf(world: World, id: string): Json | undefined {
  const result = world.state.steps.get(id)?.result;
  return result !== undefined && 'value' in result ? result.value : undefined;
}

const asking = (gate: Partial<GateSpec> = {}): Partial<StepSketch> => ({
  type: 'human_review',
  gate: { prompt: 'Publish {{ results.draft.title }}?', onExpiry: 'fail', ...gate },
});

/** draft → check (a person) → publish */
const reviewed = (gate: Partial<GateSpec> = {}, rest: Partial<StepSketch> = {}): StepSketch[] => [
  { name: 'draft' },
  { name: 'check', after: ['draft'], ...asking(gate), ...rest },
  { name: 'publish', after: ['check'] },
];

describe('a human_review', () => {
  it('opens a gate, and completes with the answer of a person', () => {
    const world = worldOf(reviewed()).run();
    expect(isWaiting(world.state)).toBe(true);
    const gate = world.state.gates.get('g1');
    expect(gate).toMatchObject({ kind: 'review', step: 'check', prompt: 'Publish Plums?' });
    expect(gate?.context).toEqual({ value: { depends: { draft: { title: 'Plums' } } } });
    review(world, 'g1', { verdict: 'approve', why: 'fine' });
    expect(world.run().state.ended?.status).toBe('completed');
    expect(resultOf(world, 'check')).toEqual({ approved: true, notes: 'fine' });
    expect(endOf(world, 'publish')).toBe('completed');
  });

  it('has notes in its result, empty if nobody wrote any, unless it declares a decision', () => {
    const noted = [...reviewed({ expiresIn: 1_000, onExpiry: 'approve' })];
    noted[2] = { name: 'publish', after: ['check'], input: { said: '{{ results.check.notes }}' } };
    const silent = { approved: true, notes: '' };
    for (const people of [
      always({ verdict: 'approve' }),
      always({ verdict: 'answer', value: { approved: true } }),
      undefined,
    ]) {
      const world = worldOf(noted, people).run();
      expect(resultOf(world, 'check')).toEqual(silent);
      expect(world.performed.find(({ step }) => step === 'publish')?.input).toEqual({ said: '' });
    }
    const operated = worldOf(reviewed()).run();
    operated.tell({ type: 'resolve-step', step: 'check', value: { approved: true }, by: 'ada' });
    expect(resultOf(operated, 'check')).toEqual(silent);
  });

  it('is suggested by the id of its open gate when an order names an unknown gate', () => {
    const world = worldOf(reviewed()).run();
    world.tell({ type: 'retry-step', step: 'check', by: 'ada' });
    world.run();
    const hint = () => unknownGate(world.state, 'g9').hint;
    expect(hint()).toBe('choose from g2');
    review(world, 'g2', { verdict: 'approve' });
    expect(hint()).toBe('see open gates with: reconverge gates; none of this run is open, and its gates were g1, g2');
  });

  it('fills the defaults of its decision into an approval', () => {
    const decision = {
      type: 'object',
      required: ['approved', 'copies'],
      properties: { approved: { type: 'boolean' }, copies: { type: 'integer', default: 2 } },
    };
    const world = worldOf(reviewed({ decision }), always({ verdict: 'approve' })).run();
    expect(resultOf(world, 'check')).toEqual({ approved: true, copies: 2 });
  });

  it('fails with the reason when it is rejected, and its dependents do not run', () => {
    const world = worldOf(reviewed(), always({ verdict: 'reject', why: 'too dull' })).run();
    expect(failureOf(world, 'check')).toMatchObject({
      code: 'GATE_REJECTED',
      message: 'ada rejected gate g1: too dull',
    });
    expect(endOf(world, 'publish')).toBe('upstream');
    expect(world.state.ended).toMatchObject({ status: 'failed', failure: { code: 'GATE_REJECTED' } });
  });

  it('lets its dependents run without it when it is not critical', () => {
    const world = worldOf(reviewed({}, { critical: false }), always({ verdict: 'reject' })).run();
    expect([endOf(world, 'check'), endOf(world, 'publish')]).toEqual(['tolerated', 'completed']);
  });

  it('takes an answer that its contract allows as its result, coerced when nothing is lost', () => {
    const decision = { type: 'object', required: ['copies'], properties: { copies: { type: 'integer' } } };
    const world = worldOf(reviewed({ decision }), always({ verdict: 'answer', value: { copies: '12' } })).run();
    expect(resultOf(world, 'check')).toEqual({ copies: 12 });
    expect(world.events.find(({ type }) => type === 'gate.decided')).toMatchObject({
      value: { value: { copies: 12 } },
    });
  });

  it('asks again when an answer fails its predicate, as often as its policy says', () => {
    const retry = { maxAttempts: 2, backoff: 'none', base: 0, max: 0, jitter: 0 } as const;
    const verified = { verification: { $lisp: '(= (get data/result "notes") "read it")' }, retry } as const;
    const world = worldOf(reviewed({}, { ...verified, onVerificationFailure: 'retry' }), {
      review: ({ id }) => ({ verdict: 'approve', ...(id === 'g2' ? { why: 'read it' } : {}) }),
    }).run();
    expect(resultOf(world, 'check')).toEqual({ approved: true, notes: 'read it' });
    const stubborn = worldOf(
      reviewed({}, { ...verified, onVerificationFailure: 'retry' }),
      always({ verdict: 'approve' }),
    );
    expect(failureOf(stubborn.run(), 'check')?.code).toBe('VERIFICATION_FAILED');
    expect(stubborn.state.gates.size).toBe(2);
  });

  it('fails without a gate when its prompt refers to a missing value', () => {
    const world = worldOf(reviewed({ prompt: '{{ results.draft.author }}?' })).run();
    expect(failureOf(world, 'check')?.code).toBe('REFERENCE_UNRESOLVED');
    expect(world.state.gates.size).toBe(0);
  });

  it('opens its gate after its convergence is judged', () => {
    const world = worldOf(
      [
        { name: 'a' },
        { name: 'b' },
        {
          name: 'check',
          after: ['a', 'b'],
          convergence: { policy: 'quorum', min: { count: 1 }, early: false, onExhaustion: 'converge' },
          ...asking({ prompt: '{{ convergence.succeeded }} of {{ convergence.expected }}?' }),
        },
      ],
      {
        perform: ({ step }) =>
          step === 'a' ? done() : bad({ code: 'CAPABILITY_THREW', message: 'no', retry: 'never' }),
      },
    ).run();
    expect(world.state.gates.get('g1')?.prompt).toBe('1 of 2?');
    expect(world.events.map(({ type }) => type).slice(-3)).toEqual([
      'convergence.judged',
      'attempt.started',
      'gate.opened',
    ]);
  });

  it('is reported as a failure by the convergence step after it, which completes, when a person rejects it', () => {
    const world = worldOf(
      [
        ...reviewed(),
        { name: 'other' },
        {
          name: 'end',
          type: 'deferred',
          after: ['publish', 'other'],
          convergence: { policy: 'all_settled', early: false, onExhaustion: 'converge' },
        },
      ],
      always({ verdict: 'reject', why: 'no' }),
    ).run();
    expect(world.state.ended).toMatchObject({ status: 'completed', partial: true });
    expect(world.state.steps.get('end')?.convergence?.convergence.failed).toEqual([
      { step: 'publish', root: 'check', code: 'GATE_REJECTED', message: 'ada rejected gate g1: no' },
    ]);
  });
});

describe('a decision is refused without an event', () => {
  const world = worldOf(reviewed()).run();
  const length = world.journal.length;

  it.each<[string, string, GateAnswer, object]>([
    ['for a gate that does not exist', 'g7', { verdict: 'approve' }, { code: 'GATE_UNKNOWN', hint: 'choose from g1' }],
    [
      'for a verdict that this kind of gate does not accept',
      'g1',
      { verdict: 'edit', value: { steps: [] } },
      { code: 'GATE_VERDICT_INVALID', hint: 'choose from approve, reject, answer' },
    ],
    ['for an answer without a value', 'g1', { verdict: 'answer' }, { code: 'GATE_ANSWER_INVALID' }],
    [
      'for an answer that breaks the contract',
      'g1',
      { verdict: 'answer', value: { approved: 'perhaps', notes: 7 } },
      { code: 'GATE_ANSWER_INVALID', path: ['approved'], message: expect.stringMatching(/approved: .*; notes: /) },
    ],
  ])('%s', (_, gate, said, refused) => {
    expect(review(world, gate, said).refused).toMatchObject(refused);
    expect(world.journal).toHaveLength(length);
    expect(open(world)).toEqual(['g1']);
  });

  it('for an approval when the contract needs an answer', () => {
    const other = worldOf(reviewed({ decision: { type: 'string', enum: ['now', 'later'] } })).run();
    expect(review(other, 'g1', { verdict: 'approve' }).refused).toMatchObject({
      code: 'GATE_ANSWER_INVALID',
      message: expect.stringContaining('needs more than an approval'),
      hint: 'answer with one of now, later',
    });
    expect(review(other, 'g1', { verdict: 'answer', value: 'now' }).refused).toBeUndefined();
  });

  it('for an answer that exceeds the size limit of a result', () => {
    const other = worldOf(reviewed({ decision: { type: 'string' } })).run();
    const said: GateAnswer = { verdict: 'answer', value: 'x'.repeat(1_000_001) };
    expect(review(other, 'g1', said).refused?.code).toBe('GATE_ANSWER_INVALID');
  });

  it('once the gate has been decided', () => {
    const other = worldOf(reviewed(), always({ verdict: 'approve' }));
    while (other.state.gates.get('g1')?.end === undefined) other.step();
    const before = other.journal.length;
    expect(review(other, 'g1', { verdict: 'reject' }).refused).toMatchObject({
      code: 'GATE_CLOSED',
      message: 'gate g1 has been decided, and a decision is final',
    });
    expect(other.journal).toHaveLength(before);
  });

  it('once the gate has expired, even before the expiry is recorded', () => {
    const other = worldOf(reviewed({ expiresIn: 60_000 }));
    while (open(other).length === 0) other.step();
    other.now += 60_000;
    expect(review(other, 'g1', { verdict: 'approve' }).refused).toMatchObject({
      code: 'GATE_CLOSED',
      message: 'gate g1 has expired',
      hint: expect.stringMatching(/^go on with the run: reconverge resume \w/),
    });
  });

  it('once the run has ended', () => {
    const other = worldOf(reviewed(), always({ verdict: 'approve' })).run();
    expect(review(other, 'g1', { verdict: 'approve' }).refused?.code).toBe('RUN_ENDED');
  });
});

describe('a gate that nobody answers in time', () => {
  it.each([
    ['approve', 'completed', 'completed'],
    ['reject', 'failed', 'upstream'],
    ['fail', 'failed', 'upstream'],
    ['converge', 'converged', 'upstream'],
  ] as const)('ends as its on_expiry says: %s', (onExpiry, check, publish) => {
    const world = worldOf(reviewed({ expiresIn: 3_600_000, onExpiry })).run();
    expect([endOf(world, 'check'), endOf(world, 'publish')]).toEqual([check, publish]);
    expect(world.state.gates.get('g1')?.end).toBe('expired');
    expect(world.events.find(({ type }) => type === 'gate.expired')).toMatchObject({ outcome: onExpiry });
  });

  it('fails with GATE_EXPIRED, or with GATE_REJECTED if on_expiry is reject', () => {
    const expired = (onExpiry: GateSpec['onExpiry']) =>
      failureOf(worldOf(reviewed({ expiresIn: 1_000, onExpiry })).run(), 'check')?.code;
    expect([expired('fail'), expired('reject')]).toEqual(['GATE_EXPIRED', 'GATE_REJECTED']);
  });

  it('stays open forever without an expiry', () => {
    const world = worldOf(reviewed()).run();
    world.now += 10 * 365 * 24 * 3_600_000;
    world.tell({ type: 'expire' });
    expect(open(world)).toEqual(['g1']);
  });
});

describe('waiting for people', () => {
  it('uses no wall clock while nothing else can happen', () => {
    const world = worldOf(reviewed(), { budget: { wallClock: 60_000 } }).run();
    world.now += 24 * 3_600_000;
    expect(world.tell({ type: 'expire' }).events).toEqual([]);
    review(world, 'g1', { verdict: 'approve' });
    expect(world.run().state.ended?.status).toBe('completed');
    expect(elapsedOf(world.state)).toBeLessThan(1_000);
  });

  it('blocks no other branch, and several gates can be answered in any order', () => {
    const steps: StepSketch[] = [
      { name: 'one', ...asking({ prompt: 'One?' }) },
      { name: 'two', ...asking({ prompt: 'Two?' }) },
      { name: 'busy' },
      { name: 'busier', after: ['busy'] },
      { name: 'end', type: 'deferred', after: ['one', 'two', 'busier'] },
    ];
    const world = worldOf(steps).run();
    expect([open(world), endOf(world, 'busier')]).toEqual([['g1', 'g2'], 'completed']);
    review(world, 'g2', { verdict: 'approve' });
    world.run();
    expect([open(world), endOf(world, 'end')]).toEqual([['g1'], 'waiting']);
    review(world, 'g1', { verdict: 'approve' });
    expect(world.run().state.ended?.status).toBe('completed');
  });

  it('can end in a paused run, whose next step starts after the resume', () => {
    const world = worldOf(reviewed()).run();
    world.tell({ type: 'pause', by: 'ada' });
    review(world, 'g1', { verdict: 'approve' });
    expect(endOf(world.run(), 'publish')).toBe('ready');
    world.tell({ type: 'resume', by: 'ada' });
    expect(world.run().state.ended?.status).toBe('completed');
  });

  it('continues after the process has died', () => {
    const world = worldOf(reviewed()).run();
    world.crash(24 * 3_600_000);
    expect([endOf(world, 'check'), open(world)]).toEqual(['held', ['g1']]);
    review(world, 'g1', { verdict: 'approve' });
    expect(world.run().state.ended?.status).toBe('completed');
  });
});

describe('a gate closes without a decision', () => {
  it('when the run is cancelled', () => {
    const world = worldOf(reviewed()).run();
    world.tell({ type: 'cancel', by: 'ada' });
    expect(world.state.gates.get('g1')?.end).toBe('closed');
    expect(world.run().state.ended?.status).toBe('cancelled');
  });

  it('when another step fails in a run that stops at the first failure', () => {
    const world = worldOf([{ name: 'a', ...asking({ prompt: 'A?' }) }, { name: 'b' }], {
      failFast: true,
      perform: () => bad({ code: 'CAPABILITY_THREW', message: 'no', retry: 'never' }),
    }).run();
    expect([endOf(world, 'a'), world.state.gates.get('g1')?.end]).toEqual(['cancelled', 'closed']);
  });

  it('when its target no longer waits for its branch', () => {
    const steps: StepSketch[] = [
      { name: 'slow', ...asking({ prompt: 'Slow?' }) },
      { name: 'quick' },
      {
        name: 'end',
        after: ['slow', 'quick'],
        convergence: { policy: 'quorum', min: { count: 1 }, early: true, onExhaustion: 'converge' },
      },
    ];
    const world = worldOf(steps).run();
    expect([endOf(world, 'slow'), world.state.gates.get('g1')?.end]).toEqual(['converged', 'closed']);
    expect(world.state.ended?.status).toBe('completed');
  });

  it('when an operator answers for its step', () => {
    const world = worldOf(reviewed()).run();
    world.tell({ type: 'resolve-step', step: 'check', value: { approved: true }, by: 'ada' });
    expect(world.state.gates.get('g1')?.end).toBe('closed');
    expect(endOf(world.run(), 'publish')).toBe('completed');
  });

  it('when its step is retried, which asks again', () => {
    const world = worldOf(reviewed()).run();
    world.tell({ type: 'retry-step', step: 'check', by: 'ada' });
    world.run();
    expect([world.state.gates.get('g1')?.end, open(world)]).toEqual(['closed', ['g2']]);
  });
});

describe('a gate held when the wall clock ends', () => {
  /** A phase with a gate and a slow step in it; the gate of an authored step beside it. */
  const steps: StepSketch[] = [
    { name: 'before', ...asking({ prompt: 'Before?' }) },
    { name: 'plan', planning: { target: 'end' } },
    { name: 'end', type: 'deferred', after: ['plan', 'before'] },
  ];
  const fragment: Json = {
    steps: [
      { name: 'check', type: 'human_review', prompt: 'Within?' },
      { name: 'slow', capability: 'work' },
      { name: 'slower', capability: 'work', depends_on: ['slow'] },
    ],
  };
  const perform: WorldOptions['perform'] = ({ type }) => (type === 'ask-planner' ? done(fragment) : undefined);

  it('closes in a phase, and stays open in the landing set', () => {
    const world = worldOf(steps, { perform, budget: { wallClock: 20_000 } }).run();
    expect(world.state.gates.get('g1')).toMatchObject({ step: 'before', end: undefined });
    expect(endOf(world, 'plan.1/check')).toBe('budget');
    expect(world.state.gates.get('g2')).toMatchObject({ step: 'plan.1/check', end: 'closed' });
    review(world, 'g1', { verdict: 'approve' });
    expect(world.run().state.ended).toMatchObject({ status: 'completed', partial: true });
  });
});

describe('an approval', () => {
  const call = (approval: object = {}, rest: Partial<StepSketch> = {}): StepSketch[] => [
    { name: 'find' },
    {
      name: 'send',
      after: ['find'],
      input: { to: '{{ results.find.title }}' },
      initialization: { urgent: true },
      approval: { prompt: 'Send to {{ results.find.title }}?', onExpiry: 'fail', ...approval },
      ...rest,
    },
  ];

  it('shows the call first, and the call runs as shown', () => {
    const world = worldOf(call()).run();
    expect(world.performed.map(({ step }) => step)).toEqual(['find']);
    expect(world.state.gates.get('g1')).toMatchObject({
      kind: 'approval',
      prompt: 'Send to Plums?',
      context: { value: { capability: 'work', input: { urgent: true, to: 'Plums' } } },
    });
    review(world, 'g1', { verdict: 'approve' });
    expect(world.run().state.ended?.status).toBe('completed');
    expect(world.performed[1]).toMatchObject({ step: 'send', input: { urgent: true, to: 'Plums' }, attempt: 1 });
  });

  it('keeps the input that it showed, however late it is given', () => {
    const world = worldOf([
      {
        ...call()[1],
        name: 'send',
        after: [],
        input: '{{ run.elapsed }}',
        approval: { prompt: 'Now?', onExpiry: 'fail' },
      },
      { name: 'other' },
    ]).run();
    const shown = world.state.gates.get('g1')?.context;
    review(world, 'g1', { verdict: 'approve' });
    world.run();
    expect(shown).toEqual({ value: { capability: 'work', input: world.performed.at(-1)?.input } });
  });

  it('fails the step when it is refused, without a call or a retry', () => {
    const retry = { maxAttempts: 3, backoff: 'none', base: 0, max: 0, jitter: 0 } as const;
    const world = worldOf(call({}, { onFailure: 'retry', retry }), always({ verdict: 'reject', why: 'no' })).run();
    expect(failureOf(world, 'send')).toMatchObject({ code: 'GATE_REJECTED', message: 'ada rejected gate g1: no' });
    expect(world.performed.map(({ step }) => step)).toEqual(['find']);
  });

  it('is asked for once, however often the call is retried', () => {
    const retry = { maxAttempts: 3, backoff: 'none', base: 0, max: 0, jitter: 0 } as const;
    const world = worldOf(call({}, { onFailure: 'retry', retry }), {
      ...always({ verdict: 'approve' }),
      perform: ({ step, attempt }) =>
        step === 'send' && attempt < 3
          ? bad({ code: 'CAPABILITY_THREW', message: 'no', retry: 'may' })
          : done({ title: 'Plums' }),
    }).run();
    expect([world.state.ended?.status, world.state.gates.size]).toEqual(['completed', 1]);
  });

  it.each([
    ['nil', 0],
    ['true', 1],
    ['(+ 1 nil)', 1],
  ])('is asked for if its condition is true or fails: %s opens %i gates', ($lisp, gates) => {
    const world = worldOf(call({ when: { $lisp } }), always({ verdict: 'approve' })).run();
    expect([world.state.ended?.status, world.state.gates.size]).toEqual(['completed', gates]);
  });

  it('is asked for by each item of a fan-out', () => {
    const item = stepOf({
      name: 'send',
      input: { to: '{{ item }}' },
      approval: { prompt: 'Send to {{ item }}?', onExpiry: 'fail' },
    });
    const fanOut = {
      do: item,
      forEach: ['plums', 'pears'],
      maxWidth: 2,
      failureStrategy: 'continue_on_failure',
    } as const;
    const world = worldOf([{ name: 'send', type: 'fan_out', fanOut }], {
      review: ({ prompt }) => ({ verdict: prompt === 'Send to plums?' ? 'approve' : 'reject' }),
    }).run();
    expect(world.performed.map(({ step, input }) => [step, input])).toEqual([['send/0', { to: 'plums' }]]);
    expect(resultOf(world, 'send')).toMatchObject([
      { status: 'completed' },
      { status: 'failed', failure: { code: 'GATE_REJECTED' } },
    ]);
  });

  it('names each item of a fan-out when its author gave no prompt', () => {
    const item = stepOf({ name: 'send', input: { to: '{{ item }}' }, approval: { onExpiry: 'fail' } });
    const fanOut = { do: item, forEach: ['plums', 'pears'], maxWidth: 2, failureStrategy: 'fail_fast' } as const;
    const world = worldOf([{ name: 'send', type: 'fan_out', fanOut }]).run();
    expect([...world.state.gates.values()].map(({ prompt }) => prompt)).toEqual([
      'Step "send/0" wants to call work. May it?',
      'Step "send/1" wants to call work. May it?',
    ]);
  });

  it('is given at the expiry if on_expiry is approve', () => {
    const world = worldOf(call({ expiresIn: 1_000, onExpiry: 'approve' })).run();
    expect([world.state.ended?.status, world.performed.at(-1)?.step]).toEqual(['completed', 'send']);
  });
});

describe('a clarification', () => {
  const year = { needs_clarification: { question: 'Which year?', answer: { type: 'integer' }, as: 'year' } };
  const one: StepSketch[] = [{ name: 'count', input: { of: 'plums' } }];
  const asksFor =
    (key: string, question: Json): WorldOptions['perform'] =>
    ({ input }) =>
      typeof input === 'object' && input !== null && key in input ? done({ counted: true }) : done(question);

  it('holds the step that asks, and calls it again with the answer in its input', () => {
    const world = worldOf(one, { perform: asksFor('year', year) }).run();
    expect(world.state.gates.get('g1')).toMatchObject({
      kind: 'clarification',
      prompt: 'Which year?',
      decision: { type: 'integer' },
      context: { value: { capability: 'work', input: { of: 'plums' } } },
    });
    expect(review(world, 'g1', { verdict: 'answer', value: 'soon' }).refused?.code).toBe('GATE_ANSWER_INVALID');
    expect(review(world, 'g1', { verdict: 'approve' }).refused?.code).toBe('GATE_VERDICT_INVALID');
    review(world, 'g1', { verdict: 'answer', value: '1904' });
    expect(world.run().state.ended?.status).toBe('completed');
    expect(world.performed.map(({ input, attempt }) => [attempt, input])).toEqual([
      [1, { of: 'plums' }],
      [2, { of: 'plums', year: 1904 }],
    ]);
    // Both calls were made, and paid for.
    expect(world.state.ledger.accounts.get('run')?.spent.tool_calls).toBe(2);
  });

  it('merges an object answer into the input, and puts any other answer under "answer"', () => {
    const answered = (value: Json) =>
      worldOf(one, {
        perform: ({ attempt }) => done(attempt === 1 ? { needs_clarification: 'Which?' } : { ok: true }),
        ...always({ verdict: 'answer', value }),
      }).run().performed[1]?.input;
    expect(answered({ of: 'pears', year: 1904 })).toEqual({ of: 'pears', year: 1904 });
    expect(answered(['pears'])).toEqual({ of: 'plums', answer: ['pears'] });
  });

  it('does not use up an attempt of the retry policy', () => {
    const retry = { maxAttempts: 2, backoff: 'none', base: 0, max: 0, jitter: 0 } as const;
    const world = worldOf([{ name: 'count', onFailure: 'retry', retry }], {
      perform: ({ attempt }) => {
        if (attempt === 1) return done(year);
        if (attempt === 2) return bad({ code: 'CAPABILITY_THREW', message: 'no', retry: 'may' });
        return done();
      },
      ...always({ verdict: 'answer', value: 1904 }),
    }).run();
    expect([world.state.ended?.status, world.state.steps.get('count')?.attempt]).toEqual(['completed', 3]);
  });

  it('is asked for at most as often as max_clarifications says', () => {
    const world = worldOf([{ name: 'count', maxClarifications: 2 }], {
      perform: () => done(year),
      ...always({ verdict: 'answer', value: 1904 }),
    }).run();
    expect(failureOf(world, 'count')?.code).toBe('CLARIFICATIONS_EXCEEDED');
    expect(world.state.gates.size).toBe(2);
  });

  it('fails the step when a person rejects it', () => {
    const world = worldOf(one, { perform: () => done(year), ...always({ verdict: 'reject', why: 'unknown' }) }).run();
    expect(failureOf(world, 'count')).toMatchObject({
      code: 'GATE_REJECTED',
      message: 'ada rejected gate g1: unknown',
    });
  });

  it.each<[string, Json]>([
    ['no question', {}],
    ['an empty question', { question: ' ' }],
    ['an invalid contract', { question: 'Which?', answer: { type: 'yaer' } }],
    ['an empty key', { question: 'Which?', as: '' }],
  ])('with %s fails the step', (_, needs_clarification) => {
    const world = worldOf(one, { perform: () => done({ needs_clarification }) }).run();
    expect(failureOf(world, 'count')?.code).toBe('CLARIFICATION_INVALID');
  });

  it.each([
    [{ question: 'How many?', ans: ':int' }, '"ans" is no key of a question; did you mean "answer"?'],
    [{ question: 'How many?', why: '?' }, '"why" is no key of a question; it takes "question", "answer", "as"'],
    [{ question: ' ' }, '"question" is empty'],
    [
      { question: 'How many?', answer: { type: 'integer', minimum: 5, maximum: 3 } },
      'no value has at least 5 (minimum) and at most 3 (maximum)',
    ],
    [{ question: 'Which?', answer: { enum: [] } }, '"answer" is no contract'],
  ])('names its fault in the failure of the step: %j', (needs_clarification, said) => {
    const world = worldOf(one, { perform: () => done({ needs_clarification }) }).run();
    expect(failureOf(world, 'count')?.message).toContain(said);
  });

  it('fails the step when its capability does not declare clarifications', () => {
    const world = new World(templateOf({ steps: one }), { perform: () => done(year) }).begin().run();
    expect(failureOf(world, 'count')?.code).toBe('CLARIFICATION_UNDECLARED');
    expect(world.state.gates.size).toBe(0);
  });

  it('that is null is part of the result', () => {
    const value = { needs_clarification: null, n: 1 };
    expect(resultOf(worldOf(one, { perform: () => done(value) }).run(), 'count')).toEqual(value);
  });

  it('survives a crash after the answer: the step gets the same input again', () => {
    const world = worldOf(one, { perform: asksFor('year', year), ...always({ verdict: 'answer', value: 1904 }) });
    while (world.state.steps.get('count')?.attempt !== 2) world.step();
    world.crash();
    expect(world.run().performed.at(-1)).toMatchObject({ attempt: 2, delivery: 2, input: { of: 'plums', year: 1904 } });
  });

  it('appears in the brief and the packet of the planner that asked', () => {
    const world = worldOf(
      [
        { name: 'plan', planning: { target: 'end' } },
        { name: 'end', type: 'deferred', after: ['plan'] },
      ],
      {
        perform: (work) => {
          if (work.type !== 'ask-planner') return done();
          return done(work.brief.clarifications === undefined ? year : { steps: [{ name: 'a', capability: 'work' }] });
        },
        ...always({ verdict: 'answer', value: 1904 }),
      },
    ).run();
    expect(world.state.ended?.status).toBe('completed');
    const asked = world.performed.flatMap((work) => (work.type === 'ask-planner' ? [work.brief] : []));
    const clarifications = [{ question: 'Which year?', answer: 1904 }];
    expect(asked[1]).toMatchObject({ attempt: 2, clarifications, packet: { clarifications } });
  });
});
