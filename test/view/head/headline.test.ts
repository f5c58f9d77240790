// The headline of a run in each of its states, and the numbers below it.
import { describe, expect, it } from 'vitest';
import type { Event } from '../../../src/engine/record/event.schema.ts';
import { budgetTree } from '../../../src/view/budget/budget-tree.ts';
import { figuresText } from '../../../src/view/head/figures.ts';
import { gateVerb } from '../../../src/view/head/gate-verb.ts';
import { type GivenOrder, type Headline, headlineOf } from '../../../src/view/head/headline.ts';
import { questionIn } from '../../../src/view/head/question.ts';
import { phaseTree } from '../../../src/view/phases/phase-tree.ts';
import { summaryOf } from '../../../src/view/summary.ts';
import { templateOf } from '../../engine/template-of.ts';
import { asked, began, broken, completed, failed, frame, grafted, mended, outOfMoney, ragged, tell } from '../story.ts';

interface Circumstances {
  readonly order?: GivenOrder;
  readonly interrupted?: boolean;
  readonly template?: typeof frame;
}

function headOf(
  events: readonly Event[],
  { order, interrupted = false, template = frame }: Circumstances = {},
): Headline {
  const { state } = tell(template, events);
  return headlineOf(state, phaseTree(state), summaryOf(state, interrupted), order);
}

function sentence(events: readonly Event[], circumstances: Circumstances = {}): string {
  return headOf(events, circumstances).sentence;
}

function figures(events: readonly Event[]): string {
  const { state, history } = tell(frame, events);
  return figuresText(state, summaryOf(state), budgetTree(state, history).run.rows);
}

const ended = (status: 'completed' | 'failed' | 'cancelled', partial = false): Event => ({
  type: 'run.ended',
  status,
  partial,
  output: { value: null },
});
const planned = [
  began('ingest'),
  completed('ingest'),
  began('plan'),
  grafted('plan', 'report', [{ name: 'a' }, { name: 'b' }]),
];
const ofPlan = [...planned, completed('plan')];

describe('the headline of a running run', () => {
  it('names a single step, the planning and the work of a phase', () => {
    expect(sentence([began('ingest')])).toBe('Working on ingest.');
    expect(sentence([began('ingest'), completed('ingest'), began('plan')])).toBe('Planning the phase plan.');
    expect(sentence([...ofPlan, began('plan.1/a'), began('plan.1/b')])).toBe('Working on the phase plan.');
    expect(sentence([...broken(), began('plan~2')])).toBe('Replanning the phase plan.');
  });

  it('counts the phases of a longer chain', () => {
    const template = templateOf({
      steps: [
        { name: 'plan_orders', planning: { target: 'middle' } },
        { name: 'middle', type: 'deferred', after: ['plan_orders'], capability: 'work' },
        { name: 'plan_returns', after: ['middle'], planning: { target: 'end' } },
        { name: 'end', type: 'deferred', after: ['plan_returns'], capability: 'work' },
      ],
    });
    expect(sentence([began('plan_orders')], { template })).toBe('Planning phase 1 of 2: orders.');
  });

  it('says what comes next when nothing is at work', () => {
    expect(sentence([])).toBe('About to begin ingest.');
    const failure = { code: 'WEB_DOWN', message: 'answered 503', retry: 'may' } as const;
    const retried: Event = {
      type: 'attempt.failed',
      step: 'ingest',
      attempt: 1,
      failure,
      retryAt: Number.MAX_SAFE_INTEGER,
    };
    expect(sentence([began('ingest'), retried])).toBe('About to try ingest again.');
  });

  it('says that a spent budget leaves only the landing', () => {
    expect(sentence([began('ingest'), { type: 'budget.exhausted', ...outOfMoney }])).toBe(
      'Out of budget (cost, $4.9312 of $5.00): landing, working on ingest.',
    );
  });
});

describe('the headline of a run that does not go on by itself', () => {
  it('asks the question of the first gate, and counts the others', () => {
    const prompt = 'The report is ready.\nMay it be written to out.md?  Rejecting ends the run.';
    const { status, sign, sentence: text } = headOf([began('ingest'), asked('ingest', 'review', { prompt })]);
    expect({ status, sign, text }).toEqual({
      status: 'asks',
      sign: '?',
      text: 'Waiting for you: May it be written to out.md?',
    });
    const two = [...ofPlan, began('plan.1/a'), asked('plan.1/a', 'review'), began('plan.1/b')];
    expect(sentence([...two, { ...asked('plan.1/b', 'review'), gate: 'g2' } as Event])).toBe(
      'Waiting for you (1 of 2): May it?',
    );
  });

  it('names the person who paused it, the steps that still run, and the way out', () => {
    const { sentence: text, hint } = headOf([began('ingest'), { type: 'run.paused', by: 'ann', why: 'lunch.' }], {
      order: { by: 'ann', why: 'lunch.' },
    });
    expect(text).toBe('Paused by ann: lunch. 1 step still runs.');
    expect(hint).toBe('resume it here, or with reconverge resume run-1');
  });

  it('says where it was interrupted, and how to resume it', () => {
    const { sentence: text, hint } = headOf([began('ingest')], { interrupted: true });
    expect(text).toBe('Interrupted while working on ingest: no process drives this run.');
    expect(hint).toBe('resume it here, or with reconverge resume run-1');
  });
});

describe('the headline of a run that has ended', () => {
  it('counts the steps of a whole run, and names repairs', () => {
    const whole = [
      began('ingest'),
      completed('ingest'),
      began('plan'),
      completed('plan'),
      began('report'),
      completed('report'),
    ];
    expect(sentence([...whole, ended('completed')])).toBe('Done: all 3 steps completed.');
    expect(sentence([...mended(), began('report'), completed('report'), ended('completed')])).toBe(
      'Done, with 1 failure repaired.',
    );
  });

  it('says why a run is done only in part', () => {
    expect(
      headOf(
        ragged()
          .events.slice(1)
          .map(({ event }) => event),
      ).sentence,
    ).toBe('Done in part: 1 step failed.');
    const spent = { ...failed('ingest', 'BUDGET_EXCEEDED', 'no money'), stop: outOfMoney } as Event;
    expect(sentence([began('ingest'), spent, ended('completed', true)])).toContain(
      'Done in part: out of budget (cost, $4.9312 of $5.00)',
    );
  });

  it('gives the reason of a failure and the author of a cancellation', () => {
    const failure = { code: 'FILE_MISSING', message: 'ingest failed: no folder', retry: 'never' } as const;
    expect(
      headOf([{ type: 'run.ended', status: 'failed', partial: false, output: { value: null }, failure }]),
    ).toMatchObject({
      status: 'failed',
      sentence: 'Failed: ingest failed: no folder',
    });
    const order = { by: 'ann', why: 'wrong folder' };
    expect(sentence([{ type: 'run.cancelling', ...order }], { order })).toBe(
      'Being cancelled by ann: wrong folder. Running steps are broken off.',
    );
    expect(sentence([{ type: 'run.cancelling', ...order }, ended('cancelled')], { order })).toBe(
      'Cancelled by ann: wrong folder.',
    );
  });
});

describe('the numbers below the headline', () => {
  it('count the work, the failures and their consequences', () => {
    expect(figures([began('ingest')])).toMatch(/^0 of 3 steps done, 1 running, nothing failed\. \$0\.00/);
    expect(figures(mended())).toMatch(/^6 of 9 steps done, .*1 failed, 1 of them repaired\./);
    expect(figures([...mended(), ended('completed')])).toContain('1 of them repaired, 1 replaced.');
    const text = figures([
      began('ingest'),
      failed('ingest', 'FILE_MISSING', 'no folder'),
      { type: 'step.skipped', step: 'plan', reason: 'upstream', root: 'ingest' },
    ]);
    expect(text).toMatch(/^0 of 3 steps done, 1 failed, 1 not run because of it\./);
  });
});

it('a gate needs an approval, or an answer if its contract requires more than one boolean', () => {
  const field = (type: string) => ({ type });
  const approved = {
    required: ['approved', 'notes'],
    properties: { approved: field('boolean'), notes: { default: '' } },
  };
  expect(gateVerb({ kind: 'review', decision: approved })).toBe('approve');
  expect(gateVerb({ kind: 'review', decision: {} })).toBe('approve');
  expect(gateVerb({ kind: 'review', decision: { required: ['size'], properties: { size: field('integer') } } })).toBe(
    'answer',
  );
  expect(gateVerb({ kind: 'plan_review', decision: {} })).toBe('approve');
  expect(gateVerb({ kind: 'clarification', decision: {} })).toBe('answer');
});

it('a gate asks its first question; the rest of its prompt explains it', () => {
  expect(questionIn('The file out.v2.md is ready. May it be sent? It costs $1.50.')).toEqual({
    question: 'May it be sent?',
    rest: 'The file out.v2.md is ready.\nIt costs $1.50.',
  });
  expect(questionIn('Check the list')).toEqual({ question: 'Check the list', rest: '' });
});
