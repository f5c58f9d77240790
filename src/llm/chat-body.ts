// The body of a chat completion, limited to the features that the server accepts.
import type OpenAI from 'openai';
import { defined } from '../base/json.ts';
import type { ModelProfile } from '../model/profile.ts';
import type { AnswerShape, Message, ModelRequest, ToolOffer } from '../model/request.ts';
import { chatMessage, holdsReasoning, isOfAnother } from './chat-message.ts';
import type { AnswerFormat, Dialect } from './dialect.ts';
import { type FeatureUse, featureUse } from './feature-use.ts';
import type { Feature } from './features.ts';
import { type DataSource, dataSource } from './provider-data.ts';
import { isStrict } from './strict-schema.ts';
import { withSystemText } from './system-text.ts';
import { callsAsText, withoutTools } from './tools-as-data.ts';

type Body = OpenAI.ChatCompletionCreateParamsNonStreaming;

export interface ChatBody {
  readonly body: Body;
  /** The features in the body that a server may refuse. */
  readonly sent: readonly Feature[];
  /** The features that the body lacks because the server refused them before. */
  readonly leftOut: readonly Feature[];
  /** The shape of the answer that the body asks for. */
  readonly answer?: AnswerShape;
  /** Tool calls are asked for as data, so the reply holds them as data. */
  readonly toolsAsData: boolean;
  /** False for a request that the server would refuse to stream. */
  readonly streams: boolean;
}

export interface BodyOptions {
  readonly streams: boolean;
  readonly baseUrl: string;
  /** True for the provider's own server, which takes tools beside a format, and whose newest models refuse `max_tokens`. */
  readonly ownServer: boolean;
}

export function chatBody(
  asked: ModelRequest,
  profile: ModelProfile,
  dialect: Dialect,
  { streams: wantsStream, baseUrl, ownServer }: BodyOptions,
): ChatBody {
  const features = featureUse(dialect);
  const { request, toolsAsData } = toolsIn(asked, profile, features);
  const { tools = [], toolChoice } = request;
  const hasTools = tools.length > 0;
  const answer = shapeFor(request, dialect, ownServer);
  const format = formatOf({ ...request, ...defined({ answer }) }, dialect, features, ownServer);
  const streams = wantsStream && (format === 'text' || features.uses('streamed_format'));
  const mayCall = hasTools && toolChoice !== 'none';
  const isTold = answer === undefined || format === 'json_schema' || toolsAsData;
  const limit = limitName(dialect, ownServer);
  if (dialect.takes(limit)) features.uses(limit);
  const to = dataSource(baseUrl, profile.model);
  const said = historyFor(request.messages, to, features);
  const shaped = isTold ? said : withShape(said, answer, mayCall);
  const sendsReasoning = !holdsReasoning(shaped, to) || features.uses('reasoning_sent_back');
  const effort = effortFor(hasTools, profile, features);
  const parameters = features.only({
    temperature: request.temperature ?? profile.temperature,
    top_p: profile.topP,
    seed: profile.seed,
    reasoning_effort: effort,
    tool_choice: hasTools ? toolChoice : undefined,
    stream_options: streams ? { include_usage: true } : undefined,
  });
  const calledOff = hasTools && toolChoice === 'none' && parameters.tool_choice === undefined;
  const messages = calledOff ? withSystemText(shaped, ANSWER_NOW) : shaped;
  const body = {
    ...features.only({ ...profile.extraBody }),
    ...parameters,
    model: profile.model,
    messages: messages.map((message) => chatMessage(message, { to, sendsReasoning })),
    [limit]: request.maxOutputTokens ?? profile.maxOutputTokens,
    ...(hasTools ? { tools: tools.map(chatTool) } : {}),
    ...(answer === undefined ? {} : responseFormat(format, answer)),
  } as Body;
  return { body, sent: features.sent(), leftOut: features.leftOut(), toolsAsData, streams, ...defined({ answer }) };
}

const ANSWER_NOW = 'Call no more tools. Answer now, with what you know.';

/** Leaves out tools that no call can use, and turns tools into data for a server that takes none. */
function toolsIn(
  request: ModelRequest,
  profile: ModelProfile,
  features: FeatureUse,
): Pick<ChatBody, 'toolsAsData'> & { readonly request: ModelRequest } {
  const { tools: offers = [], ...rest } = request;
  const hasCalls = request.messages.some((message) => message.role === 'assistant' && message.toolCalls !== undefined);
  // Servers refuse `tools: []`, and some refuse a choice without tools.
  const isOffered = offers.length > 0 && (hasCalls || request.toolChoice !== 'none');
  if (!isOffered && !hasCalls) return { request: rest, toolsAsData: false };
  const isTaken = profile.tools && features.uses('tools') && (isOffered || features.uses('calls_without_tools'));
  if (!isTaken || (isOffered && mustReason(profile, features)))
    return { request: withoutTools(request), toolsAsData: isOffered };
  return { request: isOffered ? request : rest, toolsAsData: false };
}

/** True when the server takes no tools while the model reasons, and no request not to reason. */
function mustReason({ reasoning }: ModelProfile, features: FeatureUse): boolean {
  const must = reasoning !== 'none' && !features.takes('tools_with_reasoning') && !features.takes('no_reasoning');
  if (must) features.lacks('tools_with_reasoning');
  return must;
}

function effortFor(hasTools: boolean, { reasoning }: ModelProfile, features: FeatureUse): ModelProfile['reasoning'] {
  const reasons = !hasTools || reasoning === 'none' || features.uses('tools_with_reasoning');
  const effort = reasons ? reasoning : 'none';
  return effort === 'none' && !features.uses('no_reasoning') ? undefined : effort;
}

/** Tells tool calls of other models in words where the server takes only its own. */
function historyFor(messages: readonly Message[], to: DataSource, features: FeatureUse): readonly Message[] {
  const isOther = (message: Message): boolean => isOfAnother(message, to);
  return messages.some(isOther) && !features.uses('calls_of_others') ? callsAsText(messages, isOther) : messages;
}

/** The provider's own server counts a schema as tokens of the prompt, and its models do without the narrow one. */
function shapeFor({ answer, tools = [] }: ModelRequest, dialect: Dialect, ownServer: boolean): AnswerShape | undefined {
  if (answer?.narrow === undefined) return answer;
  const { name, schema, narrow } = answer;
  const isTaken = !ownServer && tools.length === 0 && dialect.takes('json_schema') && !dialect.refusedSchema(narrow);
  return { name, schema: isTaken ? narrow : schema };
}

/** Beside tools, a format makes many servers refuse the request, or never call a tool without saying so. */
function formatOf(
  { answer, tools = [] }: ModelRequest,
  dialect: Dialect,
  features: FeatureUse,
  ownServer: boolean,
): AnswerFormat {
  if (answer === undefined) return 'text';
  if (tools.length > 0 && !(ownServer && features.uses('tools_with_format'))) return 'text';
  const format = dialect.formatFor(answer);
  if (format === 'text') {
    features.lacks(answer.schema.type === 'object' ? 'json_object' : 'json_schema');
    return format;
  }
  if (format === 'json_object') features.lacks('json_schema');
  features.uses(format);
  return format;
}

function limitName(dialect: Dialect, ownServer: boolean): 'max_tokens' | 'max_completion_tokens' {
  if (ownServer) return dialect.takes('max_completion_tokens') ? 'max_completion_tokens' : 'max_tokens';
  return dialect.takes('max_tokens') || !dialect.takes('max_completion_tokens')
    ? 'max_tokens'
    : 'max_completion_tokens';
}

function withShape(messages: readonly Message[], { schema }: AnswerShape, mayCall: boolean): readonly Message[] {
  const begins = mayCall ? 'Unless you call a tool, answer' : 'Answer';
  const told = `${begins} with one JSON value that fits this JSON Schema, and with nothing else around it:\n${JSON.stringify(schema)}`;
  return withSystemText(messages, told);
}

function chatTool({ name, description, input }: ToolOffer): OpenAI.ChatCompletionTool {
  return { type: 'function', function: { name, description, parameters: { ...input } } };
}

function responseFormat(format: AnswerFormat, { name, schema }: AnswerShape): Pick<Body, 'response_format'> {
  switch (format) {
    case 'json_schema': {
      const strict = schema.type === 'object' && isStrict(schema);
      return { response_format: { type: 'json_schema', json_schema: { name, strict, schema: { ...schema } } } };
    }
    case 'json_object':
      return { response_format: { type: 'json_object' } };
    case 'text':
      return {};
  }
}
