// Fits a request to a server: tools or tool calls as data, a format of the answer or its shape in words.
import { defined } from '../base/json.ts';
import type { ModelProfile } from '../model/profile.ts';
import type { AnswerShape, Message, ModelRequest } from '../model/request.ts';
import type { AnswerFormat, Dialect } from './dialect.ts';
import type { FeatureUse } from './feature-use.ts';
import { withSystemText } from './system-text.ts';
import { withoutTools } from './tools-as-data.ts';

export interface ShapedRequest {
  /** With the messages, tools and choice of tools that the server takes. */
  readonly request: ModelRequest;
  /** The format to ask for; `text` when the request has no answer shape, or the messages describe it. */
  readonly format: AnswerFormat;
  /** Tool calls are asked for as data, so the reply holds them as data. */
  readonly toolsAsData: boolean;
}

export interface ShapeOptions {
  /** The server takes tools beside a format. */
  readonly takesBoth: boolean;
  /** False for a server that may ignore a schema without saying so: the messages describe the answer as well. */
  readonly heedsSchemas?: boolean;
  /** The server gets the narrow schema of an answer. OpenAI counts it as tokens of the prompt, and its models do without. */
  readonly narrows?: boolean;
  /** Asked when tools are offered. False for a server that takes no tools in this request. */
  readonly takesTools?: () => boolean;
}

const ANSWER_NOW = 'Call no more tools. Answer now, with what you know.';

export function shapeRequest(
  asked: ModelRequest,
  { tools }: Pick<ModelProfile, 'tools'>,
  dialect: Dialect,
  features: FeatureUse,
  { takesBoth, heedsSchemas = true, narrows = false, takesTools = () => true }: ShapeOptions,
): ShapedRequest {
  const { request, toolsAsData } = toolsIn(asked, tools, features, takesTools);
  const { tools: offers = [], toolChoice, answer: wanted, ...rest } = request;
  const hasTools = offers.length > 0;
  const answer = answerFor(request, dialect, narrows);
  const format = formatOf({ ...request, ...defined({ answer }) }, dialect, features, takesBoth);
  const isTold = answer === undefined || (format === 'json_schema' && heedsSchemas) || toolsAsData;
  const mayCall = hasTools && toolChoice !== 'none';
  const isNarrow = answer !== undefined && answer.schema === wanted?.narrow;
  const said = isNarrow ? withReminder(request.messages) : request.messages;
  const shaped = isTold ? said : withShape(said, wanted ?? answer, mayCall);
  const chosen = hasTools && toolChoice !== undefined && features.uses('tool_choice') ? toolChoice : undefined;
  const calledOff = hasTools && toolChoice === 'none' && chosen === undefined;
  const messages = calledOff ? withSystemText(shaped, ANSWER_NOW) : shaped;
  const sent: ModelRequest = {
    ...rest,
    messages,
    ...defined({ tools: hasTools ? offers : undefined, toolChoice: chosen, answer }),
  };
  return { request: sent, format, toolsAsData };
}

/** Leaves out tools that no call can use, and turns tools into data for a server that takes none. */
function toolsIn(
  request: ModelRequest,
  isAllowed: boolean,
  features: FeatureUse,
  takesTools: () => boolean,
): Pick<ShapedRequest, 'request' | 'toolsAsData'> {
  const { tools: offers = [], ...rest } = request;
  const hasCalls = request.messages.some((message) => message.role === 'assistant' && message.toolCalls !== undefined);
  // Servers refuse `tools: []`, and some refuse a choice without tools.
  const isOffered = offers.length > 0 && (hasCalls || request.toolChoice !== 'none');
  if (!isOffered && !hasCalls) return { request: rest, toolsAsData: false };
  const isTaken = isAllowed && features.uses('tools') && (isOffered || features.uses('calls_without_tools'));
  if (!isTaken || (isOffered && !takesTools())) return { request: withoutTools(request), toolsAsData: isOffered };
  return { request: isOffered ? request : rest, toolsAsData: false };
}

function answerFor({ answer, tools = [] }: ModelRequest, dialect: Dialect, narrows: boolean): AnswerShape | undefined {
  if (answer?.narrow === undefined) return answer;
  const { name, schema, narrow } = answer;
  const isTaken = narrows && tools.length === 0 && dialect.takes('json_schema') && !dialect.refusedSchema(narrow);
  return { name, schema: isTaken ? narrow : schema };
}

/** Beside tools, a format makes many servers refuse the request, or never call a tool without saying so. */
function formatOf(
  { answer, tools = [] }: ModelRequest,
  dialect: Dialect,
  features: FeatureUse,
  takesBoth: boolean,
): AnswerFormat {
  if (answer === undefined) return 'text';
  if (tools.length > 0 && !(takesBoth && features.uses('tools_with_format'))) return 'text';
  const format = dialect.formatFor(answer);
  if (format === 'text') {
    features.lacks(answer.schema.type === 'object' ? 'json_object' : 'json_schema');
    return format;
  }
  if (format === 'json_object') features.lacks('json_schema');
  features.uses(format);
  return format;
}

/** Under a grammar, small models choose a better form of answer when the last words that they read ask for JSON. */
function withReminder(messages: readonly Message[]): readonly Message[] {
  const last = messages.at(-1);
  if (last?.role !== 'user') return messages;
  return [...messages.slice(0, -1), { ...last, content: `${last.content}\n\n${REMINDER}` }];
}

const REMINDER = 'Answer with one JSON object.';

function withShape(messages: readonly Message[], { schema }: AnswerShape, mayCall: boolean): readonly Message[] {
  const begins = mayCall ? 'Unless you call a tool, answer' : 'Answer';
  const told = `${begins} with one JSON value that fits this JSON Schema, and with nothing else around it:\n${JSON.stringify(schema)}`;
  return withSystemText(messages, told);
}
