// The failures of a run with their reasons, one by one and grouped by their cause.
import { describe, expect, it } from 'vitest';
import type { Event } from '../../../src/engine/record/event.schema.ts';
import { failureCountText, failureLines, failuresOf } from '../../../src/view/head/failure-list.ts';
import { plainText } from '../../../src/view/line.ts';
import { began, completed, failed, frame, grafted, mended, tell } from '../story.ts';

const told = (events: readonly Event[]) => failuresOf(tell(frame, events).state);
const textOf = (list: ReturnType<typeof told>, opener?: string) => failureLines(list, opener).map(plainText);

describe('the list of failures', () => {
  it('is empty for a run without failures', () => {
    expect(told([began('ingest'), completed('ingest')])).toEqual({ failures: [], groups: [], others: [] });
  });

  it('names the code, the message, the attempts, and the steps that did not run because of a failure', () => {
    const list = told([
      began('ingest'),
      failed('ingest', 'FILE_MISSING', 'no folder'),
      { type: 'step.skipped', step: 'plan', reason: 'upstream', root: 'ingest' },
      { type: 'step.skipped', step: 'report', reason: 'upstream', root: 'ingest' },
    ]);
    expect(list.failures).toEqual([
      { step: 'ingest', code: 'FILE_MISSING', message: 'no folder', attempts: 1, notRun: ['plan', 'report'] },
    ]);
    expect(failureCountText(list)).toBe('1 step failed; 2 steps did not run because of it');
    expect(textOf(list)).toEqual([
      '✗ ingest  FILE_MISSING: no folder',
      '    after 1 attempt; not run because of it: plan, report',
    ]);
  });

  it('says which repair took a failure over', () => {
    const list = told(mended());
    expect(list.failures).toMatchObject([{ step: 'plan.1/b', takenUp: { by: 'plan~2', outcome: 'repaired' } }]);
    expect(failureCountText(list)).toBe('1 step failed, 1 of them repaired');
    expect(textOf(list)[1]).toContain('repaired by plan~2');
  });

  it('groups many failures by their cause, and folds large groups until all are wanted', () => {
    const names = Array.from({ length: 9 }, (_, index) => `fetch_${index}`);
    const list = told([
      began('ingest'),
      completed('ingest'),
      began('plan'),
      grafted(
        'plan',
        'report',
        names.map((name) => ({ name })),
      ),
      completed('plan'),
      ...names.flatMap((name, index) => [
        began(`plan.1/${name}`),
        failed(`plan.1/${name}`, 'WAREHOUSE_DOWN', `the warehouse answered 503: try again in ${index} s`),
      ]),
    ]);
    expect(list.groups).toEqual([
      { cause: 'the warehouse answered 503', repaired: false, steps: names.map((name) => `plan.1/${name}`) },
    ]);
    const folded = textOf(list, '--all');
    expect(folded[0]).toBe('9 × the warehouse answered 503  WAREHOUSE_DOWN');
    expect(folded).toHaveLength(7);
    expect(folded.at(-1)).toBe('    … 4 more (--all)');
    expect(textOf(list)).toHaveLength(10);
    expect(textOf(list).at(-1)).toBe(
      '    plan.1/fetch_8  the warehouse answered 503: try again in 8 s; after 1 attempt',
    );
  });

  it('lists steps that did not run for another reason, except those that the template leaves out', () => {
    const list = told([
      { type: 'step.skipped', step: 'ingest', reason: 'when_false' },
      { type: 'step.skipped', step: 'plan', reason: 'budget' },
    ]);
    expect(list.others).toEqual([{ step: 'plan', reason: 'budget' }]);
    expect(textOf(list)).toEqual(['– 1 step did not run (budget): plan']);
  });
});
