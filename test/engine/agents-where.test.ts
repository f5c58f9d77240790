// Agents in every kind of step: decisions, convergence steps, syntheses and fan-outs.

import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import { bad, good } from '../../src/base/result.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { AskModel } from '../../src/engine/record/effect.ts';
import type { Work } from '../../src/runtime/ports/work.ts';
import type { AgentSpec } from '../../src/template/keys/agent.ts';
import { World } from '../../src/testing/world.ts';
import { askedOf, calls, inTurn, says, toldIn } from './models-say.ts';
import { agentOf, type StepSketch, templateOf, thinker } from './template-of.ts';

interface Setting {
  readonly steps: readonly StepSketch[];
  readonly model: (asked: AskModel) => EffectOutcome | undefined;
  readonly agent?: Partial<AgentSpec>;
  readonly perform?: (work: Work) => EffectOutcome;
}

const found = ({ step }: Work): EffectOutcome => good({ from: step });

function given({ steps, model, agent = {}, perform = found }: Setting): World {
  const template = templateOf({
    steps,
    models: { default: thinker },
    agents: [agentOf({ name: 'scout', ...agent })],
  });
  return new World(template, { perform: (work) => (work.type === 'ask-model' ? model(work) : perform(work)) })
    .begin()
    .run();
}

const scout = { agent: { name: 'scout' } };
const stepIn = (world: World, id: string) => present(world.state.steps.get(id), id);
const ends = (world: World) =>
  Object.fromEntries([...world.state.steps].map(([id, { status, skipped }]) => [id, skipped ?? status]));
const firstTold = (world: World) => toldIn(present(askedOf(world)[0], 'ask'));

describe('a decision by an agent', () => {
  const steps: readonly StepSketch[] = [
    { name: 'look' },
    {
      name: 'triage',
      type: 'decision',
      after: ['look'],
      decision: { branches: ['simple', 'thorough'] },
      description: 'How bad is it?',
      ...scout,
    },
    { name: 'simple', after: ['triage'], description: 'Pay it back.' },
    { name: 'thorough', after: ['triage'] },
    { name: 'end', type: 'deferred', after: ['simple', 'thorough'] },
  ];

  it('sees the branches, and runs the branches that it names', () => {
    const world = given({ steps, model: () => says({ branches: ['thorough'], why: 'it is large' }) });
    expect(ends(world)).toMatchObject({ simple: 'not_chosen', thorough: 'completed', end: 'completed' });
    expect(firstTold(world)).toMatch(
      /Task: How bad is it\?\n\nDecide which of these run next; .*:\n- simple: Pay it back\.\n- thorough\n.*"from":"look"/s,
    );
    expect(askedOf(world)[0]?.request.answer?.schema).toMatchObject({
      properties: { branches: { items: { enum: ['simple', 'thorough'] } } },
    });
  });

  it('may choose no branch', () => {
    const world = given({ steps, model: () => says({ branches: [] }) });
    expect(ends(world)).toMatchObject({ simple: 'not_chosen', thorough: 'not_chosen', end: 'completed' });
  });

  it('is corrected within the turns when it names an unknown branch', () => {
    const world = given({ steps, model: inTurn(says({ branches: ['simpel'] }), says({ branches: ['simple'] })) });
    expect(ends(world)).toMatchObject({ triage: 'completed', simple: 'completed', thorough: 'not_chosen' });
    expect(askedOf(world)).toHaveLength(2);
  });

  it('must name branches even if the agent has its own contract', () => {
    const output = { type: 'object', properties: { risk: { type: 'integer' } } };
    const world = given({ steps, agent: { output }, model: () => says({ risk: 3 }) });
    expect(stepIn(world, 'triage').failure).toMatchObject({ code: 'DECISION_INVALID' });
  });
});

describe('a synthesis by a model', () => {
  const gate: readonly StepSketch[] = [
    { name: 'one' },
    { name: 'two', critical: false },
    {
      name: 'sum',
      type: 'synthesis_gate',
      after: ['one', 'two'],
      description: 'Sum it up.',
      convergence: { policy: 'all_settled', early: false, onExhaustion: 'converge' },
      ...scout,
    },
  ];
  const breaks = (work: Work): EffectOutcome =>
    work.step === 'two' ? bad({ code: 'CAPABILITY_THREW', message: 'no', retry: 'never' }) : found(work);

  it('sees the results and the absent steps, and counts the tokens in and out', () => {
    const world = given({ steps: gate, model: () => says('One is from one.'), perform: breaks });
    expect(stepIn(world, 'sum').result).toEqual({ value: 'One is from one.' });
    expect(firstTold(world)).toMatch(
      /Task: Sum it up\..*"results":\{"one":\{"from":"one"\}\}.*"absent":\[\{"step":"two"/s,
    );
    expect(world.events.find((event) => event.type === 'step.completed' && event.step === 'sum')).toMatchObject({
      tokens: { in: expect.any(Number), out: expect.any(Number) },
    });
  });

  it('shrinks results to the allowance of its context', () => {
    const large = (work: Work): EffectOutcome => good({ from: work.step, text: 'Much. '.repeat(2_000) });
    const [one, two, sum] = gate;
    const roomy = given({ steps: gate, model: () => says('fine'), perform: large });
    const small = { ...present(sum, 'sum'), context: { maxTokens: 600 } };
    const tight = given({
      steps: [present(one, 'one'), present(two, 'two'), small],
      model: () => says('fine'),
      perform: large,
    });
    expect(firstTold(tight).length).toBeLessThan(firstTold(roomy).length);
    expect(firstTold(tight)).toContain('$cut');
  });

  it('fails even if its failure policy is to skip', () => {
    const [one, two, sum] = gate;
    const lenient = { ...present(sum, 'sum'), onFailure: 'skip' as const, critical: false };
    const world = given({
      steps: [present(one, 'one'), present(two, 'two'), lenient],
      model: () => says('', { finish: 'refusal' }),
    });
    expect(stepIn(world, 'sum')).toMatchObject({ status: 'failed', failure: { code: 'MODEL_REFUSED' } });
  });
});

describe('an agent at a convergence step', () => {
  it('sees the results of the phase, and nothing of the plan itself', () => {
    const fragment = {
      steps: [
        { name: 'a', capability: 'work' },
        { name: 'b', capability: 'work' },
      ],
    };
    const world = given({
      steps: [
        { name: 'plan', planning: { target: 'end' } },
        { name: 'end', type: 'deferred', after: ['plan'], description: 'Say what there is.', ...scout },
      ],
      model: () => says('a and b'),
      perform: (work) => (work.type === 'ask-planner' ? good(fragment) : found(work)),
    });
    expect(stepIn(world, 'end').result).toEqual({ value: 'a and b' });
    expect(firstTold(world)).toMatch(/"results":\{.*plan\.1\/a.*plan\.1\/b/s);
    expect(firstTold(world)).not.toContain('rationale');
  });
});

describe('an agent that a fan-out runs', () => {
  it('calls tools for each item, with separate keys', () => {
    const item: StepSketch = { name: 'map', type: 'task', description: 'Look at it.', ...scout };
    const template = templateOf({ steps: [item] });
    const world = given({
      agent: { tools: ['work'] },
      steps: [
        {
          name: 'map',
          type: 'fan_out',
          fanOut: {
            do: present(template.steps[0], 'item'),
            forEach: ['a', 'b'],
            maxWidth: 2,
            failureStrategy: 'fail_fast',
          },
        },
      ],
      model: ({ request }) => (request.messages.length > 2 ? says('seen') : calls(['work', {}])),
    });
    expect(stepIn(world, 'map').result).toEqual({ value: ['seen', 'seen'] });
    const keys = world.performed.flatMap(({ type, key }) => (type === 'call-capability' ? [key] : []));
    expect(keys).toEqual(['r1/map/0#1.2', 'r1/map/1#1.2']);
  });
});
