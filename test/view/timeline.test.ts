// The rows, shapes, axis and burn of the timeline, and the slider, on runs that are written by hand.
import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import type { Event } from '../../src/engine/record/event.schema.ts';
import type { Template } from '../../src/template/template.ts';
import { phaseTree } from '../../src/view/phases/phase-tree.ts';
import { burnLanes } from '../../src/view/timeline/burn-lanes.ts';
import { idleStretches, stretchesToShorten } from '../../src/view/timeline/idle-stretches.ts';
import { lengthsText, phaseShapes } from '../../src/view/timeline/phase-shapes.ts';
import { rowLabel } from '../../src/view/timeline/row-label.ts';
import { runSlider, versionAt } from '../../src/view/timeline/run-slider.ts';
import { costText, stepShapes } from '../../src/view/timeline/step-shapes.ts';
import { ticksOf, timeAxis } from '../../src/view/timeline/time-axis.ts';
import { phaseKey, restKey, rowHeights, timelineRows } from '../../src/view/timeline/timeline-rows.ts';
import { criticalPath } from '../../src/view/times/critical-path.ts';
import { timesOf } from '../../src/view/times/run-times.ts';
import { templateOf } from '../engine/template-of.ts';
import { asked, began, completed, expanded, failed, frame, grafted, mapping, mended, START, tell } from './story.ts';

const second = 1_000;

/** A story with its times; the axis has ten pixels for each second. */
function told(template: Template, events: readonly Event[]) {
  const { state, events: recorded } = tell(template, events);
  const times = timesOf(template, recorded);
  const tree = phaseTree(state);
  const critical = new Set(criticalPath(state, times));
  const axis = timeAxis({ from: times.began, to: times.last, width: (times.last - times.began) / 100 });
  const rows = (turned: readonly (readonly [string, boolean])[] = [], chosen?: string) =>
    timelineRows({
      ...{ state, times, tree, critical, chosen },
      turned: new Map(turned),
      heights: rowHeights(state.steps.size, false),
    });
  const shapes = (id: string, until = times.last) =>
    stepShapes({
      ...{ state, axis, until, isCritical: critical.has(id) },
      step: present(state.steps.get(id), id),
      times: present(times.steps.get(id), id),
    });
  const label = (key: string, until = times.last) => {
    const row = present(
      rows().find((each) => each.key === key),
      key,
    );
    return rowLabel({ state, times, until, isCritical: row.kind === 'step' && critical.has(row.step) }, row);
  };
  return { state, recorded, times, tree, critical, axis, rows, shapes, label };
}

/** `plan` planned thirty readers; the second one failed, and all others succeeded one after another. */
const wide = (): readonly Event[] => {
  const names = Array.from({ length: 30 }, (_, index) => `read_${index}`);
  return [
    began('ingest'),
    completed('ingest'),
    began('plan'),
    grafted(
      'plan',
      'report',
      names.map((name) => ({ name })),
    ),
    completed('plan'),
    ...names.flatMap((name, index): Event[] => {
      const id = `plan.1/${name}`;
      return [began(id), index === 1 ? failed(id, 'CSV_RAGGED', 'row 4 has 3 fields') : completed(id)];
    }),
  ];
};

describe('the rows of the timeline', () => {
  it('are the phases and the single steps of the template while all phases are closed', () => {
    const { rows } = told(frame, wide());
    expect(rows().map(({ key, depth }) => [key, depth])).toEqual([
      ['ingest', 0],
      [phaseKey('plan'), 0],
      ['report', 0],
    ]);
  });

  it('list what matters in an opened phase, and have one row for the rest', () => {
    const { rows } = told(frame, wide());
    const open = rows([[phaseKey('plan'), true]]);
    expect(open.map(({ key }) => key)).toEqual([
      ...['ingest', phaseKey('plan'), 'plan', 'plan.1/read_1', 'plan.1/read_29'],
      ...[restKey('plan'), 'report'],
    ]);
    expect(open.map(({ top, height }) => top + height + 1)).toEqual(
      open
        .slice(1)
        .map(({ top }) => top)
        .concat(present(open.at(-1), 'row').top + 18),
    );
    const all = rows([
      [phaseKey('plan'), true],
      [restKey('plan'), true],
    ]);
    expect(all.filter(({ kind }) => kind === 'step')).toHaveLength(33);
  });

  it('open the phases at work and around the chosen step by themselves, until a person closes them', () => {
    const fresh = wide().slice(0, 8);
    expect(
      told(frame, fresh)
        .rows()
        .map(({ key }) => key),
    ).toContain('plan.1/read_1');
    expect(told(frame, fresh).rows([[phaseKey('plan'), false]])).toHaveLength(3);
    const { rows } = told(frame, wide());
    expect(rows([], 'plan.1/read_7').map(({ key }) => key)).toContain('plan.1/read_7');
  });

  it('show a replan and the items of a fan-out as phases inside', () => {
    const keys = told(frame, mended())
      .rows()
      .map(({ key }) => key);
    expect(keys).toContain(phaseKey('plan~2'));
    expect(keys.indexOf(phaseKey('plan~2'))).toBeGreaterThan(keys.indexOf('plan.1/b'));
    const items = told(mapping, [expanded(3), began('map/0'), completed('map/0')]);
    expect(items.rows([[phaseKey('map'), true]]).map(({ key }) => key)).toEqual([
      ...[phaseKey('map'), 'map', 'map/0', 'map/1', 'map/2', 'end'],
    ]);
  });

  it('are as high as a finger under 600 pixels, and one line high above 600 steps', () => {
    expect(Object.values(rowHeights(20, true)).every((height) => height >= 44)).toBe(true);
    expect(rowHeights(20, false)).toMatchObject({ phase: 34, nested: 24, step: 17 });
    expect(rowHeights(3_000, false)).toMatchObject({ phase: 17 });
  });
});

describe('the label of a row', () => {
  it('counts the steps of a phase, and says the statuses in words', () => {
    const { label } = told(frame, wide());
    expect(label(phaseKey('plan'))).toMatchObject({ glyph: '1', text: 'plan', done: '30/31', failed: 1 });
    expect(label(phaseKey('plan')).says).toBe('phase 1 plan: 30 of 31 steps completed, 1 failed');
    expect(label('ingest').says).toBe('ingest: completed, queued 1s, at work 1s, on the critical path');
  });

  it('names the failed step that a replan replaces', () => {
    expect(told(frame, mended()).label(phaseKey('plan~2')).text).toBe('replan of b');
  });

  it('sums up the rest', () => {
    const { state, times, rows } = told(frame, wide());
    const row = present(
      rows([[phaseKey('plan'), true]]).find(({ kind }) => kind === 'rest'),
      'rest',
    );
    const { text, says } = rowLabel({ state, times, until: times.last, isCritical: false }, row);
    expect([text, says]).toEqual(['28 more, all done', '28 more steps, all done, each 1s']);
    const lengths = [300, 500, 900].map((ms) => ({ planned: 0, began: 0, ended: ms, attempts: [], held: [] }));
    expect(lengthsText(lengths, 1_000)).toBe('each 300ms to 900ms, half under 500ms');
  });
});

describe('the shapes of a step', () => {
  const pair = templateOf({ steps: [{ name: 'one' }, { name: 'two', after: ['one'] }] });
  const events: readonly Event[] = [
    began('one'),
    {
      type: 'attempt.failed',
      step: 'one',
      attempt: 1,
      failure: { code: 'TOOL_FAILED', message: 'the source answered 503', retry: 'may' },
      retryAt: START,
    },
    began('one', { attempt: 2 }),
    completed('one'),
    began('two'),
    failed('two', 'TOOL_FAILED', 'gone'),
  ];

  it('tell waiting, queueing, work and retries apart', () => {
    const { shapes } = told(pair, events);
    expect(shapes('two')).toMatchObject([
      { shape: 'waits', x: 0, width: 40 },
      { shape: 'queued', x: 40, width: 10 },
      { shape: 'bar', status: 'failed', x: 50, width: 10 },
      { shape: 'critical', x: 50, width: 10 },
      { shape: 'text', text: '✗ gone', anchor: 'end' },
    ]);
    expect(shapes('one')).toMatchObject([
      { shape: 'queued', x: 0, width: 10 },
      { shape: 'bar', status: 'failed', x: 10, width: 10 },
      { shape: 'retry', x: 20, width: 10 },
      { shape: 'bar', status: 'completed', x: 30, width: 10 },
      { shape: 'critical', x: 10, width: 30 },
    ]);
  });

  it('show only what was there at an earlier moment', () => {
    const { shapes } = told(pair, events);
    expect(shapes('one', START + 1.5 * second)).toMatchObject([
      { shape: 'queued' },
      { shape: 'bar', status: 'running', x: 10, width: 5 },
      { shape: 'critical', x: 10, width: 5 },
    ]);
    expect(shapes('two', START + 1.5 * second)).toEqual([{ shape: 'waits', x: 0, width: 15 }]);
  });

  it('say how the step ended, and what it waits for', () => {
    const texts = (list: ReturnType<ReturnType<typeof told>['shapes']>) =>
      list.flatMap((shape) => (shape.shape === 'text' ? [shape.text] : []));
    const events40 = [...events, ...Array.from({ length: 40 }, (): Event => ({ type: 'run.paused', by: 'ann' }))];
    const { shapes } = told(pair, events40);
    expect([...texts(shapes('one')), ...texts(shapes('two'))]).toEqual(['✓ 2nd try', '✗ gone']);
    const reviewed = templateOf({ steps: [{ name: 'agree', type: 'human_review' }] });
    const open = told(reviewed, [...events40.slice(6), asked('agree', 'review')]);
    expect(texts(open.shapes('agree'))).toEqual(['◆ waits for you: May it?']);
    expect([0, 40, 11_000, 2_500_000].map(costText)).toEqual(['', 'under 0.1¢', '1.1¢', '$2.50']);
  });
});

describe('the shapes of a phase', () => {
  it('are its time, its areas, its planning, the critical path, and marks for what failed', () => {
    const { times, tree, critical, axis } = told(frame, mended());
    const request = { times, tree, critical, axis, until: times.last, height: 34 };
    const shapes = phaseShapes(request, present(tree.phases.get('plan'), 'plan'));
    expect(new Set(shapes.map((shape) => (shape.shape === 'mark' ? shape.of : shape.shape)))).toEqual(
      new Set(['ground', 'area', 'planning', 'critical', 'failed', 'replan']),
    );
    expect(shapes[0]).toMatchObject({ shape: 'ground', x: 20, width: axis.width - 20 });
    expect(phaseShapes({ ...request, until: START + second }, present(tree.phases.get('plan'), 'plan'))).toEqual([]);
  });
});

describe('the time axis', () => {
  const hour = 3_600_000;

  it('goes from times to pixels and back', () => {
    const axis = timeAxis({ from: 0, to: 10_000, width: 500 });
    expect([axis.x(0), axis.x(5_000), axis.at(250), axis.at(9_999)]).toEqual([0, 250, 5_000, 10_000]);
    expect(ticksOf(axis, 80).map(({ x, text }) => [x, text])).toEqual([
      [0, '0'],
      [100, '2s'],
      [200, '4s'],
      [300, '6s'],
      [400, '8s'],
      [500, '10s'],
    ]);
  });

  it('draws a long wait short, and counts from its end', () => {
    const short = [{ from: 4_000, to: 4_000 + 3 * hour, why: 'people' as const }];
    const axis = timeAxis({ from: 0, to: 10_000 + 3 * hour, width: 544, short, gapWidth: 44 });
    expect(axis.gaps).toMatchObject([{ x: 200, width: 44, why: 'people' }]);
    expect([axis.x(4_000), axis.x(4_000 + 3 * hour), axis.x(10_000 + 3 * hour)]).toEqual([200, 244, 544]);
    expect(axis.at(222)).toBe(4_000 + 1.5 * hour);
    expect(ticksOf(axis, 80).map(({ text }) => text)).toEqual(['0', '2s', '+2s', '+4s', '+6s']);
  });

  it('shows a part of the time in all of its width', () => {
    const axis = timeAxis({ from: 0, to: 10_000, width: 500, window: { from: 4_000, to: 5_000 } });
    expect([axis.x(4_000), axis.x(5_000), axis.x(3_000), axis.at(250)]).toEqual([0, 500, -500, 4_500]);
    expect(ticksOf(axis, 80).map(({ text }) => text)).toEqual(['4s', '4.2s', '4.4s', '4.6s', '4.8s', '5s']);
  });

  it('shortens the longest waits until the run is busy for two thirds of the axis', () => {
    const stretch = (from: number, to: number) => ({ from, to, why: 'people' as const });
    const long = stretch(1_000, hour);
    const small = stretch(hour + 2_000, hour + 2_900);
    expect(stretchesToShorten([long, small], hour + 6_000)).toEqual([long]);
    expect(stretchesToShorten([small], hour)).toEqual([]);
  });

  it('knows why nothing was at work', () => {
    const idleIn = (template: Template, events: readonly Event[]) => {
      const { times } = told(template, events);
      return idleStretches(times, times.last).map(({ from, to, why }) => [
        (from - START) / second,
        (to - START) / second,
        why,
      ]);
    };
    const gated = templateOf({
      steps: [
        { name: 'agree', type: 'human_review' },
        { name: 'work', after: ['agree'] },
      ],
    });
    const answered: Event = { type: 'gate.decided', gate: 'g1', verdict: 'approve', by: 'ann' };
    expect(idleIn(gated, [asked('agree', 'review'), answered, completed('agree'), began('work')])).toEqual([
      [0, 4, 'people'],
    ]);
    const single = templateOf({ steps: [{ name: 'work' }] });
    const attached: Event = { type: 'run.attached', by: 'ann' };
    const noted: Event = { type: 'budget.warned', account: 'run', resource: 'steps', percent: 80 };
    // The attempt was open while nobody drove the run.
    expect(idleIn(single, [began('work'), noted, attached, completed('work')])).toEqual([
      [0, 1, 'idle'],
      [2, 3, 'away'],
    ]);
  });
});

describe('the lanes of the burn', () => {
  const limited = templateOf({ steps: [{ name: 'one' }], budget: { limit: { cost_usd: 1_000_000 } } });
  const spent = (cost_usd: number): readonly Event[] => [began('one'), completed('one', null, { bill: { cost_usd } })];

  it('have the spent amount, the limit and its share; unused lanes are one line', () => {
    const { times, axis } = told(limited, spent(160_000));
    const { lanes, unused } = burnLanes({ burn: times.burn, axis, until: times.last, isLive: false, height: 36 });
    expect(lanes).toMatchObject([{ name: 'cost', amount: '$0.16 of $1.00', isTight: false }]);
    expect(present(lanes[0], 'cost').note).toMatch(/^16 % of the limit/);
    expect(present(lanes[0], 'cost').line).toBe('M0 31H20V26.5H20');
    expect(unused).toBe('model calls, tool calls, tokens: nothing spent');
  });

  it('say of a living run how long its money lasts, and warn from nine tenths on', () => {
    const { times, axis } = told(limited, spent(910_000));
    const lanes = (isLive: boolean) =>
      burnLanes({ burn: times.burn, axis, until: times.last, isLive, height: 36 }).lanes;
    expect(lanes(true)[0]).toMatchObject({ isTight: true });
    expect(lanes(true)[0]?.note).toMatch(/^at this pace it lasts \d+ms more|^91 %/);
  });
});

describe('the slider', () => {
  it('has the stretch of each phase and a mark for each failure, replan and gate', () => {
    const { times, tree, axis, recorded } = told(frame, mended());
    const { phases, marks, area } = runSlider({ times, tree, axis, top: 10, bottom: 30, openGates: new Set() });
    expect(phases).toMatchObject([{ x: 20, text: '1 plan', isEven: false }]);
    expect(marks.map(({ of }) => of)).toEqual(['replan', 'failed']);
    expect(area).toMatch(/^M0 30/);
    expect([0, 2.5, 100].map((at) => versionAt(recorded, START + at * second))).toEqual([1, 3, recorded.length]);
  });
});
