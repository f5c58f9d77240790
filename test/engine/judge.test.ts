// The judge: a model that checks a result after its contract and its predicate have passed.

import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import { good } from '../../src/base/result.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { AskModel } from '../../src/engine/record/effect.ts';
import { type GateAnswer, World } from '../../src/testing/world.ts';
import { askedOf, inTurn, says, toldIn, trouble } from './models-say.ts';
import { agentOf, type StepSketch, templateOf, thinker } from './template-of.ts';

const retry = { maxAttempts: 2, backoff: 'none', base: 0, max: 0, jitter: 0 } as const;
const passes = says({ passes: true, diagnosis: '' });
const rejects = says({ passes: false, diagnosis: 'it counts too few' });

interface Setting {
  readonly step?: Partial<StepSketch>;
  readonly model: (asked: AskModel) => EffectOutcome | undefined;
  readonly result?: () => EffectOutcome | undefined;
  readonly person?: GateAnswer;
  readonly asks?: boolean;
}

const three: EffectOutcome = good({ n: 3 });

function given({ step = {}, model, result = () => three, person, asks = false }: Setting): World {
  const template = templateOf({
    steps: [{ name: 'count', description: 'Count the hits.', input: { where: 'here' }, judge: {}, ...step }],
    models: { default: thinker },
    agents: [agentOf({ name: 'scout' })],
  });
  const { work } = template.capabilities;
  const able = asks
    ? { ...template, capabilities: { work: { ...present(work, 'work'), asks: true as const } } }
    : template;
  return new World(able, {
    perform: (work) => (work.type === 'ask-model' ? model(work) : result()),
    ...(person === undefined ? {} : { review: () => person }),
  }).begin();
}

const stepOf = (world: World) => present(world.state.steps.get('count'), 'count');
const workedOn = (world: World) => world.performed.filter(({ type }) => type === 'call-capability').length;

describe('a judge', () => {
  it('accepts a good result', () => {
    const world = given({ model: () => passes }).run();
    expect(stepOf(world)).toMatchObject({ status: 'completed', result: { value: { n: 3 } } });
    expect(askedOf(world)).toMatchObject([{ purpose: 'judge' }]);
  });

  it.each([{ passes: true }, { passes: true, diagnosis: null, confidence: 0.9 }])('is understood as %j', (verdict) => {
    const world = given({ model: () => says(verdict) }).run();
    expect(stepOf(world)).toMatchObject({ status: 'completed' });
    expect(askedOf(world)).toHaveLength(1);
  });

  it('sees the goal of the step, the criteria, the input and the result', () => {
    const world = given({ model: () => passes, step: { judge: { criteria: 'no hit is missed' } } }).run();
    const told = toldIn(present(askedOf(world)[0], 'ask'));
    expect(told).toMatch(/Count the hits\..*Criteria: no hit is missed.*\{"where":"here"\}.*\{"n":3\}/s);
  });

  it('checks answers of agents as well', () => {
    const model = ({ purpose }: AskModel) => (purpose === 'judge' ? passes : says('three'));
    const world = given({ model, step: { agent: { name: 'scout' }, type: 'task' } }).run();
    expect(askedOf(world).map(({ purpose }) => purpose)).toEqual(['turn', 'judge']);
    expect(stepOf(world).result).toEqual({ value: 'three' });
  });

  it('is not asked about a result that breaks its contract or its predicate', () => {
    const verification = { $lisp: '(> (:n data/result) 5)' };
    expect(askedOf(given({ model: () => passes, step: { verification } }).run())).toEqual([]);
    const output = { type: 'string' };
    expect(askedOf(given({ model: () => passes, step: { output } }).run())).toEqual([]);
  });

  it('fails a step whose result it rejects, and keeps result and diagnosis', () => {
    const world = given({ model: () => rejects }).run();
    expect(stepOf(world)).toMatchObject({
      status: 'failed',
      failure: { code: 'JUDGE_REJECTED', message: 'it counts too few' },
      feedback: 'it counts too few',
      rejected: { value: { n: 3 } },
    });
  });

  it('has a step retried with its diagnosis, and checks the new result too', () => {
    const world = given({
      model: inTurn(rejects, passes),
      step: { onVerificationFailure: 'retry', retry },
    }).run();
    expect(stepOf(world)).toMatchObject({ status: 'completed', attempt: 2 });
    const [, again] = world.performed.filter(({ type }) => type === 'call-capability');
    expect(again).toMatchObject({ feedback: 'it counts too few' });
  });

  it('leaves a rejected result tolerated when its step is', () => {
    const world = given({ model: () => rejects, step: { onVerificationFailure: 'skip' } }).run();
    expect(stepOf(world)).toMatchObject({ status: 'skipped', skipped: 'tolerated' });
  });

  it('is asked twice more when its verdict cannot be read', () => {
    const world = given({ model: inTurn(says('looks fine'), passes) }).run();
    expect(stepOf(world).status).toBe('completed');
    expect(toldIn(present(askedOf(world)[1], 'second ask'))).toContain(
      'your answer holds no JSON value: it begins "looks fine"',
    );
    const never = given({ model: () => says('looks fine') }).run();
    expect(askedOf(never)).toHaveLength(3);
    expect(stepOf(never)).toMatchObject({ status: 'failed', failure: { code: 'JUDGE_UNREADABLE' } });
  });

  it('fails the attempt without a verdict when it cannot be asked', () => {
    const world = given({
      model: () => trouble('MODEL_ACCESS_REFUSED', { retry: 'never' }),
      step: { onVerificationFailure: 'skip' },
    }).run();
    expect(stepOf(world)).toMatchObject({ status: 'failed', failure: { code: 'MODEL_ACCESS_REFUSED' } });
    expect(world.events.some(({ type }) => type === 'verification.failed')).toBe(false);
  });

  it('waits until a handler that asks a person has its answer, and checks the second call', () => {
    const world = given({
      model: () => passes,
      result: inTurn<EffectOutcome>(good({ needs_clarification: 'Where?' }), three),
      person: { verdict: 'answer', value: 'there' },
      asks: true,
    }).run();
    expect(stepOf(world)).toMatchObject({ status: 'completed', result: { value: { n: 3 } } });
    expect([workedOn(world), askedOf(world).length, world.state.gates.size]).toEqual([2, 1, 1]);
    expect(toldIn(present(askedOf(world)[0], 'ask'))).toContain('"answer":"there"');
  });
});
