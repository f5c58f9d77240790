// `{{ summary }}` gives a step a summary of all earlier results, within the allowance of the run.

import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import { defaultRunBudget } from '../../src/budget/limits.ts';
import { estimateTokens } from '../../src/context/tokens.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { Work } from '../../src/runtime/ports/work.ts';
import { World, type WorldOptions } from '../../src/testing/world.ts';
import { type StepSketch, templateOf } from './template-of.ts';

const budget = { wallClock: 100_000_000, limit: { ...defaultRunBudget.limit, steps: 2_000 } };
const told = { input: { summary: '{{ summary }}' } };
const failed: EffectOutcome = bad({ code: 'CAPABILITY_THREW', message: 'bad luck', retry: 'never' });

function summaryOf({ performed }: World, step: string): JsonObject {
  const input = performed.find((work) => work.step === step)?.input as JsonObject;
  return input.summary as JsonObject;
}

function run(steps: readonly StepSketch[], perform: WorldOptions['perform'] = answer): World {
  return new World(templateOf({ steps, budget }), { perform }).begin().run();
}

function answer({ step }: Work): EffectOutcome {
  return good({ from: step });
}

/** A result of a few hundred tokens. */
function report({ step }: Work): EffectOutcome {
  const rows: Json = Array.from({ length: 40 }, (_, row) => ({
    row,
    of: step,
    note: `what ${step} found in row ${row}`,
  }));
  return good({ from: step, rows });
}

function row(length: number): StepSketch[] {
  return Array.from({ length }, (_, at) => ({
    name: `task_${at}`,
    after: at === 0 ? [] : [`task_${at - 1}`],
    onFailure: 'skip',
    ...told,
  }));
}

describe('the rolling summary', () => {
  it('is empty for a step that waits for nothing', () => {
    expect(summaryOf(run([{ name: 'only', ...told }]), 'only')).toEqual({ turns: 0, results: {} });
  });

  it('holds all earlier results, the newest first', () => {
    const world = run(row(3));
    expect(summaryOf(world, 'task_2')).toEqual({
      turns: 2,
      results: { task_1: { from: 'task_1' }, task_0: { from: 'task_0' } },
    });
  });

  it('lists each step of joined branches once', () => {
    const world = run([
      { name: 'a' },
      { name: 'b', after: ['a'] },
      { name: 'c', after: ['a'] },
      { name: 'aside' },
      { name: 'end', after: ['b', 'c'], ...told },
    ]);
    expect(Object.keys(summaryOf(world, 'end').results as JsonObject)).toEqual(['c', 'b', 'a']);
  });

  it('lists failures that were tolerated', () => {
    const world = run(row(2), (work) => (work.step === 'task_0' ? failed : answer(work)));
    expect(summaryOf(world, 'task_1').results).toEqual({ task_0: { failed: 'bad luck' } });
  });

  it('stays within the allowance over a thousand tasks, and counts the tasks that it does not show', () => {
    const context = { strategy: 'contract', maxTokens: 1_000 } as const;
    const world = new World(templateOf({ steps: row(1_000), budget, context }), { perform: report }).begin().run();
    const sizes = world.performed.map(({ input }) => estimateTokens(JSON.stringify((input as JsonObject).summary)));
    expect(sizes).toHaveLength(1_000);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(context.maxTokens);
    const last = summaryOf(world, 'task_999');
    expect(last).toMatchObject({
      turns: 999,
      results: { task_998: { from: 'task_998' } },
      gone: { work: expect.any(Number) },
    });
  });

  it('is the same when another process continues the run', () => {
    const steps = row(12);
    const whole = run(steps, report);
    const template = templateOf({ steps, budget });
    const half = whole.journal.slice(
      0,
      whole.journal.findIndex(({ event }) => event.type === 'step.completed' && event.step === 'task_6') + 1,
    );
    const again = World.over(template, { perform: report }, half, whole.blobs);
    again.tell({ type: 'attach', by: 'test' });
    again.run();
    expect(again.performed.map(({ step }) => step)).toContain('task_9');
    for (const { step } of again.performed) expect(summaryOf(again, step)).toEqual(summaryOf(whole, step));
  });
});
