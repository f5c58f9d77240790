// The summary of a run, and the line of each event.
import { describe, expect, it } from 'vitest';
import type { Event } from '../../src/engine/record/event.schema.ts';
import { eventLine } from '../../src/view/event-line.ts';
import { summaryOf, summaryText } from '../../src/view/summary.ts';
import {
  asked,
  began,
  broken,
  completed,
  failed,
  frame,
  grafted,
  mended,
  outOfMoney,
  ragged,
  START,
  tell,
  textOf,
} from './story.ts';

function ended(status: 'completed' | 'failed' | 'cancelled', partial = false): Event {
  return { type: 'run.ended', status, partial, output: { value: null } };
}

const said = (events: readonly Event[]): string => textOf(summaryText(summaryOf(tell(frame, events).state)));

describe('the summary of a run', () => {
  it('calls a run complete only when nothing is missing', () => {
    expect(said([ended('completed')])).toMatch(/^completed test: /);
    expect(textOf(summaryText(summaryOf(ragged().state)))).toMatch(/^partial test: 4 of 5 steps completed, 1 failed/);
  });

  it('calls a failure a failure', () => {
    const text = said([began('ingest'), failed('ingest', 'FILE_MISSING', 'no folder'), ended('failed')]);
    expect(text).toMatch(/^failed test: /);
    expect(text).not.toMatch(/^completed/);
  });

  it('lists root causes with the number of steps that did not run because of them', () => {
    const { failed: causes, skipped } = summaryOf(
      tell(frame, [
        began('ingest'),
        failed('ingest', 'FILE_MISSING', 'no folder'),
        { type: 'step.skipped', step: 'plan', reason: 'upstream', root: 'ingest' },
        { type: 'step.skipped', step: 'report', reason: 'upstream', root: 'ingest' },
        ended('failed'),
      ]).state,
    );
    expect(causes).toEqual([{ step: 'ingest', code: 'FILE_MISSING', message: 'no folder', behind: 2 }]);
    expect(skipped).toEqual([
      { step: 'plan', reason: 'upstream', root: 'ingest' },
      { step: 'report', reason: 'upstream', root: 'ingest' },
    ]);
  });

  it('lists tolerated failures apart from others', () => {
    const text = said([
      began('ingest'),
      {
        type: 'step.skipped',
        step: 'ingest',
        reason: 'tolerated',
        failure: { code: 'FILE_MISSING', message: 'no folder', retry: 'never' },
      },
    ]);
    expect(text).toContain('tolerated:\n  ingest  FILE_MISSING: no folder');
    expect(text).not.toContain('failed:');
  });

  it('keeps a repaired failure among the failures, with the outcome of its repair', () => {
    expect(said(mended())).toContain('plan.1/b  CSV_RAGGED: row 4 has 3 fields (repaired by plan~2)');
    const again = [began('plan~2'), failed('plan~2', 'PLAN_INVALID', 'no plan')];
    expect(said([...broken(), ...again])).toContain('row 4 has 3 fields (its repair plan~2 failed)');
  });

  it('counts replans if there were any', () => {
    expect(said(mended())).toContain('1 of 5 replans');
    expect(said([began('ingest')])).not.toContain('replans');
  });

  it('is waiting if only people can continue the run, and lists their questions', () => {
    const expiry = { expiresAt: START + 7_200_000, onExpiry: 'reject' } as const;
    const text = said([asked('ingest', 'approval', { prompt: 'May the folder be read?', ...expiry })]);
    expect(text).toMatch(/^waiting test: /);
    expect(text).toContain(
      'g1  approval of ingest  since 2026-09-21 14:13 UTC, until 2026-09-21 16:13 UTC: then it counts as rejected',
    );
    expect(text).toContain('May the folder be read?');
    expect(
      said([asked('ingest', 'approval'), { type: 'gate.decided', gate: 'g1', verdict: 'approve', by: 'ann' }]),
    ).not.toContain('May it?');
  });

  it('names the file and the key of the limit that stopped the run', () => {
    const text = said([
      began('ingest'),
      completed('ingest'),
      began('plan'),
      grafted('plan', 'report', [{ name: 'a' }]),
      completed('plan'),
      { type: 'budget.exhausted', ...outOfMoney },
      { type: 'step.skipped', step: 'plan.1/a', reason: 'budget' },
      {
        type: 'convergence.judged',
        step: 'report',
        satisfied: true,
        convergence: {
          expected: 1,
          succeeded: 0,
          failed: [],
          skipped: [],
          partial: true,
          reason: 'budget',
          by_phase: {},
        },
        stop: outOfMoney,
      },
    ]);
    expect(text).toContain(
      'stopped by budget.max_cost_budget (test.yaml): $4.9312 of $5.00 used, $0.07 reserved (landing reserve $0.50 untouched)',
    );
  });

  it('does not call an unfinished run ended', () => {
    expect(said([{ type: 'run.paused', by: 'ann' }])).toMatch(/^paused/);
    expect(said([began('ingest')])).toMatch(/^running/);
  });
});

describe('the line of an event', () => {
  it('names gates, verdicts, repairs and raised limits in words', () => {
    const { events } = tell(frame, [
      asked('ingest', 'approval'),
      { type: 'gate.decided', gate: 'g1', verdict: 'reject', by: 'ann', why: 'not today' },
      { type: 'budget.raised', account: 'run', limit: { cost_usd: 5_000_000 }, wallClock: 60_000, by: 'bob' },
    ]);
    const lines = events.map((event) => eventLine(event, START));
    expect(lines[1]).toContain('g1  approval of ingest  May it?');
    expect(lines[2]).toContain('g1  rejected  by ann  not today');
    expect(lines[3]).toContain('run  cost_usd to $5.00, time to 1m  by bob');
    const repair = tell(frame, broken()).events.map((event) => eventLine(event, START));
    expect(repair[9]).toContain('plan~2  repairs plan.1/b  tail');
    expect(repair[11]).toContain('plan.1/b  taken up by plan~2  CSV_RAGGED');
  });

  it('exists for every event of a run, with the time since its start', () => {
    const { events } = ragged();
    const lines = events.map((event) => eventLine(event, START));
    expect(lines.every((line) => !line.includes('\n'))).toBe(true);
    expect(lines[9]).toBe('+9s       step.failed           plan.1/broken  CSV_RAGGED: row 4 has 3 fields');
    expect(lines[4]).toContain('2 steps before report');
  });
});
