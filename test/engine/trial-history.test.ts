// The trial history tells planners every attempt, every plan, and each failure before a success.

import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import type { Json } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { Brief } from '../../src/planning/brief.ts';
import type { Work } from '../../src/runtime/ports/work.ts';
import { defaultReplan } from '../../src/template/step-spec.ts';
import { World } from '../../src/testing/world.ts';
import { agentOf, type StepSketch, templateOf, thinker } from './template-of.ts';

const done = (value: Json): EffectOutcome => good(value);
const timeout: EffectOutcome = bad({ code: 'HTTP_TIMEOUT', message: 'API call timed out', retry: 'may' });
const never = (outcome: EffectOutcome): EffectOutcome =>
  outcome.ok ? outcome : bad({ ...outcome.error, retry: 'never' });

const thrice = { max_attempts: 3, base: '0s' };
const replanned = (name: string, more: object = {}) => ({
  name,
  capability: 'work',
  verification: '(if (number? (:price data/result)) true "Price must be a number")',
  on_failure: 'replan',
  on_verification_failure: 'replan',
  ...more,
});

const frame: readonly StepSketch[] = [
  { name: 'symbol' },
  { name: 'plan', after: ['symbol'], planning: { target: 'end', replan: defaultReplan } },
  { name: 'end', type: 'deferred', after: ['plan'] },
];

function worldOf(plans: Readonly<Record<string, Json>>, answer: (work: Work) => EffectOutcome): World {
  const agents = [agentOf({ name: 'researcher' })];
  return new World(templateOf({ steps: frame, agents, models: { default: thinker } }), {
    perform: (work) => (work.type === 'ask-planner' ? done(present(plans[work.step], work.step)) : answer(work)),
  })
    .begin()
    .run();
}

function briefOf(world: World, step: string): Brief {
  const asked = world.performed.findLast((work) => work.type === 'ask-planner' && work.step === step);
  if (asked?.type !== 'ask-planner') throw new Error(`${step} was not asked`);
  return asked.brief;
}

describe('the trial history', () => {
  it('shows a third plan the calls, inputs and failures of the first plan', () => {
    const world = worldOf(
      {
        plan: {
          rationale: 'the default timeout',
          steps: [replanned('quick', { input: { symbol: '{{ results.symbol.of }}' } })],
        },
        'plan~2': { rationale: 'with backoff', steps: [replanned('patient', { input: { symbol: 'MSFT', wait: 5 } })] },
        'plan~3': { rationale: 'another source', steps: [] },
      },
      ({ step }) => {
        if (step === 'plan.1/quick') return never(timeout);
        return done(step === 'plan~2.1/patient' ? { price: 'unknown' } : { of: 'AAPL' });
      },
    );
    const { repair } = briefOf(world, 'plan~3');
    expect(repair?.trials).toEqual([
      {
        planner: 'plan',
        rationale: 'the default timeout',
        failed: [
          {
            step: 'plan.1/quick',
            capability: 'work',
            input: { symbol: 'AAPL' },
            code: 'HTTP_TIMEOUT',
            message: 'API call timed out',
          },
        ],
      },
    ]);
    expect(repair?.failed).toMatchObject([
      {
        step: 'plan~2.1/patient',
        input: { symbol: 'MSFT', wait: 5 },
        output: { price: 'unknown' },
        message: 'Price must be a number',
      },
    ]);
  });

  it('lists each attempt of a step with its output', () => {
    const world = worldOf(
      { plan: { steps: [replanned('quick', { retry: thrice })] }, 'plan~2': { steps: [] } },
      ({ step, attempt }) => {
        if (step !== 'plan.1/quick') return done({});
        return attempt === 2 ? timeout : done({ price: `try ${attempt}` });
      },
    );
    expect(briefOf(world, 'plan~2').repair?.failed).toMatchObject([
      {
        output: { price: 'try 3' },
        code: 'VERIFICATION_FAILED',
        attempts: [
          { attempt: 1, output: { price: 'try 1' }, code: 'VERIFICATION_FAILED', message: 'Price must be a number' },
          { attempt: 2, code: 'HTTP_TIMEOUT' },
        ],
      },
    ]);
  });

  it('names the agent that failed, and its input', () => {
    const { capability: _, ...step } = replanned('ask', {
      agent: 'researcher',
      input: 'Fetch {{ results.symbol.of }}',
    });
    const usage = { input: 1, output: 1 };
    const world = worldOf({ plan: { steps: [step] }, 'plan~2': { steps: [] } }, ({ type }) =>
      done(type === 'ask-model' ? { text: '{"price": "?"}', finish: 'stop', usage } : { of: 'AAPL' }),
    );
    expect(briefOf(world, 'plan~2').repair?.failed).toMatchObject([
      {
        agent: 'researcher',
        task: 'Fetch symbol.of',
        input: { 'symbol.of': 'AAPL' },
        output: { price: '?' },
      },
    ]);
  });
});

describe('failed attempts of steps that succeeded later', () => {
  it('are shown to the next planner', () => {
    const retry = { maxAttempts: 3, backoff: 'none', base: 0, max: 0, jitter: 0 } as const;
    const world = new World(
      templateOf({
        steps: [
          { name: 'fetch', retry, onFailure: 'retry' },
          { name: 'plan', after: ['fetch'], planning: { target: 'end' } },
          { name: 'end', type: 'deferred', after: ['plan'] },
        ],
      }),
      {
        perform: ({ type, attempt }) =>
          type === 'ask-planner' ? done({ steps: [] }) : attempt < 3 ? timeout : done({}),
      },
    )
      .begin()
      .run();
    expect(briefOf(world, 'plan').packet).toMatchObject({
      failures: [],
      retried: [
        { step: 'fetch', code: 'HTTP_TIMEOUT', message: 'API call timed out', attempts: [1, 2], ended: 'completed' },
      ],
    });
  });
});
