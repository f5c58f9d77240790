// One budget of tries for each step: failed attempts and failed requests to models take from it.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import { good } from '../../src/base/result.ts';
import { boundOf } from '../../src/engine/bound/bound.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { AskModel } from '../../src/engine/record/effect.ts';
import type { ModelProfile } from '../../src/model/profile.ts';
import { World } from '../../src/testing/world.ts';
import { askedOf, calls, inTurn, says, trouble } from './models-say.ts';
import { agentOf, type StepSketch, templateOf, thinker, work } from './template-of.ts';

const model: ModelProfile = { ...thinker, contextWindow: 8_000 };
const retry = (maxAttempts: number) => ({ maxAttempts, backoff: 'none', base: 0, max: 0, jitter: 0 }) as const;
const broken = trouble('MODEL_UNAVAILABLE');

interface Setting {
  readonly attempts?: number;
  readonly maxRetries?: number;
  readonly step?: Partial<StepSketch>;
  readonly maxTurns?: number;
  readonly models?: Readonly<Record<string, ModelProfile>>;
  readonly model: (asked: AskModel) => EffectOutcome | undefined;
}

function given({ attempts = 1, maxRetries = 2, step = {}, maxTurns = 5, models, model: answer }: Setting): World {
  const template = templateOf({
    steps: [
      {
        name: 'answer',
        type: 'task',
        description: 'Answer.',
        agent: { name: 'scout' },
        maxDeliveries: 1,
        ...(attempts > 1 ? { onFailure: 'retry' as const, onVerificationFailure: 'retry' as const } : {}),
        retry: retry(attempts),
        ...step,
      },
    ],
    models: models ?? { default: { ...model, maxRetries } },
    agents: [agentOf({ name: 'scout', tools: ['work'], maxTurns })],
    capabilities: [work],
    budget: { limit: {} },
  });

  return new World(template, {
    perform: (each) => (each.type === 'ask-model' ? answer(each) : good({})),
  }).begin();
}

const answerOf = (world: World) => present(world.state.steps.get('answer'), 'answer');
const mostCalls = ({ template }: World) =>
  boundOf(template).find(({ resource }) => resource === 'llm_calls')?.bound ?? Number.POSITIVE_INFINITY;

describe('the tries of a step whose model never answers', () => {
  it.each([
    { attempts: 1, maxRetries: 2, asks: 3 },
    { attempts: 3, maxRetries: 2, asks: 3 },
    { attempts: 3, maxRetries: 0, asks: 3 },
    { attempts: 3, maxRetries: 1, asks: 3 },
    { attempts: 2, maxRetries: 5, asks: 6 },
    { attempts: 1, maxRetries: 0, asks: 1 },
  ])('are $asks requests with $attempts attempts and max_retries $maxRetries', ({ attempts, maxRetries, asks }) => {
    const world = given({ attempts, maxRetries, model: () => broken }).run();
    expect(askedOf(world)).toHaveLength(asks);
    expect(answerOf(world)).toMatchObject({ status: 'failed', failure: { code: 'MODEL_UNAVAILABLE', retry: 'never' } });
    expect(answerOf(world).failure?.message).toContain(`${asks === 1 ? '1 try' : `${asks} tries`} of the step failed`);
  });

  it('are used up before an attempt is tried again because of its result', () => {
    const wrong: StepSketch['verification'] = { $lisp: 'false' };
    const world = given({
      attempts: 3,
      step: { verification: wrong },
      model: inTurn(broken, says('a'), says('b'), says('c')),
    }).run();
    // One failed request and two failed attempts.
    expect(answerOf(world)).toMatchObject({ status: 'failed', attempt: 2 });
    expect(askedOf(world)).toHaveLength(3);
  });

  it('last over the turns of an agent: a request may be repeated as long as one is left', () => {
    const search = calls(['work', {}]);
    const two = given({ model: inTurn(broken, search, broken, search, says('done')) }).run();
    expect(answerOf(two).status).toBe('completed');
    const three = given({ model: inTurn(broken, search, broken, search, broken, says('done')) }).run();
    expect(answerOf(three)).toMatchObject({ status: 'failed', failure: { code: 'MODEL_UNAVAILABLE' } });
  });
});

describe('a refused feature', () => {
  it('is no try: the request is sent again, and nothing is charged', () => {
    const refused: EffectOutcome = { ...trouble('MODEL_FORMAT_UNSUPPORTED', { retryAfter: 0 }), bill: {} };
    const answers = [...Array.from({ length: 8 }, () => refused), says('done')];
    const world = given({ maxRetries: 0, model: inTurn(...answers) }).run();
    expect(answerOf(world).status).toBe('completed');
    expect(world.state.ledger.accounts.get('run')?.spent.llm_calls).toBe(1);
  });

  it('ends the step when refusals do not stop', () => {
    const refused: EffectOutcome = { ...trouble('MODEL_FORMAT_UNSUPPORTED', { retryAfter: 0 }), bill: {} };
    const world = given({ model: () => refused }).run();
    expect(answerOf(world)).toMatchObject({ status: 'failed', failure: { code: 'MODEL_FORMAT_UNSUPPORTED' } });
    expect(askedOf(world).length).toBeLessThanOrEqual(20);
  });
});

describe('a refused connection', () => {
  it('costs no model call, and is a try', () => {
    const unreached: EffectOutcome = { ...broken, bill: {} };
    const world = given({ model: () => unreached }).run();
    expect(askedOf(world)).toHaveLength(3);
    expect(world.state.ledger.accounts.get('run')?.spent.llm_calls).toBeUndefined();
    expect(answerOf(world).failure?.message).toContain('3 tries of the step failed');
  });
});

describe('a fallback', () => {
  it('is asked once more in each turn after the tries of the step are used up', () => {
    const models = {
      default: { ...model, maxRetries: 1, fallback: ['backup'] },
      backup: { ...model, model: 'other', maxRetries: 1 },
    };
    const answers = inTurn(calls(['work', {}]), calls(['work', {}]), says('done'));
    const world = given({ models, model: ({ request }) => (request.model === 'default' ? broken : answers()) }).run();
    expect(answerOf(world).status).toBe('completed');
    const asked = askedOf(world).map(({ request }) => request.model);
    expect(asked).toEqual(['default', 'default', 'backup', 'default', 'backup', 'default', 'backup']);
    expect(asked.length).toBeLessThanOrEqual(mostCalls(world));
  });
});

describe('a crash', () => {
  it('leaves the tries as they were: a resumed run counts those before it', () => {
    const world = given({ attempts: 3, step: { maxDeliveries: 3 }, model: () => broken });
    world.step();
    world.step();
    world.step();
    world.crash();
    world.run();
    expect(askedOf(world)).toHaveLength(3);
  });
});

describe('the number of paid model calls', () => {
  it('never exceeds the number that `explain` gives, whatever fails', () => {
    let closest = 0;
    const outcomes = fc.array(fc.constantFrom('broken', 'tools', 'empty', 'wrong', 'right', 'unreached'), {
      minLength: 1,
      maxLength: 40,
    });
    const numbers = fc.record({
      attempts: fc.integer({ min: 1, max: 4 }),
      maxRetries: fc.nat(5),
      maxTurns: fc.integer({ min: 1, max: 4 }),
      judged: fc.boolean(),
      falls: fc.boolean(),
    });
    fc.assert(
      fc.property(outcomes, numbers, (said, { attempts, maxRetries, maxTurns, judged, falls }) => {
        let next = 0;
        const profile = { ...model, maxRetries, ...(falls ? { fallback: ['backup'] } : {}) };
        const world = given({
          attempts,
          maxTurns,
          models: { default: profile, ...(falls ? { backup: { ...model, maxRetries: 1 } } : {}) },
          step: judged ? { judge: { model: 'default' } } : {},
          model: ({ purpose }) => {
            const what = said[next++ % said.length];
            if (what === 'broken') return broken;
            if (what === 'unreached') return { ...broken, bill: {} };
            if (what === 'tools') return calls(['work', {}]);
            if (what === 'empty') return says('');
            if (purpose === 'judge') return says({ passes: what === 'right', diagnosis: 'no' });
            return says('an answer');
          },
        }).run();
        const { llm_calls: paid = 0 } = present(world.state.ledger.accounts.get('run'), 'run').spent;
        const most = mostCalls(world);
        expect(paid).toBeLessThanOrEqual(most);
        closest = Math.max(closest, paid / most);
      }),
      {
        numRuns: 400,
        examples: [
          [
            ['broken', 'tools', 'broken', 'tools', 'right'],
            { attempts: 1, maxRetries: 2, maxTurns: 2, judged: false, falls: false },
          ],
        ],
      },
    );
    // The number is reached, so it is no larger than it must be.
    expect(closest).toBe(1);
  });
});
