// The model planner: lets a model look up results, and asks again when its answer is not JSON.
import { failure } from '../base/failure.ts';
import { isJsonObject, ownProperty } from '../base/json.ts';
import { bad, good } from '../base/result.ts';
import { MOST_CALLS_PER_TURN } from '../engine/agent/agent-work.ts';
import { PLANNER_TURNS } from '../engine/bound/most-model-use.ts';
import type { Work } from '../engine/record/call.ts';
import type { ModelReply } from '../model/reply.ts';
import type { Message, ToolCall, ToolOffer } from '../model/request.ts';
import type { Brief } from '../planning/brief.ts';
import { questionIn } from '../planning/question.ts';
import { readReplyText, whyNoPlan } from '../planning/read/reply-text.ts';
import type { MissingStrategy } from '../template/keys/missing.ts';
import type { NamedModel } from '../template/model-use.ts';
import { planShape } from './llm/answer-shape.ts';
import { briefText, planningRules, writingPlanRules } from './llm/planning-prompt.ts';
import type { Planner, PlannerReply, Proposal } from './planner.ts';
import { askPlanningModel, type PromptForm } from './prompt-form.ts';

const fetchContext: ToolOffer = {
  name: 'fetch_context',
  description: 'Shows more of a result that the packet only outlines or leaves out.',
  input: {
    type: 'object',
    required: ['ref'],
    properties: {
      ref: { type: 'string', description: 'The result, as the packet refers to it: plan_recon.1/sniff#1' },
      path: { type: 'string', description: 'Where in the result: files.0.name; * stands for every item.' },
    },
    additionalProperties: false,
  },
};

/** The most retries of one proposal that is no fragment or was cut off. */
const MOST_MENDED = 2;
const CUT_OFF = 'Your answer was cut off at its longest.';
const SMALLER = 'Answer again, with a smaller plan.';
const FRAGMENT_ALONE = 'Answer with the fragment as JSON and nothing else.';

/** With `synthesize` in `missing`, the model may write missing capabilities itself. */
export function llmPlanner(model: NamedModel | undefined, missing: readonly MissingStrategy[] = []): Planner {
  const writes = missing.includes('synthesize');
  const rules = writes ? writingPlanRules : planningRules;
  return {
    propose: (brief) =>
      model === undefined ? unconfigured() : propose(brief, model, { rules, shape: planShape(brief, writes) }),
  };
}

// biome-ignore lint/correctness/useYield: it asks for nothing
function* unconfigured(): Proposal {
  const message = 'a planner of kind "llm" needs a model, and none is configured';
  return bad(failure('MODEL_NOT_CONFIGURED', message, { retry: 'never' }));
}

function* propose(brief: Brief, model: NamedModel, form: PromptForm): Proposal {
  const messages: Message[] = [{ role: 'user', content: briefText(brief) }];
  const mostTurns = PLANNER_TURNS + (brief.clarifications?.length ?? 0);
  let mended = 0;
  for (let turn = 1; ; turn++) {
    const isLast = turn === mostTurns;
    const asked = yield* askPlanningModel(model, form, messages, isLast ? undefined : [fetchContext]);
    if (!asked.ok) return asked;
    const { value: reply } = asked;
    if (reply.finish === 'refusal' || reply.finish === 'filter') return refused(reply);
    const looks = reply.toolCalls ?? [];
    if (looks.length > 0 && !isLast) {
      messages.push({ role: 'assistant', content: reply.text, toolCalls: looks });
      for (const [index, call] of looks.entries()) {
        const content =
          index < MOST_CALLS_PER_TURN ? yield* look(call) : `not looked up: at most ${MOST_CALLS_PER_TURN} at once`;
        messages.push({ role: 'tool', callId: call.id, content });
      }
      continue;
    }
    const read = reply.finish === 'length' ? undefined : readReplyText(reply.text);
    const wrong = reply.finish === 'length' ? CUT_OFF : whyNoPlan(reply.text);
    if (wrong !== undefined && !isLast && mended < MOST_MENDED) {
      mended += 1;
      const says = `${wrong} ${reply.finish === 'length' ? SMALLER : FRAGMENT_ALONE}`;
      messages.push({ role: 'assistant', content: reply.text }, { role: 'user', content: says });
      continue;
    }
    if (read === undefined) return unread(reply, model.name);
    const asks = questionIn(read.value);
    const question = typeof asks === 'string' ? asks : ownProperty(asks ?? null, 'question');
    if (typeof question !== 'string' || isLast) return good({ fragment: read.value });
    const answered = yield { kind: 'question', question };
    const said = answered.ok ? JSON.stringify(answered.value) : 'nobody answered';
    messages.push(
      { role: 'assistant', content: reply.text },
      { role: 'user', content: `The answer: ${said}\nNow answer with the fragment.` },
    );
  }
}

function* look({ name, arguments: request }: ToolCall): Work<string> {
  if (name !== fetchContext.name) return `there is no tool "${name}"; you have ${fetchContext.name}`;
  if (!isJsonObject(request)) return 'its arguments are not an object: {"ref": "…", "path": "…"}';
  const found = yield { kind: 'look_up', request };
  return found.ok ? JSON.stringify(found.value) : `${found.error.code}: ${found.error.message}`;
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
