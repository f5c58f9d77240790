// The loop of an agent: ask its model, call its tools, take its answer, and have it mended when it does not fit.
import { counted } from '../../base/counted.ts';
import { type Failure, failure } from '../../base/failure.ts';
import { type Json, ownProperty } from '../../base/json.ts';
import type { ModelReply } from '../../model/reply.ts';
import type { ModelRequest, ToolCall, ToolOffer } from '../../model/request.ts';
import type { AgentUse } from '../../template/agent-spec.ts';
import type { Attachment } from '../../template/attachment.ts';
import { modelNamed } from '../../template/model-named.ts';
import { CLARIFICATIONS } from '../../template/step-spec.ts';
import type { Batch } from '../batch.ts';
import type { Work } from '../call/call.ts';
import { clarificationsOf } from '../phase/packet-request.ts';
import type { Step } from '../state.ts';
import { outputOf } from '../step/check-result.ts';
import { agentOf } from '../step/performer.ts';
import { agentRules, taskText } from './agent-prompt.ts';
import { readAnswer } from './answer.ts';
import { askModel } from './ask-model.ts';
import { type Exchange, messagesOf, type Room, type ToolResult } from './conversation.ts';
import { readToolCall, type Tools, toolsOf } from './tools.ts';

type Done = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly failure: Failure };

/** Tool calls of one answer that are made; the model is told of the others. */
const MOST_AT_ONCE = 8;
/** Where a profile does not say how much fits. */
const WINDOW = 32_000;

const askPerson: ToolOffer = {
  name: 'ask_person',
  description: 'Asks the person in charge one question that only they can answer, and waits for the answer.',
  input: {
    type: 'object',
    required: ['question'],
    properties: { question: { type: 'string', description: 'In plain words, with examples of answers.' } },
    additionalProperties: false,
  },
};

/** Its value is what the agent answered; `{needs_clarification}` when a person has to be asked first. */
export function* agentWork(
  batch: Batch,
  step: Step,
  use: AgentUse,
  input: Json,
  attachments: readonly Attachment[],
): Work<Done> {
  const { state, countTokens, values } = batch;
  const agent = agentOf(state, use);
  const model = modelNamed(state.template.models, agent.model);
  if (model === undefined) return { ok: false, failure: failure('MODEL_NOT_CONFIGURED', missing(use), never) };
  const { name, profile } = model;
  const tools = toolsOf(state.template.capabilities, agent.tools);
  const schema = outputOf(state, step);
  const answers = clarificationsOf(step, values);
  const room: Room = { maxTokens: Math.floor((profile.contextWindow ?? WINDOW) / 2), countTokens };
  const description = step.spec.description ?? agent.description ?? `do the step "${step.spec.name}"`;
  const task = { description, input, attachments, ...(step.feedback === undefined ? {} : { feedback: step.feedback }) };
  const exchanges: Exchange[] = [];
  for (let turn = 1; turn <= agent.maxTurns; turn++) {
    const mayAsk = answers.length < (step.spec.maxClarifications ?? CLARIFICATIONS);
    const offers = turn === agent.maxTurns ? [] : [...tools.offers, ...(mayAsk ? [askPerson] : [])];
    const request: ModelRequest = {
      model: name,
      messages: [
        { role: 'system', content: `${agent.prompt}\n\n${agentRules.text}` },
        { role: 'user', content: taskText(task) },
        ...messagesOf(exchanges, room),
      ],
      ...(offers.length === 0 ? {} : { tools: offers }),
      ...(schema === undefined ? {} : { answer: { name: 'result', schema } }),
      ...(profile.temperature === undefined ? {} : { temperature: profile.temperature }),
    };
    const { stamp: prompt } = agentRules;
    const asked = yield* askModel({ purpose: 'turn', request, prompt, maxRetries: profile.maxRetries });
    if (!asked.ok) return asked;
    const { reply } = asked;
    const refused = refusalIn(reply);
    if (refused !== undefined) return { ok: false, failure: refused };
    if (reply.toolCalls !== undefined && reply.toolCalls.length > 0) {
      const question = questionIn(reply);
      const answer = answers.find((each) => each.question === question);
      if (question !== undefined && answer === undefined && mayAsk) {
        return { ok: true, value: { needs_clarification: { question } } };
      }
      exchanges.push({ reply, results: yield* callTools(tools, reply.toolCalls, answer?.answer) });
      continue;
    }
    const answered = readAnswer(reply, schema);
    if (answered.ok) return answered;
    exchanges.push({ reply, results: [], says: answered.says });
  }
  const last = exchanges.at(-1)?.says;
  const why = last === undefined ? 'it still wants to call tools' : `the last thing it was told: ${last}`;
  const message = `agent "${agent.name}" has no answer after ${counted(agent.maxTurns, 'turn')} (max_turns): ${why}`;
  return { ok: false, failure: failure('AGENT_TURNS_EXCEEDED', message) };
}

const never = { retry: 'never' } as const;

function missing({ name }: AgentUse): string {
  return `agent "${name}" needs a model, and none is configured`;
}

function refusalIn({ finish, text }: ModelReply): Failure | undefined {
  if (finish === 'refusal') return failure('MODEL_REFUSED', `the model refuses: ${text}`, never);
  return finish === 'filter'
    ? failure('MODEL_FILTERED', "the provider's filter let no answer through", never)
    : undefined;
}

function questionIn({ toolCalls = [] }: ModelReply): string | undefined {
  const asks = toolCalls.find(({ name }) => name === askPerson.name);
  const question = asks === undefined ? undefined : ownProperty(asks.arguments, 'question');
  return typeof question === 'string' && question.trim() !== '' ? question : undefined;
}

/** One after the other, each an effect of its own; what cannot be called is told to the model in its place. */
function* callTools(tools: Tools, calls: readonly ToolCall[], said: Json | undefined): Work<readonly ToolResult[]> {
  const results: ToolResult[] = [];
  for (const [index, call] of calls.entries()) {
    if (call.name === askPerson.name) {
      results.push({ call, value: said ?? 'you may not ask any more; go on with what you know' });
      continue;
    }
    const read = readToolCall(tools, call);
    if (index >= MOST_AT_ONCE) results.push({ call, value: `not called: at most ${MOST_AT_ONCE} calls at once` });
    else if (!read.ok) results.push({ call, value: read.says });
    else {
      const outcome = yield { kind: 'capability', name: read.capability, input: read.input };
      const value = outcome.ok ? outcome.value : { failed: outcome.failure.code, message: outcome.failure.message };
      const declaration = tools.byName.get(call.name);
      results.push({ call, value, ...(declaration ? { declaration } : {}) });
    }
  }
  return results;
}
