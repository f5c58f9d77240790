// The call of a model of the AI SDK: its prompt, tools, answer format and settings.
import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import { defined, type JsonObject } from '../base/json.ts';
import type { ModelRequest, ToolOffer } from '../model/request.ts';
import type { AiSdkModel } from './ai-sdk-model.ts';
import { aiSdkPrompt, holdsReasoningParts } from './ai-sdk-prompt.ts';
import type { AiSdkSettings } from './ai-sdk-settings.ts';
import type { AnswerFormat, Dialect } from './dialect.ts';
import { featureUse } from './feature-use.ts';
import type { DataSource } from './provider-data.ts';
import { shapeRequest } from './shape-request.ts';
import type { RequestFeatures } from './wire-api.ts';

export interface AiSdkCall extends Omit<RequestFeatures, 'streams'> {
  /** Without the signal of the call. */
  readonly options: LanguageModelV4CallOptions;
}

export function aiSdkCall(
  asked: ModelRequest,
  settings: AiSdkSettings,
  dialect: Dialect,
  model: Pick<AiSdkModel, 'specificationVersion'>,
  to: DataSource,
): AiSdkCall {
  const features = featureUse(dialect);
  const { tools: takesTools = true, headers, providerOptions } = settings;
  // A provider may ignore a schema that its server does not take.
  const { request, format, toolsAsData } = shapeRequest(asked, { tools: takesTools }, dialect, features, {
    takesBoth: false,
    heedsSchemas: false,
  });
  const { messages, tools = [], toolChoice, answer } = request;
  const { temperature, top_p, seed, reasoning_effort } = features.only({
    temperature: asked.temperature ?? settings.temperature,
    top_p: settings.topP,
    seed: settings.seed,
    reasoning_effort: settings.reasoning,
  });
  const takesReasoning = model.specificationVersion === 'v4';
  if (!takesReasoning && reasoning_effort !== undefined) features.lacks('reasoning_effort');
  const sendsReasoning = !holdsReasoningParts(messages, to) || features.uses('reasoning_sent_back');
  const options: LanguageModelV4CallOptions = {
    prompt: aiSdkPrompt(messages, { to, sendsReasoning }),
    ...defined({
      maxOutputTokens: asked.maxOutputTokens ?? settings.maxOutputTokens,
      temperature,
      topP: top_p,
      seed,
      reasoning: takesReasoning ? reasoning_effort : undefined,
      headers: headers === undefined ? undefined : { ...headers },
      toolChoice: toolChoice === undefined ? undefined : { type: toolChoice },
      responseFormat: answer === undefined ? undefined : responseFormat(format, answer.name, answer.schema),
      tools: tools.length === 0 ? undefined : tools.map(functionTool),
      providerOptions: providerOptions === undefined ? undefined : plain(providerOptions),
    }),
  };
  return { options, sent: features.sent(), leftOut: features.leftOut(), toolsAsData, ...defined({ answer }) };
}

function functionTool({ name, description, input }: ToolOffer): LanguageModelV4FunctionTool {
  return { type: 'function', name, description, inputSchema: plain(input) };
}

function responseFormat(
  format: AnswerFormat,
  name: string,
  schema: JsonObject,
): LanguageModelV4CallOptions['responseFormat'] {
  switch (format) {
    case 'json_schema':
      return { type: 'json', name, schema: plain(schema) };
    case 'json_object':
      return { type: 'json' };
    case 'text':
      return undefined;
  }
}

/** A copy that the provider may change. */
function plain(value: object) {
  return JSON.parse(JSON.stringify(value));
}
