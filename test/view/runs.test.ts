// Filters, orders and lineage of a list of runs.
import { describe, expect, it } from 'vitest';
import { readDuration, readMoney } from '../../src/base/quantity.ts';
import { readBounds, readMoment } from '../../src/view/runs/bounds.ts';
import { lineageRows, originText } from '../../src/view/runs/lineage.ts';
import { type FilterWords, readFilter } from '../../src/view/runs/read-filter.ts';
import { matchesFilter, needsFigures, sortedRuns } from '../../src/view/runs/run-filter.ts';
import type { RunSummary } from '../../src/view/runs/run-summary.ts';
import { agoText, reasonText } from '../../src/view/runs/run-text.ts';

const NOW = Date.parse('2026-11-23T12:00Z');
const HOUR = 3_600_000;

function run(id: string, more: Partial<RunSummary> = {}): RunSummary {
  return {
    ...{ id, template: 'demo', status: 'completed', partial: false, createdAt: NOW - HOUR, driven: false, gates: 0 },
    ...{ spent: {}, limit: {}, steps: { completed: 1 }, failed: 0, elapsed: 1, updatedAt: NOW - HOUR },
    ...more,
  };
}

/** The newest first. */
const runs: readonly RunSummary[] = [
  run('g7', { status: 'running', driven: true, gates: 1, createdAt: NOW - 1_000, updatedAt: NOW - 1_000, elapsed: 0 }),
  run('f6', { forked: { from: 'b2', at: 25 }, spent: { cost_usd: 0.4 } }),
  run('e5', { template: 'audit', status: 'failed', failed: 3, failure: { code: 'TIMED_OUT', message: 'Too Slow' } }),
  run('d4', { template: 'audit-eu', partial: true, failed: 1, elapsed: 700, spent: { cost_usd: 2 } }),
  run('c3', { parent: 'b2', parentStep: 'sub', createdAt: NOW - 50 * HOUR }),
  run('b2', { status: 'waiting', gates: 2, createdAt: NOW - 51 * HOUR, forks: ['f6'], children: ['c3'] }),
  run('a1', { createdAt: NOW - 52 * HOUR, steps: undefined, failed: undefined, elapsed: undefined } as never),
];

function found(words: FilterWords): string {
  const read = readFilter(words, NOW);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  const matching = runs.filter((each) => matchesFilter(read.value.filter, each, NOW));
  return sortedRuns(matching, read.value.ordering, NOW)
    .map(({ id }) => id)
    .join(' ');
}

describe('a filter of runs', () => {
  it.each<[FilterWords, string]>([
    [{}, 'g7 f6 e5 d4 c3 b2 a1'],
    [{ status: 'failed, running' }, 'g7 e5'],
    [{ status: 'waiting' }, 'g7 b2'],
    [{ status: 'completed' }, 'f6 d4 c3 a1'],
    [{ status: 'partial' }, 'd4'],
    [{ template: 'audit' }, 'e5'],
    [{ template: 'audit*,nothing' }, 'e5 d4'],
    [{ since: '2d' }, 'g7 f6 e5 d4'],
    [{ since: '3d', until: '2026-11-21' }, 'c3 b2 a1'],
    [{ cost: '>0.4' }, 'd4'],
    [{ cost: '0.40..1' }, 'f6'],
    [{ took: '>10m' }, 'd4'],
    [{ took: '<=1s' }, 'g7 f6 e5 c3 b2'],
    [{ search: 'too slow' }, 'e5'],
    [{ search: 'b2' }, 'f6 c3 b2'],
    [{ 'with-failures': 'yes' }, 'e5 d4'],
    [{ forks: 'yes' }, 'f6 b2'],
    [{ status: '', search: ' ' }, 'g7 f6 e5 d4 c3 b2 a1'],
  ])('with the words %o keeps the runs that match all of it', (words, ids) => {
    expect(found(words)).toBe(ids);
  });

  it.each<[FilterWords, string]>([
    [{ reverse: 'yes' }, 'a1 b2 c3 d4 e5 f6 g7'],
    [{ sort: 'cost' }, 'd4 f6 g7 e5 c3 b2 a1'],
    [{ sort: 'duration', reverse: 'yes' }, 'g7 f6 e5 c3 b2 d4 a1'],
    [{ sort: 'failed' }, 'e5 d4 g7 f6 c3 b2 a1'],
  ])('with the order %o puts runs without the figure last', (words, ids) => {
    expect(found(words)).toBe(ids);
  });

  it('names the allowed values in every problem', () => {
    const read = readFilter({ status: 'failed,waitin', cost: '5', took: '2..1', since: '31.2.', sort: 'price' }, NOW);
    expect(read).toEqual({
      ok: false,
      error: [
        {
          filter: 'status',
          message: expect.stringMatching(/^takes running, waiting, .*"waiting".*, not "failed,waitin"$/),
        },
        { filter: 'since', message: expect.stringMatching(/^takes a time ago such as 2d, .*, not "31\.2\."$/) },
        { filter: 'cost', message: `takes a bound such as '>1', '<=2.50' or '1..2.50', not "5"` },
        { filter: 'took', message: expect.stringMatching(/^takes a bound .*, not "2\.\.1"$/) },
        {
          filter: 'sort',
          message: expect.stringMatching(/^takes started, duration, cost, steps, failed.*, not "price"$/),
        },
      ],
    });
  });

  it('needs figures that runs of earlier versions lack only for some filters and orders', () => {
    const needs = (words: FilterWords): boolean => {
      const read = readFilter(words, NOW);
      return read.ok && needsFigures(read.value.filter, read.value.ordering);
    };
    expect(needs({ status: 'failed', template: 'x', since: '1d', cost: '>1', sort: 'cost' })).toBe(false);
    for (const words of [{ took: '>1s' }, { sort: 'duration' }, { 'with-failures': 'yes' }])
      expect(needs(words)).toBe(true);
  });
});

describe('bounds and moments', () => {
  it.each([
    ['>1', { least: 1_000_000, isStrict: true }],
    ['<= $0.5', { most: 500_000 }],
    ['1..', { least: 1_000_000 }],
    ['..2', { most: 2_000_000 }],
  ])('reads %s', (text, bounds) => {
    expect(readBounds(text, readMoney, ['1', '2'])).toMatchObject({ ok: true, value: bounds });
  });

  it.each(['', '..', '3..1', '> one', '=1', '1...2'])('refuses %o', (text) => {
    expect(readBounds(text, readMoney, ['1', '2']).ok).toBe(false);
    expect(readBounds(text, readDuration, ['1m', '2m']).ok).toBe(false);
  });

  it.each([
    ['90m', '2026-11-23T10:30:00.000Z', '2026-11-23T10:30:00.000Z'],
    ['1w', '2026-11-16T12:00:00.000Z', '2026-11-16T12:00:00.000Z'],
    ['today', '2026-11-23T00:00:00.000Z', '2026-11-23T23:59:59.999Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z', '2026-11-20T23:59:59.999Z'],
    ['2026-11-20 14:30', '2026-11-20T14:30:00.000Z', '2026-11-20T14:30:00.000Z'],
    ['2026-11-20T14:30+02:00', '2026-11-20T12:30:00.000Z', '2026-11-20T12:30:00.000Z'],
  ])('reads the moment %s, and a day as a whole', (text, begin, end) => {
    expect(readMoment(text, NOW, 'begin')).toMatchObject({ ok: true, value: Date.parse(begin) });
    expect(readMoment(text, NOW, 'end')).toMatchObject({ ok: true, value: Date.parse(end) });
  });

  it.each(['2026-02-31', 'soon', '20.11.2026', '5'])('refuses the moment %s', (text) => {
    expect(readMoment(text, NOW, 'begin').ok).toBe(false);
  });
});

describe('the lineage of runs', () => {
  it('puts child runs and forks under their origin, and a family where its newest run stands', () => {
    expect(lineageRows(runs).map(({ run: { id }, depth }) => `${'>'.repeat(depth)}${id}`)).toEqual([
      ...['g7', 'b2', '>c3', '>f6', 'e5', 'd4', 'a1'],
    ]);
  });

  it('stands alone where the origin is not in the list', () => {
    const [fork, child] = [runs[1], runs[4]].map((each) => each ?? run(''));
    expect(lineageRows([fork, child].flatMap((each) => each ?? [])).map(({ depth }) => depth)).toEqual([0, 0]);
    expect([fork, child].map((each) => each && originText(each))).toEqual(['fork of b2 at event 25', 'for b2 (sub)']);
  });
});

describe('the texts of a run', () => {
  it('have the question of a waiting run before the failure of a failed one', () => {
    const question = { gate: 'g1', kind: 'approval', step: 'write', prompt: 'May it\nwrite?' } as const;
    expect(reasonText(run('a', { question, gates: 3 }))).toBe(
      'approval of write: May it write? (and 2 more questions)',
    );
    expect(reasonText(run('a', { failure: { code: 'X', message: 'no' } }))).toBe('X: no');
  });

  it.each([
    [NOW - 59_000, 'just now'],
    [NOW - 100 * 60_000, '1 h 40 min ago'],
    [NOW - 25 * HOUR, '1 day ago'],
    [NOW - 40 * 24 * HOUR, '2026-10-14'],
  ])('say how long ago %i was', (at, text) => {
    expect(agoText(at, NOW)).toBe(text);
  });
});
