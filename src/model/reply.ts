// What a model answered to one ask, and what that used.
import type { ToolCall } from './request.ts';

export interface ModelReply {
  /** Empty when it only called tools. */
  readonly text: string;
  readonly toolCalls?: readonly ToolCall[];
  /** `length`: cut off at the most it may write. `filter`: the provider would not let it answer. */
  readonly finish: 'stop' | 'tool_calls' | 'length' | 'refusal' | 'filter';
  /** Which model answered, as the provider names it. */
  readonly model?: string;
  /** The provider's id of the answer. */
  readonly id?: string;
  readonly usage: Usage;
}

/** In tokens. */
export interface Usage {
  readonly input: number;
  /** Of `input`, what came from the provider's cache. */
  readonly cached?: number;
  readonly output: number;
  /** The provider did not say: they are counted here, by the estimate. */
  readonly estimated?: true;
}
