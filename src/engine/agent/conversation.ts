// The conversation of an agent with its model: kept whole while it is short, its older tool results summed up when it is not.
import { defined, type Json } from '../../base/json.ts';
import { type ConversationSummary, type ConversationTurn, compact, nothingYet } from '../../context/compactor.ts';
import { plainView } from '../../context/shrink.ts';
import type { CountTokens } from '../../context/tokens.ts';
import type { Declaration } from '../../contract/declaration.ts';
import type { ModelReply } from '../../model/reply.ts';
import type { Message, ToolCall } from '../../model/request.ts';
import { dataText } from './prompt.ts';

/** What one tool call of an exchange brought. */
export interface ToolResult {
  readonly call: ToolCall;
  /** Absent for what was not called: a mistake, or an answer of a person. */
  readonly declaration?: Declaration;
  readonly value: Json;
}

/** One answer of the model, and what it was told on it. */
export interface Exchange {
  readonly reply: ModelReply;
  readonly results: readonly ToolResult[];
  /** What it was told instead, where its answer would not do. */
  readonly says?: string;
}

/** Of one result at first, and when there is no room for more. */
const MOST_BYTES = 16_000;
const LEAST_BYTES = 500;
/** The latest exchanges are told as they were, as much of each result as there is room for. */
const LATEST = 2;
/** Of the room for the whole conversation, what the sum of the older exchanges may take. */
const SUMMED = 1 / 3;

export interface Room {
  readonly maxTokens: number;
  readonly countTokens: CountTokens;
}

/** The messages after the task. */
export function messagesOf(exchanges: readonly Exchange[], room: Room): readonly Message[] {
  const whole = exchanges.flatMap((each) => asMessages(each, MOST_BYTES));
  if (fits(whole, room)) return whole;
  const earlier = sumUp(exchanges.slice(0, -LATEST), room);
  const latest = exchanges.slice(-LATEST);
  for (let most = MOST_BYTES; ; most /= 2) {
    const messages = [...earlier, ...latest.flatMap((each) => asMessages(each, most))];
    if (most <= LEAST_BYTES || fits(messages, room)) return messages;
  }
}

function fits(messages: readonly Message[], { maxTokens, countTokens }: Room): boolean {
  return messages.reduce((sum, message) => sum + countTokens(JSON.stringify(message)), 0) <= maxTokens;
}

function asMessages({ reply, results, says }: Exchange, most: number): readonly Message[] {
  const { text, toolCalls } = reply;
  const answer: Message = {
    role: 'assistant',
    content: text,
    ...(toolCalls === undefined || results.length === 0 ? {} : { toolCalls: results.map(({ call }) => call) }),
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

function sumUp(exchanges: readonly Exchange[], { maxTokens, countTokens }: Room): readonly Message[] {
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
