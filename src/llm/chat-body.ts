// The body of a chat completion, limited to the features that the server accepts.
import type OpenAI from 'openai';
import { defined, isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../base/json.ts';
import type { ModelProfile } from '../model/profile.ts';
import type { AnswerShape, Message, ModelRequest, ToolOffer } from '../model/request.ts';
import type { AnswerFormat, Dialect, Feature } from './dialect.ts';

type Body = OpenAI.ChatCompletionCreateParamsNonStreaming;

export interface ChatBody {
  readonly body: Body;
  /** The features in the body that a server may refuse. */
  readonly sent: readonly Feature[];
}

export interface BodyOptions {
  readonly streams: boolean;
  /** True for the provider's own server, whose newest models refuse `max_tokens`. */
  readonly ownServer: boolean;
}

export function chatBody(
  request: ModelRequest,
  profile: ModelProfile,
  dialect: Dialect,
  { streams, ownServer }: BodyOptions,
): ChatBody {
  const { answer, tools = [] } = request;
  const format = answer === undefined ? 'text' : dialect.formatFor(answer);
  const told =
    answer === undefined || format === 'json_schema' ? request.messages : withShape(request.messages, answer);
  const limit = limitName(dialect, ownServer);
  const temperature = request.temperature ?? profile.temperature;
  const countsUsage = streams && dialect.takes('stream_options');
  const body: Body = {
    model: profile.model,
    messages: told.map(chatMessage),
    [limit]: request.maxOutputTokens ?? profile.maxOutputTokens,
    ...defined({ temperature }),
    ...(tools.length === 0 ? {} : { tools: tools.map(chatTool) }),
    ...(answer === undefined ? {} : responseFormat(format, answer)),
  };
  const sent = [...(format === 'text' ? [] : [format]), ...(dialect.takes(limit) ? [limit] : [])];
  if (!countsUsage) return { body, sent };
  return { body: { ...body, stream_options: { include_usage: true } }, sent: [...sent, 'stream_options'] };
}

function limitName(dialect: Dialect, ownServer: boolean): 'max_tokens' | 'max_completion_tokens' {
  if (ownServer) return dialect.takes('max_completion_tokens') ? 'max_completion_tokens' : 'max_tokens';
  return dialect.takes('max_tokens') || !dialect.takes('max_completion_tokens')
    ? 'max_tokens'
    : 'max_completion_tokens';
}

/** Many models know only one system message, and only in first place. */
function withShape(messages: readonly Message[], { schema }: AnswerShape): readonly Message[] {
  const told = `Answer with one JSON value that fits this JSON Schema, and with nothing else around it:\n${JSON.stringify(schema)}`;
  const [first, ...rest] = messages;
  if (first?.role !== 'system') return [{ role: 'system', content: told }, ...messages];
  return [{ role: 'system', content: `${first.content}\n\n${told}` }, ...rest];
}

function chatMessage(message: Message): OpenAI.ChatCompletionMessageParam {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.content };
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.content };
    case 'assistant': {
      const { content, toolCalls = [] } = message;
      if (toolCalls.length === 0) return { role: 'assistant', content };
      return {
        role: 'assistant',
        content: content === '' ? null : content,
        tool_calls: toolCalls.map(({ id, name, arguments: given }) => ({
          id,
          type: 'function',
          function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
        })),
      };
    }
  }
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

/** Keywords of strict mode. Any other keyword makes the server refuse the whole request. */
const strictWords = new Set(
  '$defs $ref additionalProperties anyOf const description enum exclusiveMaximum exclusiveMinimum items maxItems maximum minItems minimum multipleOf pattern properties required title type'.split(
    ' ',
  ),
);

/** True when a schema fits strict mode: closed maps in which every key is required. */
function isStrict(schema: Json): boolean {
  if (!isJsonObject(schema)) return false;
  if (!Object.keys(schema).every((word) => strictWords.has(word))) return false;
  const properties = ownProperty(schema, 'properties');
  const isMap = schema.type === 'object' || properties !== undefined;
  if (isMap && !isClosed(schema, isJsonObject(properties) ? Object.keys(properties) : [])) return false;
  return partsOf(schema).every(isStrict);
}

function isClosed(schema: JsonObject, keys: readonly string[]): boolean {
  const required = ownProperty(schema, 'required');
  const named = isJsonArray(required) ? required : [];
  return schema.additionalProperties === false && keys.every((key) => named.includes(key));
}

function partsOf(schema: JsonObject): readonly Json[] {
  const maps = [schema.properties, schema.$defs].flatMap((each) => (isJsonObject(each) ? Object.values(each) : []));
  const items = schema.items;
  const anyOf = schema.anyOf;
  return [...maps, ...(items === undefined ? [] : [items]), ...(isJsonArray(anyOf) ? anyOf : [])];
}
