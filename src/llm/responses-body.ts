// The body of a request to the Responses API, limited to the features that the server accepts.
import type OpenAI from 'openai';
import { defined, isJsonObject, type JsonObject } from '../base/json.ts';
import type { ModelProfile } from '../model/profile.ts';
import type { AnswerShape, ModelRequest, ToolOffer } from '../model/request.ts';
import { cacheKey } from './cache-key.ts';
import type { AnswerFormat, Dialect } from './dialect.ts';
import { featureUse } from './feature-use.ts';
import { dataSource } from './provider-data.ts';
import { holdsOutput, inputItems } from './responses-input.ts';
import { shapeRequest } from './shape-request.ts';
import { isStrict } from './strict-schema.ts';
import type { BodyOptions, RequestFeatures } from './wire-api.ts';

type Body = OpenAI.Responses.ResponseCreateParamsNonStreaming;
type Format = OpenAI.Responses.ResponseFormatTextConfig;

export interface ResponsesBody extends RequestFeatures {
  readonly body: Body;
}

export function responsesBody(
  asked: ModelRequest,
  profile: ModelProfile,
  dialect: Dialect,
  { streams, baseUrl, ownServer }: BodyOptions,
): ResponsesBody {
  const features = featureUse(dialect);
  // Only an API that was chosen without being named can be given up.
  if ((profile.api ?? 'auto') === 'auto') features.uses('responses');
  const shaped = shapeRequest(asked, profile, dialect, features, {
    takesBoth: ownServer,
    heedsSchemas: ownServer,
    narrows: !ownServer,
  });
  const { messages, tools = [], toolChoice, answer } = shaped.request;
  // The API has no such parameter.
  if (profile.seed !== undefined) features.lacks('seed');
  const [first, ...rest] = messages;
  const system = first?.role === 'system' ? first.content : undefined;
  const to = dataSource(baseUrl, profile.model);
  const sendsReasoning = !holdsOutput(messages, to) || features.uses('reasoning_sent_back');
  const { text, reasoning, ...extra } = features.only({ ...profile.extraBody });
  const parameters = features.only({
    temperature: asked.temperature ?? profile.temperature,
    top_p: profile.topP,
    reasoning_effort: profile.reasoning,
    prompt_cache_key: extra.prompt_cache_key === undefined ? cacheKey(messages) : undefined,
  });
  const { reasoning_effort: effort, temperature, top_p, prompt_cache_key } = parameters;
  const isKept = features.uses('encrypted_reasoning');
  const isStreamed = streams && (shaped.format === 'text' || features.uses('streamed_format'));
  const body: Body = {
    ...extra,
    ...defined({ temperature, top_p, prompt_cache_key }),
    model: profile.model,
    // The conversation is in the journal, so the provider need not keep it.
    store: false,
    ...(isKept ? { include: ['reasoning.encrypted_content' as const] } : {}),
    ...defined({ instructions: system, tool_choice: toolChoice }),
    input: inputItems(system === undefined ? messages : rest, { to, sendsReasoning }),
    max_output_tokens: asked.maxOutputTokens ?? profile.maxOutputTokens,
    ...(tools.length === 0 ? {} : { tools: tools.map(responsesTool) }),
    ...merged('reasoning', reasoning, effort === undefined ? undefined : { effort }),
    ...merged('text', text, answer === undefined ? undefined : textFormat(shaped.format, answer)),
  };
  return {
    body,
    sent: features.sent(),
    leftOut: features.leftOut(),
    toolsAsData: shaped.toolsAsData,
    streams: isStreamed,
    ...defined({ answer }),
  };
}

/** Adds what the request asks for to a map of `extra_body`, such as `text: { verbosity: low }`. */
function merged(name: string, extra: unknown, own: object | undefined): Readonly<Record<string, object>> {
  const given = isJsonObject(extra) ? extra : undefined;
  return given === undefined && own === undefined ? {} : { [name]: { ...given, ...own } };
}

/** Without `strict: false`, the API makes every argument of a tool required. */
function responsesTool({ name, description, input }: ToolOffer): OpenAI.Responses.FunctionTool {
  return { type: 'function', name, description, parameters: { ...input }, strict: false };
}

function textFormat(format: AnswerFormat, { name, schema }: AnswerShape): { readonly format: Format } | undefined {
  switch (format) {
    case 'json_schema':
      return { format: { type: 'json_schema', name, strict: isStrictObject(schema), schema: { ...schema } } };
    case 'json_object':
      return { format: { type: 'json_object' } };
    case 'text':
      return undefined;
  }
}

function isStrictObject(schema: JsonObject): boolean {
  return schema.type === 'object' && isStrict(schema);
}
