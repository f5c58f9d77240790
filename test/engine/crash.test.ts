// A crash at every point of a run in turn: before a batch is durable, after it, and after the effect whose outcome was lost.
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import type { Outcome } from '../../src/engine/command.ts';
import type { RunState } from '../../src/engine/state.ts';
import { type StepSketch, templateOf } from './template-of.ts';
import { type Work, World } from './world.ts';

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

function perform({ type, step, attempt }: Work): Outcome {
  if (type === 'ask-planner') {
    const plans: Record<string, Json[]> = {
      recon: [task('a'), task('b', 'a'), { name: 'c', capability: 'work', critical: false }],
      execute: [task('d'), { name: 'e', capability: 'work', verification: '(pos? (get data/result "n"))' }],
    };
    return { ok: true, value: { rationale: step, steps: plans[step] ?? [] } };
  }
  const breaks = (step === 'flaky' && attempt === 1) || step.endsWith('/c') || step.endsWith('/d');
  if (breaks) return { ok: false, failure: { code: 'CAPABILITY_THREW', message: step, retry: 'may' } };
  return { ok: true, value: { n: step.length, text: step === 'ingest' ? 'x'.repeat(3_000) : step } };
}

const template = templateOf({ steps });
const options = { perform };

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

const straight = new World(template, options).begin().run();
const batches = straight.batches;

describe('a crash', () => {
  it('has a run to strike that is worth it', () => {
    expect(straight.state.ended).toMatchObject({ status: 'completed', partial: true });
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
    },
  );
});
