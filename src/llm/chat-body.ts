// The body of a chat completion, limited to the features that the server accepts.
import type OpenAI from 'openai';
import { defined } from '../base/json.ts';
import type { ModelProfile } from '../model/profile.ts';
import type { AnswerShape, Message, ModelRequest, ToolOffer } from '../model/request.ts';
import { cacheKey } from './cache-key.ts';
import { chatMessage, holdsReasoning, isOfAnother } from './chat-message.ts';
import type { AnswerFormat, Dialect } from './dialect.ts';
import { type FeatureUse, featureUse } from './feature-use.ts';
import { type DataSource, dataSource } from './provider-data.ts';
import { shapeRequest } from './shape-request.ts';
import { isStrict } from './strict-schema.ts';
import { withoutSystemMessages } from './system-text.ts';
import { callsAsText } from './tools-as-data.ts';
import type { BodyOptions, RequestFeatures } from './wire-api.ts';

type Body = OpenAI.ChatCompletionCreateParamsNonStreaming;

export interface ChatBody extends RequestFeatures {
  readonly body: Body;
}

export function chatBody(
  asked: ModelRequest,
  profile: ModelProfile,
  dialect: Dialect,
  { streams: wantsStream, baseUrl, ownServer }: BodyOptions,
): ChatBody {
  const features = featureUse(dialect);
  const { request, format, toolsAsData } = shapeRequest(asked, profile, dialect, features, {
    takesBoth: ownServer,
    narrows: !ownServer,
    takesTools: () => !mustReason(profile, features),
  });
  const { tools = [], toolChoice, answer } = request;
  const hasTools = tools.length > 0;
  const streams = wantsStream && (format === 'text' || features.uses('streamed_format'));
  const limit = limitName(dialect, ownServer);
  if (dialect.takes(limit)) features.uses(limit);
  const to = dataSource(baseUrl, profile.model);
  const messages = rolesFor(historyFor(request.messages, to, features), features);
  const sendsReasoning = !holdsReasoning(messages, to) || features.uses('reasoning_sent_back');
  const body = {
    ...features.only({ ...profile.extraBody }),
    ...features.only({
      temperature: request.temperature ?? profile.temperature,
      top_p: profile.topP,
      seed: profile.seed,
      reasoning_effort: effortFor(hasTools, profile, features),
      stream_options: streams ? { include_usage: true } : undefined,
      prompt_cache_key: ownServer && profile.extraBody?.prompt_cache_key === undefined ? cacheKey(messages) : undefined,
    }),
    ...defined({ tool_choice: toolChoice }),
    model: profile.model,
    messages: messages.map((message) => chatMessage(message, { to, sendsReasoning })),
    [limit]: request.maxOutputTokens ?? profile.maxOutputTokens,
    ...(hasTools ? { tools: tools.map(chatTool) } : {}),
    ...(answer === undefined ? {} : responseFormat(format, answer)),
  } as Body;
  return { body, sent: features.sent(), leftOut: features.leftOut(), toolsAsData, streams, ...defined({ answer }) };
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

/** Tells earlier tool calls in words where the server takes only its own, or none. */
function historyFor(messages: readonly Message[], to: DataSource, features: FeatureUse): readonly Message[] {
  const isCalling = (message: Message): boolean => message.role === 'assistant' && message.toolCalls !== undefined;
  if (!messages.some(isCalling)) return messages;
  if (!features.uses('calls_sent_back')) return callsAsText(messages, isCalling);
  const isOther = (message: Message): boolean => isOfAnother(message, to);
  return messages.some(isOther) && !features.uses('calls_of_others') ? callsAsText(messages, isOther) : messages;
}

function rolesFor(messages: readonly Message[], features: FeatureUse): readonly Message[] {
  if (!messages.some(({ role }) => role === 'system')) return messages;
  return features.uses('system_message') ? messages : withoutSystemMessages(messages);
}

function limitName(dialect: Dialect, ownServer: boolean): 'max_tokens' | 'max_completion_tokens' {
  if (ownServer) return dialect.takes('max_completion_tokens') ? 'max_completion_tokens' : 'max_tokens';
  return dialect.takes('max_tokens') || !dialect.takes('max_completion_tokens')
    ? 'max_tokens'
    : 'max_completion_tokens';
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
