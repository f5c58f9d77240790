// The models of the AI SDK's providers, in as much of their shape as is needed here.
import type { DataSource } from './provider-data.ts';

/**
 * A language model of any provider of the AI SDK: `LanguageModelV4`, `LanguageModelV3` or `LanguageModelV2` of
 * `@ai-sdk/provider`. Named by its shape, so that nobody has to install the SDK for its types.
 */
export interface AiSdkModel {
  /** `v4`, `v3` or `v2`. */
  readonly specificationVersion: string;
  /** Such as `anthropic.messages`. */
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: object): PromiseLike<object>;
  doStream(options: object): PromiseLike<{ readonly stream: ReadableStream<unknown> }>;
}

const versions = ['v2', 'v3', 'v4'];

/** True for a model of a version that can be asked. */
export function isAiSdkModel(value: unknown): value is AiSdkModel {
  if (typeof value !== 'object' || value === null) return false;
  if (!('specificationVersion' in value && 'doGenerate' in value && 'doStream' in value)) return false;
  const { specificationVersion: version, doGenerate, doStream } = value;
  return (
    versions.some((each) => each === version) && typeof doGenerate === 'function' && typeof doStream === 'function'
  );
}

/** The address under which data and refusals of a model are kept. The SDK does not tell the address of a server. */
export function aiSdkSource({ provider, modelId }: Pick<AiSdkModel, 'provider' | 'modelId'>): DataSource {
  return { baseUrl: `ai-sdk:${provider}`, model: modelId };
}
