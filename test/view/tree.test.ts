// The tree of a run: what stands under what, what is said of each step, and what gives way when room is short.
import { describe, expect, it } from 'vitest';
import { plainText, widthOf } from '../../src/view/line.ts';
import { runTree } from '../../src/view/run-tree.ts';
import { treeText } from '../../src/view/tree-text.ts';
import { began, completed, frame, grafted, ragged, START, tell, textOf } from './story.ts';

const NOW = START + 60_000;

describe('the tree of a run', () => {
  it('has the authored steps in order and under a planning step what it grafted', () => {
    const { state, history } = ragged();
    const tree = runTree(state, history, NOW);
    expect(tree.map(({ id }) => id)).toEqual(['ingest', 'plan', 'report']);
    expect(tree[1]?.steps.map(({ name }) => name)).toEqual(['orders', 'broken']);
  });

  it('counts the duration of a step from its first attempt to its end', () => {
    const { state, history } = ragged();
    expect(runTree(state, history, NOW)[0]?.duration).toBe(1_000);
  });

  it('counts the duration of what still runs up to now', () => {
    const { state, history } = tell(frame, [began('ingest')]);
    expect(runTree(state, history, NOW)[0]).toMatchObject({ status: 'running', duration: 59_000 });
  });

  it('names the step whose end kept another from running', () => {
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
  it('says of each step its sign, its state and why it failed', () => {
    const { state, history } = ragged();
    expect(textOf(treeText(runTree(state, history, NOW), { columns: 80 })).split('\n')).toEqual([
      '✓ ingest  work  1s',
      '✓ plan  grew 2 steps  planning  2s',
      '  ✓ orders  work  1s  verified',
      '  ✗ broken  failed  1s  CSV_RAGGED: row 4 has 3 fields',
      '✓ report  1 of 2 branches, partial  work  1s',
    ]);
  });

  it('never exceeds the columns it is given', () => {
    const { state, history } = ragged();
    for (const columns of [10, 20, 33]) {
      for (const line of treeText(runTree(state, history, NOW), { columns }))
        expect(widthOf(line)).toBeLessThanOrEqual(columns);
    }
  });

  it('folds what is done before it hides what runs', () => {
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

  it('stays within its rows whatever the run', () => {
    const { state, history } = ragged();
    for (const rows of [1, 2, 3, 4]) {
      expect(treeText(runTree(state, history, NOW), { columns: 80, rows }).length).toBeLessThanOrEqual(rows);
    }
  });

  it('lets no message steer the terminal', () => {
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
