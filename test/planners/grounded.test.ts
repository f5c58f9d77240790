// The tools of a large catalog in a grounded model's prompt: those nearest to any part of the goal, by words and embeddings.

import { expect, it } from 'vitest';
import { bad, good } from '../../src/base/result.ts';
import type { CallOutcome } from '../../src/engine/record/call.ts';
import { advance, type PlannerProgress } from '../../src/planners/planner.ts';
import { plannerOf } from '../../src/planners/planner-of.ts';
import type { Brief } from '../../src/planning/brief.ts';
import { thinker } from '../engine/template-of.ts';
import { brief } from './given-brief.ts';

const line = (name: string, description: string): Brief['capabilities'][number] => ({
  name,
  description,
  effects: ['read'],
  input: { type: 'object', properties: { id: { type: 'string' } } },
});
const fillers = Array.from({ length: 40 }, (_, at) => line(`filler.do_${at}`, `Does the report number ${at}.`));
const capabilities = [
  ...fillers,
  line('desk.list_tickets', 'List tickets.'),
  line('shop.refund_order', 'Refund an order.'),
  line('mail.send_letter', 'Send a letter.'),
];
const goal = 'Make a report on every report, list the tickets, and give customers their money back';

function asked(said: readonly CallOutcome[], embeds: boolean, given = capabilities): PlannerProgress {
  const embeddings = { model: 'embedder', timeout: 1_000, maxRetries: 0 };
  const around = { limits: { lisp: {} }, models: { default: thinker }, ...(embeds ? { embeddings } : {}) };
  const planner = plannerOf({ kind: 'llm', strategy: 'grounded' }, around);
  return advance(planner, { ...brief, goal, capabilities: given }, said);
}

function callOf(progress: PlannerProgress) {
  if (progress.done) throw new Error(JSON.stringify(progress));
  return progress.call;
}

function shownIn(progress: PlannerProgress): readonly string[] {
  const call = callOf(progress);
  if (call.kind !== 'model') throw new Error(call.kind);
  return call.request.messages[1]?.content.match(/^[a-z]+\.[a-z_0-9]+(?=\()/gm) ?? [];
}

it('a grounded prompt shows a tool for a late part of the goal, and not the whole catalog', () => {
  const shown = shownIn(asked([], false));
  expect(shown).toContain('desk.list_tickets');
  expect(shown).not.toContain('shop.refund_order');
  expect(shown.length).toBeLessThan(capabilities.length);
});

it('a grounded prompt does not depend on the order of the declarations', () => {
  const turned = callOf(asked([], false, capabilities.toReversed()));
  expect(turned).toEqual(callOf(asked([], false)));
});

it('a grounded prompt shows a tool that only embeddings find, after one request for all parts', () => {
  const first = callOf(asked([], true));
  if (first.kind !== 'embeddings') throw new Error(first.kind);
  const { goals, texts } = first.request;
  expect(goals).toContain('give customers their money back');
  const alike = goals.map(() => texts.map((text) => (text.startsWith('shop refund') ? 0.9 : 0.1)));
  expect(shownIn(asked([good({ alike })], true))).toContain('shop.refund_order');
});

it('a grounded prompt shows the tools found by words when the embeddings model is unreachable', () => {
  const down: CallOutcome = bad({ code: 'MODEL_UNAVAILABLE', message: 'down', retry: 'never' });
  expect(shownIn(asked([down], true))).toContain('desk.list_tickets');
});
