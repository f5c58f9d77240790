// Splits a request to a model into the beginning that an earlier request has too, which servers may cache, and the rest.
import { isJsonArray, isJsonObject, type Json, ownProperty } from '../../base/json.ts';
import type { EventOf, Recorded } from '../../engine/record/event.schema.ts';

export interface RequestParts {
  /** Absent when no earlier call has the same prompt. */
  readonly prefix?: SharedPrefix;
  /** The messages after the prefix; the first one without its shared beginning. */
  readonly rest: readonly ShownMessage[];
}

export interface SharedPrefix {
  /** The earlier call: the last one of the step, or else the last one with the same prompt. */
  readonly step: string;
  /** `1.2`: the second call of the first attempt. */
  readonly call: string;
  /** Whole messages. */
  readonly messages: number;
  readonly characters: number;
  /** The part of all characters of the request, from 0 to 1. */
  readonly share: number;
}

interface ShownMessage {
  readonly role: string;
  readonly content: string;
}

type CallStarted = EventOf<'call.started'>;

/** Undefined for a call that is no request to a model. `blob` reads the JSON that the run keeps under a digest. */
export function requestParts(
  events: readonly Recorded[],
  asked: { readonly step: string; readonly request: string; readonly startedAt: number },
  blob: (digest: string) => string | undefined,
): RequestParts | undefined {
  const index = events.findLastIndex(
    ({ at, event }) =>
      at === asked.startedAt &&
      event.type === 'call.started' &&
      event.step === asked.step &&
      event.request === asked.request,
  );
  const event = events[index]?.event;
  if (event?.type !== 'call.started' || event.kind !== 'model') return undefined;
  const messages = messagesIn(blob(event.request));
  const before = earlierCall(events.slice(0, index), event);
  if (before === undefined) return { rest: messages };
  const shared = sharedWith(messages, messagesIn(blob(before.request)));
  const total = charactersIn(messages);
  const prefix = {
    step: before.step,
    call: `${before.attempt}.${before.call}`,
    messages: shared.messages,
    characters: total - charactersIn(shared.rest),
    share: total === 0 ? 0 : Number(((total - charactersIn(shared.rest)) / total).toFixed(2)),
  };
  return { prefix, rest: shared.rest };
}

function earlierCall(events: readonly Recorded[], asked: CallStarted): CallStarted | undefined {
  const alike = events.flatMap(({ event }) =>
    event.type === 'call.started' && event.kind === 'model' && event.name === asked.name ? [event] : [],
  );
  return (
    alike.findLast(({ step }) => step === asked.step) ??
    alike.findLast(({ prompt }) => prompt !== undefined && nameOf(prompt) === nameOf(asked.prompt))
  );
}

/** `llm-planner@3 3f2a91c04d5e` has the name `llm-planner`. */
function nameOf(prompt: string | undefined): string | undefined {
  return prompt?.split('@')[0];
}

function messagesIn(request: string | undefined): readonly ShownMessage[] {
  const messages = ownProperty(JSON.parse(request ?? 'null') as Json, 'messages');
  return (isJsonArray(messages) ? messages : []).map((message) => {
    const { role = '', content = '', toolCalls } = isJsonObject(message) ? message : {};
    const calls = toolCalls === undefined ? '' : JSON.stringify(toolCalls);
    return { role: String(role), content: `${String(content)}${calls}` };
  });
}

function sharedWith(
  messages: readonly ShownMessage[],
  before: readonly ShownMessage[],
): { readonly messages: number; readonly rest: readonly ShownMessage[] } {
  const isSame = (message: ShownMessage, at: number): boolean =>
    message.role === before[at]?.role && message.content === before[at]?.content;
  const first = messages.findIndex((message, at) => !isSame(message, at));
  if (first < 0) return { messages: messages.length, rest: [] };
  const [changed, ...others] = messages.slice(first);
  const other = before[first];
  if (changed === undefined || other?.role !== changed.role) return { messages: first, rest: messages.slice(first) };
  const { content } = changed;
  let length = 0;
  while (length < content.length && content[length] === other.content[length]) length += 1;
  return { messages: first, rest: [{ ...changed, content: content.slice(length) }, ...others] };
}

function charactersIn(messages: readonly ShownMessage[]): number {
  return messages.reduce((sum, { content }) => sum + content.length, 0);
}
