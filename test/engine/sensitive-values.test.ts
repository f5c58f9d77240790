// Leave for prompts: what a contract calls sensitive is shown to a model only when a person has agreed.

import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { good } from '../../src/base/result.ts';
import type { Declaration } from '../../src/contract/declaration.ts';
import type { EffectsPolicy } from '../../src/contract/effects-policy.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { AskModel } from '../../src/engine/record/effect.ts';
import type { Work } from '../../src/runtime/ports/work.ts';
import { type Said, World } from '../../src/testing/world.ts';
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
  readonly person?: () => Said | undefined;
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
const approve = (): Said => ({ verdict: 'approve' });
const gatesOf = (world: World) => [...world.state.gates.values()].map(({ kind, prompt }) => ({ kind, prompt }));
const statusOf = (world: World, id: string) => present(world.state.steps.get(id), id).status;

describe('a prompt with what is sensitive', () => {
  it('is shown to a person first, and sent when they agree', () => {
    const waiting = given({ step: shown }).run();
    expect(gatesOf(waiting)).toEqual([
      {
        kind: 'llm_prompt',
        prompt: 'Step "tell" wants to show the model "default" what is sensitive: results.get.card. May it?',
      },
    ]);
    expect(askedOf(waiting)).toEqual([]);
    const world = given({ step: shown, person: approve }).run();
    expect(statusOf(world, 'tell')).toBe('completed');
    expect(toldIn(present(askedOf(world)[0], 'ask'))).toContain('4711');
  });

  it('is not sent when they do not, and the step fails with their words', () => {
    const world = given({ step: shown, person: () => ({ verdict: 'reject', why: 'no cards' }) }).run();
    expect(askedOf(world)).toEqual([]);
    expect(world.state.steps.get('tell')?.failure).toMatchObject({ code: 'GATE_REJECTED' });
    expect(world.state.steps.get('tell')?.failure?.message).toContain('no cards');
  });

  it.each<[string, Partial<StepSketch>, boolean]>([
    ['all of a result of which a part is', { input: { of: '{{ results.get }}' } }, true],
    ['a computed value that looks there', { input: { of: { $lisp: '(get-in data/results ["get" "card"])' } } }, true],
    ['another part of the result', { input: { of: '{{ results.get.name }}' } }, false],
    ['what is shown as a packet shows it, without what is sensitive', {}, false],
  ])('is one that carries %s', (_, step, asks) => {
    expect(gatesOf(given({ step }).run())).toHaveLength(asks ? 1 : 0);
  });

  it('is one that carries the input of the run, where that is', () => {
    const input = { type: 'object', properties: { pin: { type: 'string', 'x-sensitive': true } } };
    const world = given({ input, step: { input: { pin: '{{ input.pin }}' } } });
    expect(gatesOf(world.run())).toMatchObject([{ prompt: expect.stringContaining('input.pin') }]);
  });

  it('is one that carries what a tool of the agent has brought, and the tool is not called again', () => {
    const model = inTurn(calls(['person_find', {}]), says('fine'));
    const waiting = given({ model }).run();
    expect(gatesOf(waiting)).toMatchObject([{ prompt: expect.stringContaining('person.find') }]);
    expect(askedOf(waiting)).toHaveLength(1);
    const world = given({ model: inTurn(calls(['person_find', {}]), says('fine')), person: approve }).run();
    expect(statusOf(world, 'tell')).toBe('completed');
    const found = world.performed.filter((each) => each.type === 'call-capability' && each.step === 'tell');
    expect(found).toHaveLength(1);
  });

  it('is asked about once for the same places, also when it is tried again', () => {
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

  it('is asked about for others too where leave is given for the run', () => {
    const other = { name: 'more', type: 'task', agent: { name: 'scout' }, dependencies: ['tell'], ...shown } as const;
    const world = given({
      step: shown,
      more: [other],
      person: () => ({ verdict: 'approve', grant: 'capability' }),
    }).run();
    expect(gatesOf(world)).toHaveLength(1);
    expect(statusOf(world, 'more')).toBe('completed');
  });

  it('needs nobody where the template allows it', () => {
    const world = given({ step: shown, effects: { allowed: ['llm'], denied: [], approval: [] } }).run();
    expect(gatesOf(world)).toEqual([]);
    expect(askedOf(world)).toHaveLength(1);
  });
});
