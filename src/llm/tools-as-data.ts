// Tools for servers that take none: described in the system message, and called with JSON in the reply.

import { defined, isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../base/json.ts';
import { grammarSchema } from '../contract/grammar-schema.ts';
import { dataText } from '../engine/agent/prompt.ts';
import { readValue } from '../model/read-value.ts';
import type { ModelReply } from '../model/reply.ts';
import type { AnswerShape, Message, ModelRequest, ToolCall, ToolOffer } from '../model/request.ts';
import { withSystemText } from './system-text.ts';
import { writtenCalls } from './written-calls.ts';

/** The same request without tools. Its answer is `{"call": …}` or `{"answer": …}`, while calls are allowed. */
export function withoutTools(request: ModelRequest): ModelRequest {
  const { tools = [], toolChoice, answer, messages, ...rest } = request;
  const told = messages.reduce<readonly Message[]>(addAsText, []);
  if (tools.length === 0) return { ...rest, messages: told, ...defined({ answer }) };
  const mayCall = toolChoice !== 'none';
  const shape = answerShape(tools, answer, mayCall);
  return { ...rest, messages: withSystemText(told, instructions(tools, answer, mayCall)), answer: shape };
}

/** Tells the tool calls of some messages, and their results, in words. */
export function callsAsText(messages: readonly Message[], isTold: (message: Message) => boolean): readonly Message[] {
  const told = new Set(
    messages.flatMap((message) =>
      message.role === 'assistant' && isTold(message) ? (message.toolCalls ?? []).map(({ id }) => id) : [],
    ),
  );
  if (told.size === 0) return messages;
  let before: readonly Message[] = [];
  for (const message of messages) {
    const isText = message.role === 'tool' ? told.has(message.callId) : isTold(message);
    before = isText || isTextAfter(before, message) ? addAsText(before, message) : before.concat(message);
  }
  return before;
}

/** A message of the user after results in words becomes one with them. */
function isTextAfter(before: readonly Message[], { role }: Message): boolean {
  return role === 'user' && before.at(-1)?.role === 'user';
}

function instructions(tools: readonly ToolOffer[], answer: AnswerShape | undefined, mayCall: boolean): string {
  const told = answer === undefined ? 'your answer as text' : `a value that fits ${JSON.stringify(answer.schema)}`;
  const answering = `{"answer": …} with ${told}`;
  if (!mayCall) {
    return `You may call no more tools. Answer now, with one JSON value and nothing else around it: ${answering}`;
  }
  const offers = tools.map(({ name, description, input }) => `- ${name}: ${description}\n  ${JSON.stringify(input)}`);
  return [
    'Tools that you may call, each with the JSON Schema of its arguments:',
    ...offers,
    'Answer with one JSON value and nothing else around it.',
    'To call a tool: {"call": {"name": "the name of the tool", "arguments": {…}}}. You then read its result.',
    `When you are done: ${answering}`,
  ].join('\n');
}

/** Keeps servers with a grammar to the two forms. References in the answer's schema would break inside another schema. */
function answerShape(tools: readonly ToolOffer[], answer: AnswerShape | undefined, mayCall: boolean): AnswerShape {
  const own = answer?.schema ?? { type: 'string' };
  const value = JSON.stringify(own).includes('"$ref"') ? {} : own;
  const calls = tools.map(({ name, input }) =>
    closed({ call: closed({ name: { type: 'string', enum: [name] }, arguments: grammarSchema(input) }) }),
  );
  const forms = [...(mayCall ? calls : []), closed({ answer: value })];
  const [only, another] = forms;
  const schema = another === undefined && only !== undefined ? only : { type: 'object', anyOf: forms };
  return { name: 'call_or_answer', schema };
}

function closed(properties: JsonObject): JsonObject {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** Adds a message, with tool calls and their results as text. Neighbors of one role become one message. */
function addAsText(messages: readonly Message[], message: Message): readonly Message[] {
  const plain = asText(message);
  const last = messages.at(-1);
  if (last === undefined || last.role !== plain.role || last.role === 'tool' || plain.role === 'system') {
    return [...messages, plain];
  }
  return [...messages.slice(0, -1), { ...last, content: `${last.content}\n\n${plain.content}` }];
}

function asText(message: Message): Message {
  if (message.role === 'tool') {
    return {
      role: 'user',
      content: `The result of the call ${message.callId}:\n${dataText('result', message.content)}`,
    };
  }
  if (message.role !== 'assistant' || message.toolCalls === undefined) return message;
  const calls = message.toolCalls.map(({ id, name, arguments: given }) => ({ id, name, arguments: given }));
  const [only, another] = calls;
  // The model writes its next call in the form that it reads here.
  const said = JSON.stringify(only !== undefined && another === undefined ? { call: only } : { calls });
  return { role: 'assistant', content: message.content === '' ? said : `${message.content}\n${said}` };
}

type UnbilledReply = Omit<ModelReply, 'usage'>;

/** Reads tool calls that the reply holds as text, or as data where tools are data. A reply without any is an answer. */
export function readCallsIn(
  reply: UnbilledReply,
  request: ModelRequest,
  { toolsAsData, callsBefore }: { readonly toolsAsData: boolean; readonly callsBefore: number },
): UnbilledReply {
  const read = toolsAsData ? readDataReply(reply, request, callsBefore) : reply;
  const { tools = [], toolChoice } = request;
  if (read !== reply || reply.finish !== 'stop' || toolChoice === 'none' || tools.length === 0) return read;
  const calls = writtenCalls(reply.text, tools, callsBefore);
  return calls.length === 0 ? reply : { ...reply, text: '', toolCalls: calls, finish: 'tool_calls' };
}

/** Reads the tool call or the answer out of the reply. A reply in neither form is returned as it is. */
function readDataReply(reply: UnbilledReply, { toolChoice }: ModelRequest, callsBefore: number): UnbilledReply {
  if (reply.finish !== 'stop') return reply;
  const read = readValue(reply.text, { fits: isCallOrAnswer, mayClose: true });
  if (read?.fits !== true) return reply;
  const calls = toolChoice === 'none' ? [] : callsIn(read.value, callsBefore);
  if (calls.length > 0) return { ...reply, text: '', toolCalls: calls, finish: 'tool_calls' };
  const answer = ownProperty(read.value, 'answer');
  if (answer === undefined) return reply;
  return { ...reply, text: typeof answer === 'string' ? answer : JSON.stringify(answer) };
}

/** Some models answer with a list of calls. */
function isCallOrAnswer(value: Json): boolean {
  if (isJsonArray(value)) return value.length > 0 && value.every((each) => ownProperty(each, 'call') !== undefined);
  return ['call', 'calls', 'answer'].some((key) => ownProperty(value, key) !== undefined);
}

function callsIn(read: Json, callsBefore: number): readonly ToolCall[] {
  const said = ownProperty(read, 'call') ?? ownProperty(read, 'calls') ?? (isJsonArray(read) ? read : null);
  const list = isJsonArray(said) ? said.map((each) => ownProperty(each, 'call') ?? each) : [said];
  return list.flatMap((each, at) => {
    const name = ownProperty(each, 'name');
    if (typeof name !== 'string') return [];
    return [{ id: `call_${callsBefore + at + 1}`, name, arguments: argumentsOf(ownProperty(each, 'arguments')) }];
  });
}

function argumentsOf(given: Json | undefined): Json {
  if (typeof given !== 'string') return given ?? {};
  const read = readValue(given, { fits: isJsonObject });
  return read?.fits === true ? read.value : given;
}
