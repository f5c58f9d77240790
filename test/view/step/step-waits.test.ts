// The times of one step at a moment.
import { describe, expect, it } from 'vitest';
import { attemptBars, stepWaits } from '../../../src/view/step/step-waits.ts';
import type { StepTimes } from '../../../src/view/times/step-times.ts';

/** It waits 10, is queued 5, fails after 20, pauses 30, works 40 with a held stretch of 8 inside. */
const times: StepTimes = {
  planned: 0,
  ready: 10,
  began: 15,
  ended: 105,
  attempts: [
    { number: 1, began: 15, ended: 35, failed: { code: 'WEB_DOWN', message: 'answered 503' }, calls: [] },
    { number: 2, began: 65, ended: 105, calls: [{ kind: 'model', name: 'default', began: 70, ended: 90 }] },
  ],
  held: [{ gate: 'g1', began: 92, ended: 100 }],
};

describe('the times of a step', () => {
  it('tell waiting, queueing, pausing, being held and working apart', () => {
    expect(stepWaits(times, 200)).toEqual({ waited: 10, queued: 5, held: 8, paused: 30, worked: 60 });
  });

  it('end at the moment that is looked at', () => {
    expect(stepWaits(times, 5)).toEqual({ waited: 5, queued: 0, held: 0, paused: 0, worked: 0 });
    expect(stepWaits(times, 12)).toEqual({ waited: 10, queued: 2, held: 0, paused: 0, worked: 0 });
    expect(stepWaits(times, 20)).toEqual({ waited: 10, queued: 5, held: 0, paused: 0, worked: 5 });
  });

  it('give each attempt a bar with its state at the moment', () => {
    expect(attemptBars(times, 80)).toEqual([
      { number: 1, began: 15, ended: 35, state: 'failed', code: 'WEB_DOWN', calls: [] },
      { number: 2, began: 65, ended: 80, state: 'running', calls: times.attempts[1]?.calls },
    ]);
    expect(attemptBars(times, 200)[1]?.state).toBe('completed');
    expect(attemptBars(times, 14)).toEqual([]);
  });

  it('count a step that nothing ever began as waiting until it ended', () => {
    expect(stepWaits({ planned: 0, ended: 40, attempts: [], held: [] }, 100)).toMatchObject({ waited: 40, worked: 0 });
  });
});
