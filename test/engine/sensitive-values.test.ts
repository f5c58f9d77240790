// Sensitive values: a model sees a value that a contract calls sensitive only after a person has agreed.

import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { good } from '../../src/base/result.ts';
import type { Declaration } from '../../src/contract/declaration.ts';
import type { EffectsPolicy } from '../../src/contract/effects-policy.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { AskModel } from '../../src/engine/record/effect.ts';
import type { Work } from '../../src/runtime/ports/work.ts';
import { type GateAnswer, World } from '../../src/testing/world.ts';
import { askedOf, calls, inTurn, says, toldIn } from './models-say.ts';
import { agentOf, type StepSketch, templateOf, thinker, work } from './template-of.ts';

const person: JsonObject = {
  type: 'object',
  required: ['name', 'card'],
  properties: { name: { type: 'string' }, card: { type: 'string', 'x-sensitive': true } },
};
const find: Declaration = { ...work, name: 'person.find', description: 'Finds a person.', output: person };
const ada = { name: 'Ada', card: '4711' };

interface Setting {
  readonly step?: Partial<StepSketch>;
  readonly more?: readonly StepSketch[];
  readonly effects?: EffectsPolicy;
  readonly model?: (asked: AskModel) => EffectOutcome | undefined;
  readonly input?: JsonObject;
  readonly person?: () => GateAnswer | undefined;
}

function given({ step = {}, more = [], effects, model = () => says('fine'), input, person: says_ }: Setting): World {
  const template = {
    ...templateOf({
      steps: [
        { name: 'get', type: 'task', capability: 'person.find' },
        { name: 'tell', type: 'task', agent: { name: 'scout' }, dependencies: ['get'], ...step },
        ...more,
      ],
      models: { default: thinker },
      agents: [agentOf({ name: 'scout', tools: ['person.*'] })],
      capabilities: [work, find],
      ...(effects === undefined ? {} : { effects }),
    }),
    ...(input === undefined ? {} : { input }),
  };
  const perform = (each: Work) => (each.type === 'ask-model' ? model(each) : good(ada));
  return new World(template, {
    perform,
    input: { pin: '1234' },
    ...(says_ === undefined ? {} : { review: says_ }),
  }).begin();
}

const shown = { input: { of: '{{ results.get.card }}' } };
const approve = (): GateAnswer => ({ verdict: 'approve' });
const gatesOf = (world: World) => [...world.state.gates.values()].map(({ kind, prompt }) => ({ kind, prompt }));
const statusOf = (world: World, id: string) => present(world.state.steps.get(id), id).status;

describe('a prompt with sensitive values', () => {
  it('is shown to a person first, and sent when the person agrees', () => {
    const waiting = given({ step: shown }).run();
    expect(gatesOf(waiting)).toEqual([
      {
        kind: 'llm_prompt',
        prompt: 'Step "tell" wants to show the model "default" a sensitive value: results.get.card. May it?',
      },
    ]);
    expect(askedOf(waiting)).toEqual([]);
    const world = given({ step: shown, person: approve }).run();
    expect(statusOf(world, 'tell')).toBe('completed');
    expect(toldIn(present(askedOf(world)[0], 'ask'))).toContain('4711');
  });

  it('is not sent when the person rejects it, and the step fails with the reason', () => {
    const world = given({ step: shown, person: () => ({ verdict: 'reject', why: 'no cards' }) }).run();
    expect(askedOf(world)).toEqual([]);
    expect(world.state.steps.get('tell')?.failure).toMatchObject({ code: 'GATE_REJECTED' });
    expect(world.state.steps.get('tell')?.failure?.message).toContain('no cards');
  });

  it.each<[string, Partial<StepSketch>, boolean]>([
    ['a whole result with a sensitive part', { input: { of: '{{ results.get }}' } }, true],
    [
      'an expression that reads the sensitive part',
      { input: { of: { $lisp: '(get-in data/results ["get" "card"])' } } },
      true,
    ],
    ['another part of the result', { input: { of: '{{ results.get.name }}' } }, false],
    ['results as a packet shows them, without sensitive parts', {}, false],
  ])('needs an approval with %s', (_, step, asks) => {
    expect(gatesOf(given({ step }).run())).toHaveLength(asks ? 1 : 0);
  });

  it('needs an approval with a sensitive input of the run', () => {
    const input = { type: 'object', properties: { pin: { type: 'string', 'x-sensitive': true } } };
    const world = given({ input, step: { input: { pin: '{{ input.pin }}' } } });
    expect(gatesOf(world.run())).toMatchObject([{ prompt: expect.stringContaining('input.pin') }]);
  });

  it('needs an approval with a sensitive result of a tool, and the tool is not called again', () => {
    const model = inTurn(calls(['person_find', {}]), says('fine'));
    const waiting = given({ model }).run();
    expect(gatesOf(waiting)).toMatchObject([{ prompt: expect.stringContaining('person.find') }]);
    expect(askedOf(waiting)).toHaveLength(1);
    const world = given({ model: inTurn(calls(['person_find', {}]), says('fine')), person: approve }).run();
    expect(statusOf(world, 'tell')).toBe('completed');
    const found = world.performed.filter((each) => each.type === 'call-capability' && each.step === 'tell');
    expect(found).toHaveLength(1);
  });

  it('needs one approval for the same values, also when the request is retried', () => {
    const world = given({
      step: {
        ...shown,
        output: { type: 'object' },
        onFailure: 'retry',
        retry: { maxAttempts: 3, backoff: 'none', base: 0, max: 0, jitter: 0 },
      },
      model: inTurn(...Array.from({ length: 5 }, () => says('no map')), says({ done: true })),
      person: approve,
    }).run();
    expect(askedOf(world).length).toBeGreaterThan(5);
    expect(statusOf(world, 'tell')).toBe('completed');
    expect(gatesOf(world)).toHaveLength(1);
  });

  it('needs no further approval after a grant for the run', () => {
    const other = { name: 'more', type: 'task', agent: { name: 'scout' }, dependencies: ['tell'], ...shown } as const;
    const world = given({
      step: shown,
      more: [other],
      person: () => ({ verdict: 'approve', grant: 'capability' }),
    }).run();
    expect(gatesOf(world)).toHaveLength(1);
    expect(statusOf(world, 'more')).toBe('completed');
  });

  it('needs no approval when the template allows the effect llm', () => {
    const world = given({ step: shown, effects: { allowed: ['llm'], denied: [], approval: [] } }).run();
    expect(gatesOf(world)).toEqual([]);
    expect(askedOf(world)).toHaveLength(1);
  });
});
