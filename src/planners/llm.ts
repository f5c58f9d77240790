// The model planner: its conversation grows with looks, answers of people and corrections, until the model brings a fragment.
import { failure } from '../base/failure.ts';
import { ownProperty } from '../base/json.ts';
import { bad, good } from '../base/result.ts';
import { PLANNER_TURNS } from '../engine/bound/most-model-use.ts';
import type { ModelReply } from '../model/reply.ts';
import type { Message } from '../model/request.ts';
import type { Brief } from '../planning/brief.ts';
import { questionIn } from '../planning/question.ts';
import { readReplyText, whyNoPlan } from '../planning/read/reply-text.ts';
import type { MissingStrategy } from '../template/keys/missing.ts';
import type { NamedModel } from '../template/model-use.ts';
import { answerLooks, looksOf } from './llm/answer-looks.ts';
import { planShape } from './llm/answer-shape.ts';
import { conversationOf } from './llm/planning-message.ts';
import { type PlanningSystem, type PromptTemplate, planningSystem, systemForBrief } from './llm/planning-system.ts';
import type { Planner, PlannerReply, Proposal } from './planner.ts';
import { askPlanningModel, type PromptForm } from './prompt-form.ts';

/** The most retries of one proposal that is no fragment or was cut off. */
const MOST_MENDED = 2;
const CUT_OFF = 'Your answer was cut off at its longest.';
const SMALLER = 'Answer again, with a smaller plan.';
const FRAGMENT_ALONE = 'Answer with the fragment as JSON and nothing else.';
const PLAN_NOW = 'Now answer with the fragment.';

/**
 * With `synthesize` in `missing`, the model may write missing capabilities itself. Without `template`, the system message shows
 * the capabilities of the brief.
 */
export function llmPlanner(
  model: NamedModel | undefined,
  missing: readonly MissingStrategy[] = [],
  template?: PromptTemplate,
): Planner {
  if (model === undefined) return { propose: unconfigured };
  const mayWrite = missing.includes('synthesize');
  return {
    propose: (brief) => {
      const system = template === undefined ? systemForBrief(brief, mayWrite) : planningSystem(template, mayWrite);
      return propose(brief, model, system, { rules: system.prompt, shape: planShape(brief, mayWrite) });
    },
  };
}

// biome-ignore lint/correctness/useYield: it asks for nothing
function* unconfigured(): Proposal {
  const message = 'a planner of kind "llm" needs a model, and none is configured';
  return bad(failure('MODEL_NOT_CONFIGURED', message, { retry: 'never' }));
}

function* propose(brief: Brief, model: NamedModel, { listed }: PlanningSystem, form: PromptForm): Proposal {
  const said: Message[] = [];
  const answered = new Set<string>();
  const mostTurns = PLANNER_TURNS + (brief.clarifications?.length ?? 0);
  let mended = 0;
  for (let turn = 1; ; turn++) {
    const isLast = turn === mostTurns;
    const asked = yield* askPlanningModel(model, form, [...conversationOf(brief, listed, answered), ...said]);
    if (!asked.ok) return asked;
    const { value: reply } = asked;
    if (reply.finish === 'refusal' || reply.finish === 'filter') return refused(reply);
    const go = (says: string) =>
      said.push({ role: 'assistant', content: answerOf(reply) }, { role: 'user', content: says });
    const looks = isLast || reply.finish === 'length' ? undefined : looksOf(reply);
    if (looks !== undefined) {
      const shown = yield* answerLooks(looks, brief);
      go(`${shown}\n${turn + 1 === mostTurns ? 'You have looked as often as you may. ' : ''}${PLAN_NOW}`);
      continue;
    }
    const read = reply.finish === 'length' ? undefined : readReplyText(reply.text);
    const wrong = reply.finish === 'length' ? CUT_OFF : whyNoPlan(reply.text);
    if (wrong !== undefined && !isLast && mended < MOST_MENDED) {
      mended += 1;
      go(`${wrong} ${reply.finish === 'length' ? SMALLER : FRAGMENT_ALONE}`);
      continue;
    }
    if (read === undefined) return unread(reply, model.name);
    const asks = questionIn(read.value);
    const question = typeof asks === 'string' ? asks : ownProperty(asks ?? null, 'question');
    if (typeof question !== 'string' || isLast) return good({ fragment: read.value });
    const answer = yield { kind: 'question', question };
    answered.add(question);
    go(`The answer: ${answer.ok ? JSON.stringify(answer.value) : 'nobody answered'}\n${PLAN_NOW}`);
  }
}

/** Tool calls of earlier versions are repeated as looks, because no tools are offered any more. */
function answerOf({ text, toolCalls = [] }: ModelReply): string {
  if (toolCalls.length === 0) return text;
  return JSON.stringify({ look: toolCalls.map(({ arguments: request }) => request) });
}

/** Passes unreadable text on to the review; a plan that was cut off is a failure of its own. */
function unread({ finish, text }: ModelReply, model: string): PlannerReply {
  if (finish !== 'length') return good({ fragment: text });
  const message = `the model ${model} was cut off each time before its plan was whole; raise its max_output_tokens`;
  return bad(failure('PLAN_CUT_OFF', message, { retry: 'never' }));
}

function refused({ finish, text }: ModelReply): PlannerReply {
  return bad(
    finish === 'refusal'
      ? failure('MODEL_REFUSED', `the model refuses: ${text}`, { retry: 'never' })
      : failure('MODEL_FILTERED', "the provider's filter let no answer through", { retry: 'never' }),
  );
}
