// Why a step exists: the way from the goal to its end.
import { describe, expect, it } from 'vitest';
import { why } from '../../src/view/why.ts';
import { whyText } from '../../src/view/why-text.ts';
import { began, completed, frame, grafted, ragged, tell, textOf } from './story.ts';

describe('why', () => {
  it('leads from the goal over the planning step and its rationale to the fragment', () => {
    const { state, events } = ragged();
    expect(why(state, events, 'plan.1/orders').origins).toEqual([
      {
        planner: 'plan',
        goal: 'look at every file',
        rationale: 'one step per file for plan',
        fragment: 'digest-of-fragment',
        target: 'report',
        depth: 1,
      },
    ]);
  });

  it('goes through every planning step of a nested plan, outermost first', () => {
    const nested = { name: 'deeper', planning: { target: 'report' } };
    const { state, events } = tell(frame, [
      began('ingest'),
      completed('ingest'),
      began('plan'),
      grafted('plan', 'report', [nested]),
      completed('plan'),
      began('plan.1/deeper'),
      grafted('plan.1/deeper', 'report', [{ name: 'leaf' }]),
      completed('plan.1/deeper'),
    ]);
    const { origins } = why(state, events, 'plan.1/deeper.1/leaf');
    expect(origins.map(({ planner, depth }) => [planner, depth])).toEqual([
      ['plan', 1],
      ['plan.1/deeper', 2],
    ]);
  });

  it('says of an authored step that the template has it', () => {
    const { state, events } = ragged();
    expect(textOf(whyText(why(state, events, 'ingest')))).toContain('origin      written in the template');
  });

  it('lists what a target waited for, what was grafted before it included', () => {
    const { state, events } = ragged();
    expect(why(state, events, 'report').dependencies.map(({ step, status }) => `${step} ${status}`)).toEqual([
      'plan completed',
      'plan.1/orders completed',
      'plan.1/broken failed',
    ]);
  });

  it('tells every attempt with its end and its cost', () => {
    const { state, events } = tell(frame, [
      began('ingest'),
      {
        type: 'attempt.failed',
        step: 'ingest',
        attempt: 1,
        failure: { code: 'FILE_MISSING', message: 'no such folder', retry: 'may' },
        bill: { tool_calls: 1 },
        retryAt: 0,
      },
      began('ingest', { attempt: 2 }),
      completed('ingest'),
    ]);
    const text = textOf(whyText(why(state, events, 'ingest')));
    expect(text).toContain('attempt     1: failed after 1s, 1 tool_calls');
    expect(text).toContain('FILE_MISSING: no such folder');
    expect(text).toContain('attempt     2: completed after 1s');
  });

  it('tells what was wrong with a rejected fragment', () => {
    const { state, events } = tell(frame, [
      began('ingest'),
      completed('ingest'),
      began('plan'),
      {
        type: 'fragment.rejected',
        step: 'plan',
        attempt: 1,
        issues: [
          { code: 'STEP_UNKNOWN', severity: 'error', message: 'no step "x"', path: ['steps', 0, 'dependencies'] },
        ],
      },
    ]);
    expect(textOf(whyText(why(state, events, 'plan')))).toContain('STEP_UNKNOWN at steps[0].dependencies: no step "x"');
  });

  it('names the root cause of a step that did not run', () => {
    const { state, events } = tell(frame, [
      began('ingest'),
      { type: 'step.failed', step: 'ingest', failure: { code: 'FILE_MISSING', message: 'no folder', retry: 'never' } },
      { type: 'step.skipped', step: 'plan', reason: 'upstream', root: 'ingest' },
    ]);
    expect(textOf(whyText(why(state, events, 'plan')))).toContain('root cause  ingest  FILE_MISSING: no folder');
  });

  it('details how a convergence was judged', () => {
    const { state, events } = tell(frame, [
      {
        type: 'convergence.judged',
        step: 'report',
        satisfied: true,
        convergence: {
          expected: 2,
          succeeded: 1,
          failed: [{ step: 'plan.1/b', root: 'plan.1/a', code: 'CSV_RAGGED', message: 'row 4' }],
          skipped: [{ step: 'plan.1/c', reason: 'tolerated' }],
          partial: true,
          reason: 'all_settled',
          by_phase: { plan: { expected: 2, succeeded: 1, failed: 1 } },
        },
      },
    ]);
    const text = textOf(whyText(why(state, events, 'report')));
    expect(text).toContain('fired, partial: 1 of 2 branches succeeded (all_settled)');
    expect(text).toContain('plan.1/b failed: CSV_RAGGED: row 4 (in plan.1/a)');
    expect(text).toContain('plan.1/c skipped: tolerated');
  });
});
