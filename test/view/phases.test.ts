// The phases of a run as people see them: chain, nesting, replans, items and counts.
import { describe, expect, it } from 'vitest';
import { phaseTree, topPhaseOf } from '../../src/view/phases/phase-tree.ts';
import { countedSteps, leadingStatus } from '../../src/view/phases/shown-status.ts';
import { templateOf } from '../engine/template-of.ts';
import { began, completed, expanded, failed, frame, grafted, mapping, mended, ragged, tell } from './story.ts';

/** Two phases in a row; the first has a planning step of its own. */
const nested = templateOf({
  steps: [
    { name: 'ingest' },
    { name: 'plan_orders', after: ['ingest'], planning: { target: 'plan_events', goal: 'orders' } },
    { name: 'plan_events', type: 'planning', after: ['plan_orders'], planning: { target: 'report', goal: 'events' } },
    { name: 'report', type: 'deferred', after: ['plan_events'], capability: 'work' },
    { name: 'publish', after: ['report'] },
  ],
});

function nestedStory() {
  return tell(nested, [
    began('ingest'),
    completed('ingest'),
    began('plan_orders'),
    grafted('plan_orders', 'plan_events', [
      { name: 'plan_orders_deeper', type: 'planning', planning: { target: 'join', goal: 'deeper' } },
      { name: 'join', type: 'deferred', after: ['plan_orders.1/plan_orders_deeper'] },
    ]),
    completed('plan_orders'),
    began('plan_orders.1/plan_orders_deeper'),
    grafted('plan_orders.1/plan_orders_deeper', 'plan_orders.1/join', [{ name: 'closer' }]),
  ]);
}

describe('the phases of a run', () => {
  it('form a chain with the single steps between them, numbered in its order', () => {
    const { chain, phases } = phaseTree(nestedStory().state);
    expect(chain).toEqual([
      { steps: ['ingest'] },
      { phase: 'plan_orders' },
      { phase: 'plan_events' },
      { steps: ['report', 'publish'] },
    ]);
    expect([...phases.values()].map(({ title, number, within }) => [title, number, within])).toEqual([
      ['orders', 1, undefined],
      ['events', 2, undefined],
      ['deeper', undefined, 'plan_orders'],
    ]);
  });

  it('hold the steps of nested phases, and count them once', () => {
    const tree = phaseTree(nestedStory().state);
    const deeper = 'plan_orders.1/plan_orders_deeper';
    const orders = tree.phases.get('plan_orders');
    expect(orders).toMatchObject({ nested: [deeper], steps: [deeper, 'plan_orders.1/join'] });
    expect(orders?.all.toSorted()).toEqual(['plan_orders', 'plan_orders.1/join', deeper, `${deeper}.1/closer`]);
    expect(orders?.counts).toMatchObject({ completed: 1, running: 1, waiting: 2 });
    expect(countedSteps(tree.phases.get('plan_events')?.counts ?? orders?.counts ?? never())).toBe(1);
    expect(tree.phaseOf.get(deeper)).toBe('plan_orders');
    expect(tree.phaseOf.get(`${deeper}.1/closer`)).toBe(deeper);
    expect(topPhaseOf(tree, `${deeper}.1/closer`)).toBe('plan_orders');
    expect(topPhaseOf(tree, 'publish')).toBeUndefined();
  });

  it('hold their replans, which name the steps that they replace', () => {
    const { phases, chain, phaseOf } = phaseTree(tell(frame, mended()).state);
    expect(phases.get('plan')).toMatchObject({ nested: [], replansOf: ['plan~2'], counts: { failed: 1, replaced: 1 } });
    expect(phases.get('plan~2')).toMatchObject({
      kind: 'replan',
      title: 'replan',
      within: 'plan',
      replans: ['plan.1/b'],
      steps: ['plan~2.1/a', 'plan~2.1/d'],
    });
    expect(phases.get('plan')?.all).toHaveLength(7);
    expect(phaseOf.get('plan~2')).toBe('plan~2');
    expect(chain).toEqual([{ steps: ['ingest'] }, { phase: 'plan' }, { steps: ['report'] }]);
  });

  it('count the items of a fan-out as a phase', () => {
    const { phases, chain } = phaseTree(
      tell(mapping, [expanded(3), began('map/0'), failed('map/0', 'BAD', 'no')]).state,
    );
    expect(phases.get('map')).toMatchObject({
      kind: 'items',
      number: 1,
      steps: ['map/0', 'map/1', 'map/2'],
      counts: { failed: 1, queued: 2, waiting: 1 },
    });
    expect(chain).toEqual([{ phase: 'map' }, { steps: ['end'] }]);
  });

  it('are led by what asks, then by what runs, then by what failed', () => {
    const counts = phaseTree(ragged().state).phases.get('plan')?.counts ?? never();
    expect(leadingStatus(counts)).toBe('failed');
    expect(leadingStatus({ ...counts, running: 1 })).toBe('running');
    expect(leadingStatus({ ...counts, running: 1, asks: 1 })).toBe('asks');
    expect(leadingStatus({ ...counts, failed: 0 })).toBe('completed');
    expect(leadingStatus({ ...counts, failed: 0, waiting: 1 })).toBe('waiting');
  });
});

function never(): never {
  throw new Error('no such phase');
}
