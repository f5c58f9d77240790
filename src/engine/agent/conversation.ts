// The conversation of an agent with its model: kept whole while it is short, later with older tool results summarized.
import { defined, type Json } from '../../base/json.ts';
import { type ConversationSummary, type ConversationTurn, compact, nothingYet } from '../../context/compactor.ts';
import { plainView } from '../../context/shrink.ts';
import type { CountTokens } from '../../context/tokens.ts';
import type { Declaration } from '../../contract/declaration.ts';
import type { ModelReply } from '../../model/reply.ts';
import type { Message, ToolCall } from '../../model/request.ts';
import { dataText } from './prompt.ts';

/** The result of one tool call of an exchange. */
export interface ToolResult {
  readonly call: ToolCall;
  /** Absent where no capability was called: for a refused call, or an answer of a person. */
  readonly declaration?: Declaration;
  readonly value: Json;
}

/** One answer of the model, and the engine's response to it. */
export interface Exchange {
  readonly reply: ModelReply;
  readonly results: readonly ToolResult[];
  /** The correction that the model reads after an unusable answer. */
  readonly says?: string;
}

/** Bytes of one result that are shown: at most, and when room is short. */
const MOST_BYTES = 16_000;
const LEAST_BYTES = 500;
/** The number of latest exchanges that are kept in full, as far as there is room. */
const LATEST = 2;
/** The share of the room that the summary of older exchanges may take. */
const SUMMED = 1 / 3;

export interface PromptRoom {
  readonly maxTokens: number;
  readonly countTokens: CountTokens;
}

/** The messages after the task. */
export function messagesOf(exchanges: readonly Exchange[], room: PromptRoom): readonly Message[] {
  const whole = exchanges.flatMap((each) => asMessages(each, MOST_BYTES));
  if (fits(whole, room)) return whole;
  const earlier = summarizeResults(exchanges.slice(0, -LATEST), room);
  const latest = exchanges.slice(-LATEST);
  for (let most = MOST_BYTES; ; most /= 2) {
    const messages = [...earlier, ...latest.flatMap((each) => asMessages(each, most))];
    if (most <= LEAST_BYTES || fits(messages, room)) return messages;
  }
}

function fits(messages: readonly Message[], { maxTokens, countTokens }: PromptRoom): boolean {
  return messages.reduce((sum, message) => sum + countTokens(JSON.stringify(message)), 0) <= maxTokens;
}

function asMessages({ reply, results, says }: Exchange, most: number): readonly Message[] {
  const { text, toolCalls, extra } = reply;
  const answer: Message = {
    role: 'assistant',
    content: text,
    ...(toolCalls === undefined || results.length === 0 ? {} : { toolCalls: results.map(({ call }) => call) }),
    ...defined({ extra }),
  };
  const tools = results.map(
    ({ call, value }): Message => ({ role: 'tool', callId: call.id, content: shown(value, most) }),
  );
  return [answer, ...tools, ...(says === undefined ? [] : [{ role: 'user', content: says } as const])];
}

function shown(value: Json, most: number): string {
  if (typeof value === 'string' && value.length <= most) return value;
  return JSON.stringify(plainView(value).show(most));
}

function summarizeResults(exchanges: readonly Exchange[], { maxTokens, countTokens }: PromptRoom): readonly Message[] {
  const turns = exchanges.flatMap(asTurns);
  if (turns.length === 0) return [];
  const room = { maxTokens: Math.floor(maxTokens * SUMMED), countTokens };
  const { body } = turns.reduce<ConversationSummary>((summary, turn) => {
    const merged = compact(summary, turn, room);
    return merged.ok ? merged.value : summary;
  }, nothingYet);
  const content = `What your earlier tool calls brought, in short:\n${dataText('earlier', body)}`;
  return [{ role: 'user', content }];
}

function asTurns({ results }: Exchange, at: number): readonly ConversationTurn[] {
  return results.map(({ call, declaration, value }, index) => ({
    id: `${at + 1}.${index + 1} ${call.name}`,
    result: { asked: call.arguments, answered: value },
    ...defined({ capability: declaration === undefined ? undefined : declaration.name }),
  }));
}
