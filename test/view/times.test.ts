// The times of steps, attempts and calls, the burn and the critical path, on runs that are written by hand.
import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import type { Event } from '../../src/engine/record/event.schema.ts';
import type { Template } from '../../src/template/template.ts';
import { spentAt } from '../../src/view/times/burn.ts';
import { criticalPath } from '../../src/view/times/critical-path.ts';
import { timesOf } from '../../src/view/times/run-times.ts';
import type { StepTimes } from '../../src/view/times/step-times.ts';
import { templateOf } from '../engine/template-of.ts';
import { asked, began, broken, completed, expanded, failed, frame, mapping, mended, START, tell } from './story.ts';

/** Seconds from the start of the run; each event of a story takes one second. */
function inSeconds({ planned, ready, began: first, ended, attempts }: StepTimes) {
  const second = (at: number | undefined): number | undefined => at && (at - START) / 1_000;
  return {
    times: [planned, ready, first, ended].map(second),
    attempts: attempts.map((each) => [second(each.began), second(each.ended), each.failed?.code]),
  };
}

function told(template: Template, events: readonly Event[]) {
  const { state, events: recorded } = tell(template, events);
  const times = timesOf(template, recorded);
  return {
    state,
    times,
    of: (id: string) => inSeconds(present(times.steps.get(id), id)),
    path: criticalPath(state, times),
  };
}

const retryOf = (step: string, attempt: number, after: number): Event => ({
  type: 'attempt.failed',
  step,
  attempt,
  failure: { code: 'TOOL_FAILED', message: 'the source answered 503', retry: 'may' },
  retryAt: START + after * 1_000,
});

describe('the times of a step', () => {
  const pair = templateOf({ steps: [{ name: 'one' }, { name: 'two', after: ['one'] }] });

  it('tell waiting for others, queueing and working apart', () => {
    const { of } = told(pair, [began('one'), completed('one'), began('two'), completed('two')]);
    expect(of('one').times).toEqual([0, 0, 1, 2]);
    expect(of('two')).toEqual({ times: [0, 2, 3, 4], attempts: [[3, 4, undefined]] });
  });

  it('are open while the step waits, is queued or works', () => {
    expect(told(pair, [began('one')]).of('two').times).toEqual([0, undefined, undefined, undefined]);
    expect(told(pair, [began('one'), completed('one')]).of('two').times).toEqual([0, 2, undefined, undefined]);
    expect(told(pair, [began('one')]).of('one').attempts).toEqual([[1, undefined, undefined]]);
  });

  it('have one entry for each attempt, with the reason why it failed', () => {
    const { of } = told(pair, [
      began('one'),
      retryOf('one', 1, 4),
      began('one', { attempt: 2 }),
      { type: 'attempt.lost', step: 'one', attempt: 2 },
      began('one', { attempt: 2, delivery: 2 }),
      failed('one', 'TOOL_FAILED', 'gone'),
    ]);
    expect(of('one')).toEqual({
      times: [0, 0, 1, 6],
      attempts: [
        [1, 2, 'TOOL_FAILED'],
        [3, 4, 'WORKER_LOST'],
        [5, 6, 'TOOL_FAILED'],
      ],
    });
  });

  it('have the calls of each attempt with cost and tokens', () => {
    const call = { step: 'one', attempt: 1, call: 1 } as const;
    const { times } = told(pair, [
      began('one'),
      { type: 'call.started', ...call, kind: 'model', name: 'thinker', request: 'digest' },
      { type: 'call.ended', ...call, bill: { llm_calls: 1, cost_usd: 900, tokens_in: 80, tokens_out: 20 } },
      completed('one', null, { bill: { tool_calls: 1 } }),
    ]);
    const [attempt] = times.steps.get('one')?.attempts ?? [];
    expect(attempt).toMatchObject({
      cost: 900,
      calls: [{ kind: 'model', name: 'thinker', began: START + 2_000, ended: START + 3_000, cost: 900, tokens: 100 }],
    });
    expect(spentAt(times.burn, 'cost_usd', START + 2_999)).toBe(0);
    expect(spentAt(times.burn, 'tokens', START + 3_000)).toBe(100);
    expect(times.burn.tool_calls.points).toEqual([{ at: START + 4_000, spent: 1 }]);
  });

  it('have the gates that held it', () => {
    const reviewed = templateOf({ steps: [{ name: 'agree', type: 'human_review' }] });
    const open = told(reviewed, [asked('agree', 'review')]);
    expect(open.times.steps.get('agree')).toMatchObject({
      began: START + 1_000,
      held: [{ gate: 'g1', began: START + 1_000 }],
    });
    expect(open.path).toEqual(['agree']);
    const { times } = told(reviewed, [
      asked('agree', 'review'),
      { type: 'gate.decided', gate: 'g1', verdict: 'approve', by: 'ann' },
      completed('agree'),
    ]);
    expect(times.steps.get('agree')?.held).toEqual([{ gate: 'g1', began: START + 1_000, ended: START + 3_000 }]);
    expect(times.marks).toEqual([{ kind: 'gate', at: START + 1_000, version: 2, step: 'agree', gate: 'g1' }]);
  });

  it('begin for a grafted step with its plan', () => {
    const { of, times } = told(frame, broken());
    expect(of('plan.1/a').times).toEqual([4, 5, 6, 7]);
    expect(of('plan.1/c').times).toEqual([4, undefined, undefined, 10]);
    expect(of('report').times).toEqual([0, undefined, undefined, undefined]);
    expect(times.marks.map(({ kind, step }) => [kind, step])).toEqual([
      ['replan', 'plan~2'],
      ['failed', 'plan.1/b'],
    ]);
  });

  it('span the items of a fan-out for the fan-out itself', () => {
    const { of, path } = told(mapping, [
      expanded(2),
      began('map/0'),
      began('map/1'),
      completed('map/1'),
      completed('map/0'),
      completed('map'),
      began('end'),
    ]);
    expect(of('map')).toEqual({ times: [0, 0, 1, 6], attempts: [] });
    expect(of('map/1').times).toEqual([1, 1, 3, 4]);
    expect(path).toEqual(['map/0', 'map', 'end']);
  });
});

describe('the critical path', () => {
  it('takes the dependency that ended last, from the end to the beginning', () => {
    const { path } = told(frame, mended());
    expect(path).toEqual(['ingest', 'plan', 'plan.1/b', 'plan~2', 'plan~2.1/d']);
  });

  it('leads to the step that has been at work for the longest time while the run goes on', () => {
    const fan = templateOf({ steps: [{ name: 'one' }, { name: 'two' }, { name: 'end', after: ['one', 'two'] }] });
    expect(told(fan, [began('two'), began('one')]).path).toEqual(['two']);
    expect(told(fan, [began('two'), began('one'), completed('two')]).path).toEqual(['one']);
  });
});

describe('the busy stretches of a run', () => {
  it('are those with an attempt at work', () => {
    const fan = templateOf({ steps: [{ name: 'one' }, { name: 'two' }, { name: 'end', after: ['one', 'two'] }] });
    const { times } = told(fan, [began('two'), began('one'), completed('two'), completed('one'), began('end')]);
    expect(times.busy).toEqual([{ began: START + 1_000, ended: START + 4_000 }, { began: START + 5_000 }]);
    expect(times.mostAtWork).toBe(2);
  });
});

describe('the rests of a run', () => {
  it('are its pauses and the time without a driver', () => {
    const { times } = told(frame, [
      { type: 'run.paused', by: 'ann' },
      { type: 'run.resumed', by: 'ann' },
      { type: 'run.attached', by: 'ann' },
    ]);
    expect(times.rests).toEqual([
      { why: 'paused', began: START + 1_000, ended: START + 2_000 },
      { why: 'away', began: START + 2_000, ended: START + 3_000 },
    ]);
  });
});

describe('the burn of a run', () => {
  it('has the limits and the landing reserve, and each limit that was raised', () => {
    const limited = templateOf({ steps: [{ name: 'one' }], budget: { limit: { cost_usd: 1_000_000 } } });
    const { times } = told(limited, [
      { type: 'budget.raised', account: 'run', limit: { cost_usd: 2_000_000 }, by: 'ann' },
    ]);
    expect(times.burn.cost_usd.limits).toMatchObject([
      { at: START, limit: 1_000_000 },
      { at: START + 1_000, limit: 2_000_000 },
    ]);
    expect(times.burn.tool_calls.points).toEqual([]);
  });
});
