// Models of the AI SDK's providers for programs: Anthropic, Gemini, Bedrock and any other, natively.
import { type OptionTable, refuseOptions } from '../base/options.ts';
import { aiSdkClient } from './ai-sdk-client.ts';
import { type AiSdkModel, isAiSdkModel } from './ai-sdk-model.ts';
import type { AiSdkSettings } from './ai-sdk-settings.ts';
import type { Model } from './model.ts';

const settingsTable: OptionTable<AiSdkSettings> = {
  temperature: 'number',
  topP: 'number',
  seed: 'number',
  reasoning: 'text',
  tools: 'flag',
  maxOutputTokens: 'count',
  headers: 'map',
  providerOptions: 'map',
  stream: 'flag',
  timeout: 'number',
  stallTimeout: 'number',
  maxRetryAfter: 'number',
};

/**
 * Makes a model for `createEngine({ models })` from a model of a provider of the AI SDK, such as
 * `anthropic('claude-sonnet-5')`. The profile of the same name says prices and limits;
 * a template without `models` takes the price of the price list.
 * @throws TypeError when it is no language model of the AI SDK, and OptionsRefused for wrong settings
 */
export function fromAiSdk(model: AiSdkModel, settings: AiSdkSettings = {}): Model {
  if (!isAiSdkModel(model)) {
    throw new TypeError("fromAiSdk() takes a language model of the AI SDK, such as anthropic('claude-sonnet-5')");
  }
  refuseOptions('fromAiSdk', settings, settingsTable);
  return aiSdkClient(model, settings);
}
