// Scripted model outcomes for tests of the core: answers, tool calls and failures, each with a bill; and worlds with real planners.

import type { Json } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import type { Amount } from '../../src/budget/amount.ts';
import type { Call } from '../../src/engine/record/call.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { AskModel, AskPlanner } from '../../src/engine/record/effect.ts';
import type { ModelReply } from '../../src/model/reply.ts';
import type { Message } from '../../src/model/request.ts';
import { advance } from '../../src/planners/planner.ts';
import { plannerOf } from '../../src/planners/planner-of.ts';
import type { Template } from '../../src/template/template.ts';
import type { World } from '../../src/testing/world.ts';

/** Ten tokens read and ten written, at a micro-dollar each. */
const usual: Amount = { llm_calls: 1, tokens_in: 10, tokens_out: 10, cost_usd: 20 };

export function says(answer: Json, more: Partial<ModelReply> = {}, bill: Amount = usual): EffectOutcome {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  const reply: ModelReply = { text, finish: 'stop', usage: { input: 10, output: 10 }, ...more };
  return { ...good(JSON.parse(JSON.stringify(reply))), bill };
}

/** `search` with `{"q": 1}`: the model calls these tools in one answer. */
export function calls(...tools: readonly (readonly [name: string, input: Json])[]): EffectOutcome {
  const toolCalls = tools.map(([name, input], at) => ({ id: `c${at + 1}`, name, arguments: input }));
  return says('', { toolCalls, finish: 'tool_calls' });
}

export function asks(question: string): EffectOutcome {
  return calls(['ask_person', { question }]);
}

/** A failed try costs one call and no tokens. */
export function trouble(
  code: string,
  more: { readonly retry?: 'may' | 'never'; readonly retryAfter?: number } = {},
): EffectOutcome {
  return { ...bad({ code, message: code, retry: 'may', ...more }), bill: { llm_calls: 1 } };
}

/** Runs the real planners of kinds that ask only models and the run. */
export function plans(
  template: Template,
  { planner, brief, said }: AskPlanner,
): EffectOutcome | { readonly asks: Call } {
  const progress = advance(plannerOf(planner, template), brief, said);
  if (!progress.done) return { asks: progress.call };
  const { end } = progress;
  return end.ok ? good(end.value.fragment) : end;
}

/** The requests to models in a world, in order. */
export function askedOf({ performed }: World): readonly AskModel[] {
  return performed.flatMap((work) => (work.type === 'ask-model' ? [work] : []));
}

export function toldIn({ request: { messages } }: AskModel): string {
  return messages.map(textOf).join('\n');
}

function textOf({ role, content }: Message): string {
  return `${role}: ${content}`;
}

/** Answers requests for the tools of a goal with no tool, and all other requests as given. */
export function choosesNone<T>(model: (asked: AskModel) => T): (asked: AskModel) => T | EffectOutcome {
  const choices = Array.from({ length: 20 }, (_, index) => ({ task: index + 1, none: 'no tool does it' }));
  return (asked) => (asked.request.answer?.name === 'choices' ? says({ choices }) : model(asked));
}

/** Gives one answer after the other; the last one repeats. */
export function inTurn<T>(...all: readonly T[]): () => T | undefined {
  let next = 0;
  return () => all[Math.min(next++, all.length - 1)];
}
