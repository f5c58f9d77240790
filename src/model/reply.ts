// The reply of a model to one request, and its usage.
import type { TokenUse } from './price.ts';
import type { ProviderData, ToolCall } from './request.ts';

export interface ModelReply {
  /** Empty when the model only called tools. */
  readonly text: string;
  readonly toolCalls?: readonly ToolCall[];
  /** `length`: cut off at the token limit. `filter`: stopped by the provider. */
  readonly finish: 'stop' | 'tool_calls' | 'length' | 'refusal' | 'filter';
  /** The provider's name of the model that answered. */
  readonly model?: string;
  /** The provider's id of the answer. */
  readonly id?: string;
  /** To be sent back with this reply's message. Never part of a result. */
  readonly extra?: ProviderData;
  /** Reasoning was removed from the text. */
  readonly reasoned?: true;
  /** Features of the request that were left out because the server refuses them. */
  readonly leftOut?: readonly string[];
  readonly usage: Usage;
}

export interface Usage extends TokenUse {
  /** The part of `output` that the model spent on reasoning. */
  readonly reasoning?: number;
  /** The provider reported no usage; the numbers are estimates. */
  readonly estimated?: true;
}
