// The traits in which model servers differ: what they refuse, ignore and want back, and the forms of their replies.
import type { JsonObject } from '../../base/json.ts';
import type { Feature } from '../../llm/features.ts';
import type { RequestTrait } from './request-traits.ts';

/** A server that refuses requests with all of these traits. */
export interface RefusalRule {
  readonly uses: readonly [RequestTrait, ...RequestTrait[]];
  /** 400 when absent. */
  readonly status?: number;
  /** `{model}` and `{temperature}` stand for values of the request. */
  readonly message: string;
  /** The parameter that the server names. */
  readonly param?: string;
  readonly code?: string;
}

/** The form of an error body. */
export type ErrorForm =
  /** `{error: {message, type, param, code}}` */
  | 'openai'
  /** `{object: 'error', message, type, param, code}`, without a wrapper */
  | 'flat'
  /** A list with one `{error: {code, message, status}}` */
  | 'list'
  /** `{error: 'text'}` */
  | 'text'
  /** `{error: {code, message, type}}` with the status as the code */
  | 'numbered'
  /** `{error: {message: 'Provider returned error', code, metadata: {raw}}}` for refusals of the model behind a router */
  | 'routed';

/** The place of the model's reasoning in a reply. */
type ReasoningForm =
  /** Only counted, never shown. */
  | 'hidden'
  | 'reasoning'
  | 'reasoning_content'
  /** `reasoning` with signed `reasoning_details` */
  | 'reasoning_details'
  /** A part of the content with the type `thinking` */
  | 'thinking'
  /** `<think>` in the text of the answer */
  | 'inline';

interface UsageForm {
  /** The key of tokens that were read from the cache; absent: the server reports none. */
  readonly cached?: 'prompt_tokens_details' | 'prompt_cache_hit_tokens' | 'num_cached_tokens';
  /** The place of reasoning tokens; `total`: they are part of `total_tokens` alone; absent: part of the output. */
  readonly reasoning?: 'completion_tokens_details' | 'total';
  /** Every stream ends with the usage, also where the request did not ask for it. */
  readonly isAlwaysStreamed?: true;
}

/** Data of its replies that a server demands back beside tool calls. */
type WantedBack = 'thought_signature' | 'reasoning_content' | 'reasoning_details';

export interface ServerTraits {
  /** The server as people call it. */
  readonly title: string;
  /** The names of its models; the first is the default. */
  readonly models: readonly [string, ...string[]];
  /** The response for the name of another model; absent: it answers for any name. */
  readonly otherModel?: Pick<RefusalRule, 'status' | 'message' | 'code'>;
  /** Tried in order. */
  readonly refuses: readonly RefusalRule[];
  /** Keys of the body that it takes and does not heed. */
  readonly ignores: readonly string[];
  /** All keys that it knows; a request with another is refused with 422. Absent: it refuses no key for its name. */
  readonly knows?: { readonly body: readonly string[]; readonly message: readonly string[] };
  /** The features that its Responses API refuses; absent: it has no such API. */
  readonly responses?: readonly Feature[];
  readonly errors: ErrorForm;
  readonly reasoning: ReasoningForm;
  readonly usage: UsageForm;
  readonly wantsBack?: WantedBack;
  /** Beside an answer format its model never calls a tool, without any error. */
  readonly neverCallsBesideFormat?: true;
  /** Keywords of a schema that make it drop the whole schema, without any error. */
  readonly dropsSchemasWith?: readonly string[];
  /** Further keys of each completion. */
  readonly adds?: JsonObject;
  /** The ids of tool calls; `nine`: nine letters and digits, and no others are taken. */
  readonly callIds?: 'nine';
}
