// The conversation of an agent with its model: kept whole while it is short, its older tool results summed up when it is not.
import type { Json } from '../../base/json.ts';
import { compact, nothingYet, type Summary, type Turn } from '../../context/compactor.ts';
import { plainView } from '../../context/shrink.ts';
import type { CountTokens } from '../../context/tokens.ts';
import type { Declaration } from '../../contract/declaration.ts';
import type { ModelReply } from '../../model/reply.ts';
import type { Message, ToolCall } from '../../model/request.ts';

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

/** Of one result, before anything is summed up. */
const MOST_BYTES = 16_000;
/** The latest exchanges stay as they are. */
const LATEST = 2;
/** Of the room for the whole conversation, what the sum of the older exchanges may take. */
const SUMMED = 1 / 3;

export interface Room {
  readonly maxTokens: number;
  readonly countTokens: CountTokens;
}

/** The messages after the task. */
export function messagesOf(exchanges: readonly Exchange[], { maxTokens, countTokens }: Room): readonly Message[] {
  const whole = exchanges.flatMap(asMessages);
  const size = whole.reduce((sum, message) => sum + countTokens(JSON.stringify(message)), 0);
  if (size <= maxTokens || exchanges.length <= LATEST) return whole;
  const older = exchanges.slice(0, -LATEST);
  const summary = sumUp(older, { maxTokens: Math.floor(maxTokens * SUMMED), countTokens });
  const told = `What your earlier tool calls brought, in short:\n<data name="earlier">\n${JSON.stringify(summary.body)}\n</data>`;
  return [{ role: 'user', content: told }, ...exchanges.slice(-LATEST).flatMap(asMessages)];
}

function asMessages({ reply, results, says }: Exchange): readonly Message[] {
  const { text, toolCalls } = reply;
  const answer: Message = {
    role: 'assistant',
    content: text,
    ...(toolCalls === undefined || results.length === 0 ? {} : { toolCalls: results.map(({ call }) => call) }),
  };
  const tools = results.map(({ call, value }): Message => ({ role: 'tool', callId: call.id, content: shown(value) }));
  return [answer, ...tools, ...(says === undefined ? [] : [{ role: 'user', content: says } as const])];
}

function shown(value: Json): string {
  return typeof value === 'string' && value.length <= MOST_BYTES
    ? value
    : JSON.stringify(plainView(value).show(MOST_BYTES));
}

function sumUp(exchanges: readonly Exchange[], room: Room): Summary {
  let summary = nothingYet;
  for (const turn of exchanges.flatMap(asTurns)) {
    const merged = compact(summary, turn, room);
    if (merged.ok) summary = merged.value;
  }
  return summary;
}

function asTurns({ results }: Exchange, at: number): readonly Turn[] {
  return results.map(({ call, declaration, value }, index) => ({
    id: `${at + 1}.${index + 1} ${call.name}`,
    result: { asked: call.arguments, answered: value },
    ...(declaration === undefined ? {} : { capability: declaration.name }),
  }));
}
