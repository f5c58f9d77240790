// No run makes more model requests than `explain` bounds, however badly the models answer.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import type { Json } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import { limitable, quantity } from '../../src/budget/amount.ts';
import { boundOf } from '../../src/engine/bound/bound.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { AskModel } from '../../src/engine/record/effect.ts';
import type { ModelProfile } from '../../src/model/profile.ts';
import type { Template } from '../../src/template/template.ts';
import { World } from '../../src/testing/world.ts';
import { dice } from './dice.ts';
import { plans } from './models-say.ts';
import { RUNS } from './random-worlds.ts';
import { agentOf, type StepSketch, templateOf, thinker } from './template-of.ts';

/** The model's context window is known, so that its requests are bounded. */
const bounded: ModelProfile = { ...thinker, contextWindow: 12_000 };

interface Sketch {
  readonly template: Template;
  readonly seed: number;
  /** The share of useless answers, and of answers that are worse than the last. */
  readonly trouble: number;
}

const retry = (maxAttempts: number) => ({ maxAttempts, backoff: 'none' as const, base: 0, max: 0, jitter: 0 });

const sketches: fc.Arbitrary<Sketch> = fc
  .record({
    seed: fc.nat(),
    trouble: fc.oneof(fc.constantFrom(0, 0.9), fc.double({ min: 0, max: 1, noNaN: true })),
    phases: fc.integer({ min: 1, max: 2 }),
    proposals: fc.integer({ min: 1, max: 3 }),
    tries: fc.integer({ min: 1, max: 3 }),
    maxTurns: fc.integer({ min: 1, max: 4 }),
    judged: fc.boolean(),
    sumsUp: fc.boolean(),
    criticised: fc.constantFrom(undefined, 'on' as const, 'strict' as const),
    maxRetries: fc.nat(4),
    deliveries: fc.integer({ min: 1, max: 3 }),
    replans: fc.nat(1),
    nests: fc.boolean(),
    /** When nothing may grow, the bound counts the authored steps and is close. */
    fragmentSteps: fc.constantFrom(0, 0, 3),
  })
  .map(
    ({
      seed,
      trouble,
      phases,
      proposals,
      tries,
      maxTurns,
      judged,
      sumsUp,
      criticised,
      maxRetries,
      deliveries,
      replans,
      nests,
      fragmentSteps,
    }) => {
      const judge = judged ? { judge: {} } : {};
      const again = { onFailure: 'retry' as const, retry: retry(tries), critical: false, maxDeliveries: deliveries };
      const planners: StepSketch[] = Array.from({ length: phases }, (_, i) => ({
        name: `p${i}`,
        maxDeliveries: deliveries,
        after: [i === 0 ? 'look' : `p${i - 1}`],
        ...(sumsUp ? { context: { strategy: 'summary' as const, maxTokens: 900 } } : {}),
        planning: { target: i === phases - 1 ? 'end' : `p${i + 1}`, planner: { kind: 'llm' }, maxAttempts: proposals },
        ...(i === 0 ? {} : { convergence: { policy: 'all_settled', early: false, onExhaustion: 'converge' } }),
      }));
      const template = templateOf({
        steps: [
          { name: 'look', agent: { name: 'scout' }, ...again, ...judge, onVerificationFailure: 'retry' },
          ...planners,
          {
            name: 'end',
            type: 'synthesis_gate',
            maxDeliveries: deliveries,
            agent: { name: 'default' },
            after: [`p${phases - 1}`],
            convergence: { policy: 'all_settled', early: false, onExhaustion: 'converge' },
          },
        ],
        models: { default: { ...bounded, maxRetries } },
        agents: [agentOf({ name: 'scout', tools: ['*'], maxTurns })],
        ...(criticised === undefined ? {} : { criticModel: 'default' }),
        ...(criticised === 'strict' ? { critic: 'strict' as const } : {}),
        budget: {
          limit: { phases: phases + (nests ? 1 : 0), replans },
          fragmentSteps,
          planningDepth: nests ? 2 : 1,
          wallClock: 1e9,
          landingReserve: 0,
        },
      });
      return { template, seed, trouble };
    },
  );

/** Bills are left out, so that each call is charged its whole reservation. */
function answers({ seed, trouble }: Sketch, { step, attempt, call, purpose }: AskModel): EffectOutcome {
  const luck = dice(seed, 'luck', step, attempt, call);
  const mood = dice(seed, 'mood', step, attempt, call);
  if (luck < trouble / 2) {
    // A server that does not support a request format is asked in another one.
    const code = mood < 0.5 ? 'MODEL_FORMAT_UNSUPPORTED' : 'MODEL_UNAVAILABLE';
    const failed = bad({ code, message: 'no', retry: mood < 0.98 ? ('may' as const) : ('never' as const) });
    // A refused feature and a refused connection cost nothing.
    return mood < 0.6 ? { ...failed, bill: {} } : failed;
  }
  const says = (value: Json, finish = 'stop'): EffectOutcome =>
    good({ text: typeof value === 'string' ? value : JSON.stringify(value), finish, usage: { input: 1, output: 1 } });
  if (luck < trouble) return mood < 0.5 ? says('', 'length') : callsTools(purpose);
  if (purpose === 'critic') return says({ remarks: mood < 0.5 ? [] : [{ step: '', says: `${mood}`, instead: '' }] });
  if (purpose === 'judge') return says({ passes: mood < 0.5, diagnosis: 'more' });
  return purpose === 'plan' ? says(fragment(seed, step, attempt, mood)) : says('x'.repeat(6_000));
}

function callsTools(purpose: AskModel['purpose']): EffectOutcome {
  const name = purpose === 'plan' ? 'fetch_context' : 'work';
  const toolCalls = Array.from({ length: 9 }, (_, at) => ({ id: `c${at}`, name, arguments: { ref: 'look#1' } }));
  return good({ text: '', finish: 'tool_calls', toolCalls, usage: { input: 1, output: 1 } });
}

/** A plan whose steps ask models too, with as many retries as a plan may have. */
function fragment(seed: number, step: string, attempt: number, mood: number): Json {
  if (mood < 0.15) return { steps: [{ name: 'a', capability: 'wrok' }] };
  const doers: Json[] = [{ agent: 'scout' }, { capability: 'work', judge: true }, { agent: 'default', judge: true }];
  const width = 1 + Math.floor(dice(seed, 'width', step, attempt) * 3);
  const steps = Array.from({ length: width }, (_, i) => ({
    name: `t${i}`,
    ...(doers[Math.floor(dice(seed, 'doer', step, i) * doers.length)] as object),
    critical: false,
    on_failure: 'retry',
    on_verification_failure: 'retry',
    retry: { max_attempts: 2, backoff: 'none', base: '0s', jitter: 0 },
  }));
  const nested = { name: 'more', type: 'planning', goal: 'more', context: { strategy: 'summary', max_tokens: 900 } };
  return JSON.parse(JSON.stringify({ steps: mood > 0.7 ? [...steps, nested] : steps }));
}

function played(sketch: Sketch): World {
  const { template } = sketch;
  return new World(template, {
    perform: (work) => {
      if (work.type === 'ask-model') return answers(sketch, work);
      return work.type === 'ask-planner' ? plans(template, work) : good({ text: 'y'.repeat(3_000) });
    },
  }).begin();
}

const rowsOf = (template: Template) => new Map(boundOf(template).map((row) => [row.resource, row]));

describe('the number of model requests', () => {
  it('is bounded by the template alone, and no run exceeds the bound', () => {
    let asked = 0;
    fc.assert(
      fc.property(sketches, (sketch) => {
        const { state, attempts } = played(sketch).run();
        const { spent } = present(state.ledger.accounts.get('run'), 'run');
        const rows = rowsOf(sketch.template);
        expect(rows.get('llm_calls')).toMatchObject({ binds: 'the template', bound: expect.any(Number) });
        for (const of of limitable) {
          const most = rows.get(of)?.bound ?? Number.POSITIVE_INFINITY;
          expect(quantity(spent, of), of).toBeLessThanOrEqual(most);
        }
        expect(attempts).toBeLessThanOrEqual(rows.get('attempts')?.bound ?? 0);
        asked += quantity(spent, 'llm_calls');
      }),
      { numRuns: RUNS },
    );
    expect(asked).toBeGreaterThan(RUNS * 5);
  });

  it('is bounded across any number of crashes', () => {
    fc.assert(
      fc.property(sketches, fc.array(fc.nat(40), { maxLength: 3 }), (sketch, crashes) => {
        const world = played(sketch);
        for (const after of crashes) {
          for (let i = 0; i < after; i++) world.step();
          if (world.state.status === 'running') world.crash(0);
        }
        world.run();
        const { spent } = present(world.state.ledger.accounts.get('run'), 'run');
        const most = rowsOf(sketch.template).get('llm_calls')?.bound ?? 0;
        expect(quantity(spent, 'llm_calls')).toBeLessThanOrEqual(most);
      }),
      { numRuns: RUNS / 5 },
    );
  });
});
