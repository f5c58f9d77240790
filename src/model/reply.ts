// The reply of a model to one request, and its usage.
import type { TokenUse } from './price.ts';
import type { ToolCall } from './request.ts';

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
  readonly usage: Usage;
}

export interface Usage extends TokenUse {
  /** The provider reported no usage; the numbers are estimates. */
  readonly estimated?: true;
}
