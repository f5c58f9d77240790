// Strategies split a goal into intents: each is tried until one is confident, then a person is asked; large intents are planned further.

import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import type { Json } from '../../src/base/json.ts';
import { good } from '../../src/base/result.ts';
import type { Limit } from '../../src/budget/amount.ts';
import type { Declaration } from '../../src/contract/declaration.ts';

import { boundOf } from '../../src/engine/bound/bound.ts';
import { CHOICE_ASKS } from '../../src/engine/bound/most-model-use.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { AskModel } from '../../src/engine/record/effect.ts';
import type { EventOf } from '../../src/engine/record/event.schema.ts';
import type { Experience } from '../../src/goals/experience.ts';
import type { Strategy } from '../../src/template/keys/pattern.ts';
import type { PlannerSpec } from '../../src/template/step-spec.ts';
import { type GateAnswer, World } from '../../src/testing/world.ts';
import { askedOf, choosesNone, inTurn, plans, says, toldIn } from './models-say.ts';
import { templateOf, thinker, work } from './template-of.ts';

const capability = (
  name: string,
  description: string,
  properties: object,
  effects: Declaration['effects'] = ['read'],
) =>
  ({
    ...work,
    name,
    description,
    effects,
    input: { type: 'object', required: Object.keys(properties), properties, additionalProperties: false },
  }) as Declaration;

const issues = capability('issues.list', 'List the issues of a repository.', { repo: { type: 'string' } });
const files = capability('files.list', 'List the files of a folder.', { folder: { type: 'string' } });
const mail = capability('mail.send', 'Send a mail.', { text: {} }, ['network']);

interface Setting {
  readonly goal: string;
  readonly strategies?: readonly Strategy[];
  readonly planner?: PlannerSpec;
  readonly model?: (asked: AskModel) => EffectOutcome | undefined;
  readonly person?: () => GateAnswer | undefined;
  readonly learned?: Experience;
  readonly maxAttempts?: number;
  /** The model itself answers which tool does a task. */
  readonly chooses?: boolean;
  readonly limit?: Limit;
}

function given({ maxAttempts = 3, limit = {}, ...setting }: Setting): World {
  const { goal, strategies, planner, model, person, learned, chooses = false } = setting;
  const words = { kinds: {}, sequential: false, attachments: [] };
  const hybrid: PlannerSpec = { kind: 'hybrid', ...words, ...(strategies === undefined ? {} : { strategies }) };
  const template = templateOf({
    steps: [
      { name: 'plan', planning: { target: 'end', goal, planner: planner ?? hybrid, maxAttempts } },
      { name: 'end', type: 'deferred', after: ['plan'] },
    ],
    capabilities: [issues, files, mail],
    models: model === undefined ? {} : { default: thinker },
    budget: { fragmentDepth: 10, limit },
  });
  const answer = chooses ? model : model && choosesNone(model);
  return new World(template, {
    perform: (each) => {
      if (each.type === 'ask-model') return answer?.(each);
      return each.type === 'ask-planner' ? plans(template, each) : good({ done: true });
    },
    ...(person === undefined ? {} : { review: person }),
    ...(learned === undefined ? {} : { learned }),
  }).begin();
}

const graftOf = (world: World, planner = 'plan') =>
  present(
    world.journal.flatMap(({ event }) =>
      event.type === 'fragment.grafted' && event.planner === planner ? [event] : [],
    )[0],
    `graft of ${planner}`,
  ) as EventOf<'fragment.grafted'>;
const stepIn = (world: World, id: string) => present(world.state.steps.get(id), id);
const listed = {
  id: 'look',
  does: 'list the issues of acme/site',
  kind: 'call',
  input: { repo: 'acme/site' },
  after: [],
};
const summed = { id: 'sum', does: 'sum them up', kind: 'work', after: ['look'] };
const apart = (confidence: number, ...intents: readonly Json[]) => says({ confidence, intents });

describe('strategies', () => {
  it('are tried in turn until one is confident, and the plan says why the others were not', () => {
    const world = given({
      goal: 'See how acme/site is doing, whatever that takes',
      strategies: ['pattern', 'intent_first', 'grounded'],
      model: inTurn(apart(0.3, listed), apart(0.9, listed, summed), says({ answer: 'fine' })),
    }).run();
    const { intents } = graftOf(world);
    expect(intents?.strategy).toBe('grounded');
    expect(intents?.tried?.map(({ strategy }) => strategy)).toEqual(['pattern', 'intent_first']);
    expect(intents?.tried?.[1]?.why).toBe('its confidence is 0.3, below 0.6');
    expect(graftOf(world).steps.map(({ id }) => id)).toEqual(['plan.1/look', 'plan.1/sum']);
    expect(stepIn(world, 'plan.1/look').spec).toMatchObject({
      capability: 'issues.list',
      input: { repo: 'acme/site' },
    });
  });

  it('ask a person when none is confident', () => {
    const asked: string[] = [];
    const world = given({
      goal: 'See how acme/site is doing, whatever that takes',
      strategies: ['intent_first'],
      model: inTurn(apart(0.3, listed)),
      person: () => {
        asked.push('once');
        return { verdict: 'answer', value: true };
      },
    }).run();
    expect(asked).toEqual(['once']);
    expect([...world.state.gates.values()][0]?.prompt).toMatch(/^Is this what is to be done\?/);
    expect(graftOf(world).steps).toHaveLength(1);
  });

  it('see the nearest tools, or none when they do not use tools', () => {
    const goal = 'See how acme/site is doing, whatever that takes';
    const blind = given({ goal, strategies: ['intent_first'], model: () => apart(0.9, listed) }).run();
    const grounded = given({ goal, strategies: ['grounded'], model: () => apart(0.9, listed) }).run();
    expect(toldIn(present(askedOf(blind)[0], 'ask'))).not.toMatch(/issues\.list/);
    expect(toldIn(present(askedOf(grounded)[0], 'ask'))).toMatch(/issues\.list/);
  });

  it('are chosen with one word for an llm planner', () => {
    const planner: PlannerSpec = { kind: 'llm', strategy: 'grounded' };
    const world = given({
      goal: 'See to it',
      planner,
      model: () => apart(0.9, { ...listed, capability: 'issues.list' }),
    }).run();
    expect(graftOf(world).intents).toMatchObject({
      strategy: 'grounded',
      intents: [{ says: 'list the issues of acme/site', steps: ['look'], chosen: { by: 'named' } }],
    });
  });

  it('let a model correct an answer that is no list of intents, and fall through when it cannot', () => {
    const world = given({
      goal: 'See to it',
      strategies: ['intent_first', 'direct'],
      model: inTurn(
        says('what?'),
        says({ intents: 7 }),
        says({ steps: [{ name: 'look', capability: 'files.list', input: { folder: '.' } }] }),
      ),
    }).run();
    expect(graftOf(world).intents?.tried?.[0]).toMatchObject({ strategy: 'intent_first' });
    expect(graftOf(world).steps.map(({ id }) => id)).toEqual(['plan.1/look']);
  });

  it('rename an argument that a model guessed when the call needs a value, and say so', () => {
    const world = given({
      goal: 'See to it',
      strategies: ['intent_first'],
      model: () => apart(0.9, { ...listed, does: 'list the issues', input: { shop: 'acme/site', mood: 'fine' } }),
    }).run();
    expect(stepIn(world, 'plan.1/look').spec).toMatchObject({ input: { repo: 'acme/site' } });
    expect(graftOf(world).rationale).toMatch(/"shop" is taken for "repo"; .*there is no argument "mood"/);
  });

  it('let a model correct a dependency on an unknown intent', () => {
    const world = given({
      goal: 'See to it',
      strategies: ['intent_first'],
      model: inTurn(
        apart(0.9, listed, { ...summed, after: ['lok'] }),
        apart(0.9, listed, summed),
        says({ answer: 'fine' }),
      ),
    }).run();
    expect(toldIn(present(askedOf(world)[1], 'ask'))).toContain('An intent waits for "lok", and none has this "id"');
    expect(graftOf(world).steps[1]).toMatchObject({ id: 'plan.1/sum', dependencies: ['plan.1/look'] });
  });

  it('refer to earlier intents by id, and wait for them', () => {
    const sent = {
      id: 'tell',
      does: 'send a mail',
      kind: 'call',
      capability: 'mail.send',
      input: { text: '{{ results.look.done }}' },
    };
    const world = given({
      goal: 'See to it',
      strategies: ['grounded'],
      model: () => apart(0.9, sent, { ...listed, capability: 'issues.list' }),
    });
    world.run();
    expect(graftOf(world).steps.map(({ id, dependencies }) => [id, dependencies])).toEqual([
      ['plan.1/look', ['plan']],
      ['plan.1/tell', ['plan.1/look']],
    ]);
  });
});

describe('an intent that is too large', () => {
  const coarse = { id: 'tidy', does: 'tidy up the repository acme/site', kind: 'call', coarse: true, after: ['look'] };
  const after = { id: 'tell', does: 'tell what was done', kind: 'work', after: ['tidy'] };

  it('is planned when it is due, and its dependents wait for its whole plan', () => {
    const world = given({
      goal: 'See to acme/site',
      strategies: ['intent_first'],
      model: inTurn(
        apart(0.9, listed, coarse, after),
        apart(0.9, { ...listed, id: 'again' }, { ...listed, id: 'more', after: ['again'] }),
        says('done'),
      ),
    }).run();
    expect(graftOf(world).intents?.intents[1]).toMatchObject({
      steps: ['plan_tidy', 'tidy'],
      chosen: { by: 'nested' },
    });
    expect(graftOf(world, 'plan.1/plan_tidy')).toMatchObject({
      target: 'plan.1/tidy',
      intents: { goal: 'tidy up the repository acme/site' },
    });
    expect(stepIn(world, 'plan.1/plan_tidy').spec.dependencies).toEqual(['look']);
    expect(stepIn(world, 'plan.1/tell').spec.dependencies).toContain('tidy');
    expect(world.state.ended?.status).toBe('completed');
  });

  it('is refused when it repeats its own goal', () => {
    const world = given({
      goal: 'See to acme/site',
      strategies: ['direct'],
      model: () => says({ steps: [{ name: 'again', type: 'planning', goal: 'see to  acme/site.' }] }),
      maxAttempts: 1,
    }).run();
    const failure = stepIn(world, 'plan').failure;
    expect(failure?.code).toBe('PLAN_INVALID');
    expect(failure?.issues?.map(({ code }) => code)).toContain('PLAN_NO_PROGRESS');
  });

  it('with two verbs in one clause is left to a strategy that can split it', () => {
    const world = given({
      goal: 'List the files of "a". Send and list the mails.',
      strategies: ['pattern', 'direct'],
      model: () => says({ steps: [] }),
    }).run();
    const { intents } = graftOf(world);
    expect(intents?.strategy).toBe('pattern');
    expect(intents?.intents[1]?.chosen).toEqual({ by: 'nested' });
    expect(graftOf(world, 'plan.1/plan_send_and_list_the_mails').intents?.strategy).toBe('direct');
  });
});

describe('the choice of a model', () => {
  const goal = 'See how the repository acme/site is doing';
  const answer = says({ choices: [{ task: 1, capability: 'issues.list', arguments: { repo: 'acme/site' } }] });
  const intent = says({ confidence: 0.9, intents: [{ id: 'a', does: 'see how acme/site is doing', kind: 'call' }] });
  const model = ({ request }: AskModel) => (request.answer?.name === 'choices' ? answer : intent);
  const choosing = (limit: Limit = {}) =>
    given({ goal, strategies: ['intent_first'], model, chooses: true, maxAttempts: 1, limit });

  it('is a separate call, recorded with its prompt and charged', () => {
    const world = choosing().run();
    expect(graftOf(world).intents?.intents[0]?.chosen).toMatchObject({ by: 'model', capability: 'issues.list' });
    const started = world.events.flatMap((event) => (event.type === 'call.started' ? [event] : []));
    expect(started.map(({ step, prompt }) => [step, prompt?.split('@')[0]])).toEqual([
      ['plan', 'intent-first'],
      ['plan', 'choice'],
    ]);
    expect(world.state.ledger.accounts.get('run')?.spent.llm_calls).toBe(2);
  });

  it('is requested once, wherever a crash comes', () => {
    const whole = choosing().run();
    for (let at = 1; at < whole.journal.length; at++) {
      const world = choosing();
      while (world.journal.length < at && world.step());
      world.crash();
      world.run();
      expect(world.state.ended?.status, `crash after ${at} events`).toBe('completed');
      const ended = world.events.filter((event) => event.type === 'call.ended' && event.step === 'plan');
      expect(ended.length, `crash after ${at} events`).toBe(2);
    }
  });

  it('stays within the bound of the run', () => {
    const templateWith = (planner: PlannerSpec) =>
      given({ goal, planner, model, maxAttempts: 1, limit: { replans: 0, phases: 1 } }).state.template;
    const callsOf = (planner: PlannerSpec) =>
      boundOf(templateWith(planner)).find(({ resource }) => resource === 'llm_calls')?.bound ?? 0;
    const hybrid: PlannerSpec = { kind: 'hybrid', kinds: {}, sequential: false, attachments: [] };
    const proposals = 2;
    const deliveries = present(templateWith(hybrid).steps[0], 'plan').maxDeliveries;
    expect(callsOf(hybrid) - callsOf({ kind: 'llm' })).toBe(CHOICE_ASKS * proposals * deliveries);
  });
});

describe('a lesson of earlier runs', () => {
  const tally = (tries: number, succeeded: number) => ({
    ...{ tries, succeeded, attempts: tries, invalid: 0, ms: 0, micro_dollars: 0, codes: {} },
  });
  const goal = 'Explain a, then explain b';
  const learnedOf = (pattern: number, grounded: number): Experience => ({
    capabilities: {},
    intents: {},
    strategies: { few: { pattern: tally(20, pattern), grounded: tally(20, grounded) } },
  });
  const model = () => apart(0.9, listed);

  it('changes the order of the strategies from twenty samples on, and the plan says so', () => {
    const world = given({ goal, strategies: ['pattern', 'grounded'], model, learned: learnedOf(2, 19) }).run();
    expect(graftOf(world).intents).toMatchObject({
      strategy: 'grounded',
      order: 'of goals like this (few): pattern 2 of 20, grounded 19 of 20 succeeded',
    });
  });

  it('keeps the order when the difference is small', () => {
    const world = given({ goal, strategies: ['pattern', 'grounded'], model, learned: learnedOf(19, 19) }).run();
    expect(graftOf(world).intents?.strategy).toBe('pattern');
    expect(graftOf(world).intents).not.toHaveProperty('order');
  });

  it('is kept with the run, so that the run continues the same after a crash', () => {
    const world = given({ goal, strategies: ['pattern', 'grounded'], model, learned: learnedOf(2, 19) }).run();
    const [started] = world.journal;
    expect(started?.event).toHaveProperty('learned');
  });
});
