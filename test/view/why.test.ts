// The explanation of a step: from its goal to its end.
import { describe, expect, it } from 'vitest';
import { runTree } from '../../src/view/run-tree.ts';
import { treeText } from '../../src/view/tree-text.ts';
import { why } from '../../src/view/why/why.ts';
import { whyText } from '../../src/view/why/why-text.ts';
import {
  asked,
  began,
  completed,
  expanded,
  failed,
  frame,
  grafted,
  mapping,
  mended,
  ragged,
  START,
  tell,
  textOf,
} from './story.ts';

describe('the explanation of a step', () => {
  it('names the goal, the planning step, its rationale and the fragment', () => {
    const { state, events } = ragged();
    expect(why(state, events, 'plan.1/orders').origins).toEqual([
      {
        planner: 'plan',
        goal: 'look at every file of run-1',
        rationale: 'one step per file for plan',
        fragment: 'digest-of-fragment',
        target: 'report',
        depth: 1,
      },
    ]);
  });

  it('keeps the rationale of an empty plan', () => {
    const { state, events, history } = tell(frame, [
      began('ingest'),
      completed('ingest'),
      began('plan'),
      grafted('plan', 'report', []),
      completed('plan'),
    ]);
    const told = why(state, events, 'plan');
    expect(told).toMatchObject({ grew: [], rationale: 'one step per file for plan' });
    expect(textOf(whyText(told))).toContain('grew        nothing\nrationale   one step per file for plan');
    const tree = textOf(treeText(runTree(state, history, START), { columns: 80 }));
    expect(tree).toContain('✓ plan  grew nothing: one step per file for plan');
  });

  it('lists the planning steps of a nested plan, outermost first', () => {
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

  it('says that an authored step is written in the template', () => {
    const { state, events } = ragged();
    expect(textOf(whyText(why(state, events, 'ingest')))).toContain('origin      written in the template');
  });

  it('lists the dependencies of a target, with grafted steps', () => {
    const { state, events } = ragged();
    expect(why(state, events, 'report').dependencies.map(({ step, status }) => `${step} ${status}`)).toEqual([
      'plan completed',
      'plan.1/orders completed',
      'plan.1/broken failed',
    ]);
  });

  it('lists every attempt with its end and its cost', () => {
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
    expect(text).toContain('attempt     1: failed after 1s, 1 tool_call');
    expect(text).toContain('FILE_MISSING: no such folder');
    expect(text).toContain('attempt     2: completed after 1s');
  });

  it('lists the issues of a rejected fragment', () => {
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

  it('lists the branches of a judged convergence', () => {
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
    expect(text).toContain('partial: 1 of 2 branches succeeded (all_settled)');
    expect(text).toContain('plan.1/b failed: CSV_RAGGED: row 4 (in plan.1/a)');
    expect(text).toContain('plan.1/c skipped: tolerated');
  });

  it('names the failure and the failed plan that led to a repair', () => {
    const { state, events } = tell(frame, mended());
    const [origin] = why(state, events, 'plan~2.1/d').origins;
    expect(origin?.repair).toEqual({
      planner: 'plan',
      scope: 'tail',
      trial: 1,
      failing: [{ step: 'plan.1/b', code: 'CSV_RAGGED', message: 'row 4 has 3 fields' }],
      trials: [],
      fragment: 'digest-of-fragment',
      diff: { added: ['d'], removed: ['b', 'c'], changed: [], same: ['a'] },
    });
    const text = textOf(whyText(why(state, events, 'plan~2')));
    expect(text).toContain('the new plan: added d; left out b, c; kept a');
    expect(text).toContain('repairs     the plan of plan, tail, trial 1');
    expect(text).toContain('plan.1/b failed: CSV_RAGGED: row 4 has 3 fields');
  });

  it('names the repair of a failure and its outcome', () => {
    const { state, events } = tell(frame, mended());
    expect(textOf(whyText(why(state, events, 'plan.1/b')))).toContain('taken up    repaired by plan~2');
  });

  it('names the repair that superseded a step', () => {
    const { state, events } = tell(frame, mended());
    expect(textOf(whyText(why(state, events, 'plan.1/c')))).toContain('superseded  by plan~2');
  });

  it('names the step whose work was adopted, and the equal input', () => {
    const { state, events } = tell(frame, mended());
    const text = textOf(whyText(why(state, events, 'plan~2.1/a')));
    expect(text).toContain('adopted     from plan.1/a');
    expect(text).toContain('the same call of work with the same contract and the same input, digest-of-input');
  });

  it('lists every gate with its answer, author and reason', () => {
    const { state, events } = tell(frame, [
      asked('ingest', 'clarification', { prompt: 'Which folder?' }),
      {
        type: 'gate.decided',
        gate: 'g1',
        verdict: 'answer',
        value: { value: 'shop' },
        by: 'ann',
        why: 'it is the new one',
      },
      { type: 'steps.released', steps: ['ingest'] },
      asked('ingest', 'approval', { gate: 'g2' }),
      { type: 'gate.expired', gate: 'g2', outcome: 'reject' },
    ]);
    const text = textOf(whyText(why(state, events, 'ingest')));
    expect(text).toContain('g1 clarification, 2026-09-21 14:13 UTC: Which folder?');
    expect(text).toContain('answered "shop" by ann after 1s: it is the new one');
    expect(text).toContain('nobody answered in 1s: it counts as rejected');
  });

  it('points to both versions of an edited plan', () => {
    const { state, events } = tell(frame, [
      began('ingest'),
      completed('ingest'),
      began('plan'),
      { type: 'plan.proposed', step: 'plan', attempt: 1, reply: { value: { steps: [] } } },
      asked('plan', 'plan_review'),
      { type: 'gate.decided', gate: 'g1', verdict: 'edit', value: { value: { steps: [] } }, by: 'ann' },
    ]);
    expect(textOf(whyText(why(state, events, 'plan')))).toContain(
      'edited (the plan as proposed is event 5, as edited 7) by ann',
    );
  });

  it('lists the orders of operators', () => {
    const { state, events } = tell(frame, [
      began('ingest'),
      { type: 'step.retried', step: 'ingest', by: 'bob', why: 'it hung' },
      { type: 'step.resolved', step: 'ingest', value: { value: 1 }, by: 'ann' },
    ]);
    const text = textOf(whyText(why(state, events, 'ingest')));
    expect(text).toContain('attempt     1: retried after 1s');
    expect(text).toMatch(/^retried {5}by bob, .*: it hung$/m);
    expect(text).toMatch(/^resolved {4}by ann, /m);
  });

  it('shows the index and the size of an item, but not its value', () => {
    const { state, events } = tell(mapping, [
      { type: 'fan_out.expanded', step: 'map', items: [{ value: 'secret' }, { value: [1, 2, 3] }] },
    ]);
    expect(why(state, events, 'map/1').item).toEqual({ of: 'map', index: 1, size: 'a list of 3' });
    const text = textOf(whyText(why(state, events, 'map/0')));
    expect(text).toContain('item        0 of map: 8 characters of JSON');
    expect(text).not.toContain('secret');
  });

  it('counts the items of a fan-out instead of listing them', () => {
    const { state, events } = tell(mapping, [expanded(30), failed('map/7', 'CSV_RAGGED', 'row 4')]);
    const told = why(state, events, 'map');
    expect(told.dependencies).toEqual([]);
    expect(told.grew).toHaveLength(30);
    expect(textOf(whyText(told))).toContain('grew        30 items: 29 ready, 1 failed');
    const none = tell(mapping, [expanded(0)]);
    expect(textOf(whyText(why(none.state, none.events, 'map')))).toContain('grew        0 items');
  });
});
