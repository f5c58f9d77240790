// The tree of a run: its nesting, the remarks about each step, and folding on short terminals.
import { describe, expect, it } from 'vitest';
import type { Event } from '../../src/engine/record/event.schema.ts';
import { plainText, widthOf } from '../../src/view/line.ts';
import { runTree } from '../../src/view/run-tree.ts';
import { rowsWithStatus, statusFilters, treeRows } from '../../src/view/tree-rows.ts';
import { foldedTreeText, treeText } from '../../src/view/tree-text.ts';
import {
  asked,
  began,
  broken,
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

const NOW = START + 60_000;

describe('the tree of a run', () => {
  it('lists authored steps in order, and grafted steps under their planning step', () => {
    const { state, history } = ragged();
    const tree = runTree(state, history, NOW);
    expect(tree.map(({ id }) => id)).toEqual(['ingest', 'plan', 'report']);
    expect(tree[1]?.steps.map(({ name }) => name)).toEqual(['orders', 'broken']);
  });

  it('counts the duration of a step from its first attempt to its end', () => {
    const { state, history } = ragged();
    expect(runTree(state, history, NOW)[0]?.duration).toBe(1_000);
  });

  it('counts the duration of a running step up to now', () => {
    const { state, history } = tell(frame, [began('ingest')]);
    expect(runTree(state, history, NOW)[0]).toMatchObject({ status: 'running', duration: 59_000 });
  });

  it('names the step because of which another did not run', () => {
    const { state, history } = tell(frame, [
      began('ingest'),
      { type: 'step.failed', step: 'ingest', failure: { code: 'FILE_MISSING', message: 'no folder', retry: 'never' } },
      { type: 'step.skipped', step: 'plan', reason: 'upstream', root: 'ingest' },
    ]);
    expect(textOf(treeText(runTree(state, history, NOW), { columns: 80 }))).toContain(
      '– plan  skipped (upstream)  because of ingest',
    );
  });
});

describe('the tree as text', () => {
  it('shows the sign, the state and the failure of each step', () => {
    const { state, history } = ragged();
    expect(textOf(treeText(runTree(state, history, NOW), { columns: 80 })).split('\n')).toEqual([
      '✓ ingest  work  1s',
      '✓ plan  grew 2 steps  planning  2s',
      '  ✓ orders  work  1s  verified',
      '  ✗ broken  failed  1s  CSV_RAGGED: row 4 has 3 fields',
      '✓ report  1 of 2 branches, partial  work  1s',
    ]);
  });

  it('never exceeds its columns', () => {
    const { state, history } = ragged();
    for (const columns of [10, 20, 33]) {
      for (const line of treeText(runTree(state, history, NOW), { columns }))
        expect(widthOf(line)).toBeLessThanOrEqual(columns);
    }
  });

  it('folds ended steps before running ones', () => {
    const steps = Array.from({ length: 30 }, (_, index) => ({ name: `step_${index}` }));
    const { state, history } = tell(frame, [
      began('ingest'),
      completed('ingest'),
      began('plan'),
      grafted('plan', 'report', steps),
      completed('plan'),
      began('plan.1/step_29'),
    ]);
    const lines = treeText(runTree(state, history, NOW), { columns: 80, rows: 10 }).map(plainText);
    expect(lines.length).toBeLessThanOrEqual(10);
    expect(lines.some((line) => line.includes('step_29'))).toBe(true);
    expect(lines.some((line) => line.includes('… 29 ready'))).toBe(true);
  });

  it('never exceeds its rows', () => {
    const { state, history } = ragged();
    for (const rows of [1, 2, 3, 4]) {
      expect(treeText(runTree(state, history, NOW), { columns: 80, rows }).length).toBeLessThanOrEqual(rows);
    }
  });

  it('names the gate that holds a step', () => {
    const { state, history } = tell(frame, [asked('ingest', 'approval')]);
    expect(textOf(treeText(runTree(state, history, NOW), { columns: 80 }))).toContain('? ingest  held: g1 approval');
  });

  it('puts a repair under the repaired planning step, and folds superseded steps', () => {
    const { state, history } = tell(frame, mended());
    expect(textOf(treeText(runTree(state, history, NOW), { columns: 90 })).split('\n')).toEqual([
      '✓ ingest  work  1s',
      '✓ plan  grew 3 steps  planning  2s',
      '  ✓ a  work  1s',
      '  ✗ b  failed  repaired by plan~2  3s  CSV_RAGGED: row 4 has 3 fields',
      '  … 1 superseded',
      '  ✓ plan~2  repairs b  grew 2 steps  planning  2s',
      '    ✓ a  adopted from plan.1/a  work',
      '    ✓ d  work  1s',
      '· report  waiting',
    ]);
  });

  it('shows whether a repair is under way or has failed', () => {
    const told = (more: readonly Event[]): string => {
      const { state, history } = tell(frame, [...broken(), ...more]);
      return textOf(treeText(runTree(state, history, NOW), { columns: 90 }));
    };
    expect(told([])).toContain('✗ b  failed  plan~2 repairs it');
    expect(told([began('plan~2'), failed('plan~2', 'PLAN_INVALID', 'no plan')])).toContain(
      '✗ b  failed  its repair plan~2 failed',
    );
    const planned = [began('plan~2'), grafted('plan~2', 'report', [{ name: 'd' }]), completed('plan~2')];
    expect(told(planned)).toContain('plan~2 repairs it');
    expect(told([...planned, failed('plan~2.1/d', 'CSV_RAGGED', 'again')])).toContain(
      'what its repair plan~2 planned failed',
    );
  });

  it('shows a fan-out by counts, first items, and failed or running items', () => {
    const { state, history } = tell(mapping, [
      expanded(12),
      ...Array.from({ length: 10 }, (_, index) => completed(`map/${index}`)),
      failed('map/10', 'CSV_RAGGED', 'row 4'),
      began('map/11'),
    ]);
    expect(textOf(treeText(runTree(state, history, NOW), { columns: 80 })).split('\n')).toEqual([
      '· map  waits for its items  12 items: 10 completed, 1 failed, 1 running',
      '  ✓ 0  work',
      '  ✓ 1  work',
      '  ✓ 2  work',
      '  ✗ 10  failed  CSV_RAGGED: row 4',
      '  ● 11  running  work  47s',
      '  … 7 completed',
      '· end  waiting',
    ]);
  });

  it('marks a fan-out with an empty list', () => {
    const told = (...events: Event[]): string => {
      const { state, history } = tell(mapping, events);
      return textOf(treeText(runTree(state, history, NOW), { columns: 80 }));
    };
    expect(told(expanded(0), completed('map'))).toContain('✓ map  0 items');
    expect(told()).not.toContain('items');
  });

  it('names the operator who supplied a result', () => {
    const { state, history } = tell(frame, [
      { type: 'step.resolved', step: 'ingest', value: { value: 1 }, by: 'bob', why: 'the folder is gone' },
    ]);
    expect(textOf(treeText(runTree(state, history, NOW), { columns: 80 }))).toContain('✓ ingest  resolved by bob');
  });

  it('removes control characters from messages', () => {
    const { state, history } = tell(frame, [
      began('ingest'),
      {
        type: 'step.failed',
        step: 'ingest',
        failure: { code: 'FILE_MISSING', message: 'no \u001b[2J\u202efile\nat all', retry: 'never' },
      },
    ]);
    const text = textOf(treeText(runTree(state, history, NOW), { columns: 80 }));
    expect(text).not.toMatch(/\p{Cc}(?<!\n)|\p{Bidi_Control}/u);
    expect(text.split('\n').length).toBe(3);
  });
});

describe('the rows of a table of steps', () => {
  it('are the whole tree, or the steps with one status together with their phase', () => {
    const { state, history } = ragged();
    const rows = treeRows(runTree(state, history, NOW));
    expect(rows.map(({ step, depth }) => [step.name, depth])).toEqual([
      ['ingest', 0],
      ['plan', 0],
      ['orders', 1],
      ['broken', 1],
      ['report', 0],
    ]);
    const failures = rowsWithStatus(rows, state, 'failed');
    expect(failures.map(({ step, within }) => [step.name, within?.name])).toEqual([['broken', 'plan']]);
  });

  it('are filed under failures also if the failure was tolerated, and under steps that did not run otherwise', () => {
    const failure = { code: 'CSV_RAGGED', message: 'row 4', retry: 'never' } as const;
    const { state, history } = tell(frame, [
      began('ingest'),
      { type: 'step.skipped', step: 'ingest', reason: 'tolerated', failure },
      { type: 'step.skipped', step: 'plan', reason: 'budget' },
    ]);
    const rows = treeRows(runTree(state, history, NOW));
    expect(rowsWithStatus(rows, state, 'failed').map(({ step }) => step.name)).toEqual(['ingest']);
    expect(rowsWithStatus(rows, state, 'not_run').map(({ step }) => step.name)).toEqual(['plan']);
  });

  it('can be filtered by each status that occurs, and by failures even if nothing failed', () => {
    const { state, history } = ragged();
    const filters = statusFilters(treeRows(runTree(state, history, NOW)), state);
    expect(filters[0]).toEqual({ status: 'failed', count: 1 });
    expect(filters.reduce((sum, { count }) => sum + count, 0)).toBe(5);
    const early = tell(frame, []);
    const first = statusFilters(treeRows(runTree(early.state, early.history, NOW)), early.state);
    expect(first[0]).toEqual({ status: 'failed', count: 0 });
  });
});

describe('the folded tree', () => {
  const names = Array.from({ length: 60 }, (_, index) => `step_${index}`);
  const grown = (count: number, more: readonly Event[] = []) => {
    const shown = names.slice(0, count);
    const { state, history } = tell(frame, [
      began('ingest'),
      completed('ingest'),
      began('plan'),
      grafted(
        'plan',
        'report',
        shown.map((name) => ({ name })),
      ),
      completed('plan'),
      ...shown.slice(3, count - 10).flatMap((name) => [began(`plan.1/${name}`), completed(`plan.1/${name}`)]),
      ...more,
    ]);
    return runTree(state, history, NOW);
  };
  const moving = [
    began('plan.1/step_0'),
    failed('plan.1/step_0', 'CSV_RAGGED', 'row 4'),
    began('plan.1/step_1'),
    asked('plan.1/step_2', 'approval'),
  ];

  it('shows a small run whole, and a large one as what failed, runs or asks, with the number of the others', () => {
    expect(foldedTreeText(grown(30, moving), 80, '--all')).toMatchObject({ folded: 0, lines: { length: 33 } });
    const { lines, folded } = foldedTreeText(grown(60, moving), 80, '--all');
    expect(lines.map((line) => plainText(line).split('  ').filter(Boolean).slice(0, 2).join('  '))).toEqual([
      '✓ ingest  work',
      '✓ plan  grew 60 steps',
      '✗ step_0  failed',
      '● step_1  running',
      '? step_2  held: g1 approval',
      '… 47 completed, 10 ready (--all)',
      '· report  waiting',
    ]);
    expect(folded).toBe(57);
  });

  it('shows every step without an option that opens it, superseded ones and all items too', () => {
    expect(foldedTreeText(grown(60), 80, undefined)).toMatchObject({ folded: 0, lines: { length: 63 } });
    const { state, history } = tell(frame, mended());
    const text = textOf(foldedTreeText(runTree(state, history, NOW), 90, undefined).lines);
    expect(text).toContain('⊘');
    expect(text).not.toContain('…');
  });
});
