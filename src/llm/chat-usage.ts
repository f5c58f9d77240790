// Reads the token usage of a response, in the names that servers use.
import { type Json, ownProperty } from '../base/json.ts';
import type { Usage } from '../model/reply.ts';

/** Input tokens read from the cache: OpenAI and most others, Mistral, DeepSeek, Anthropic by way of LiteLLM, Moonshot. */
const cachedPaths = [
  ['prompt_tokens_details', 'cached_tokens'],
  ['prompt_token_details', 'cached_tokens'],
  ['num_cached_tokens'],
  ['prompt_cache_hit_tokens'],
  ['cache_read_input_tokens'],
  ['cached_tokens'],
];
/** Input tokens written to the cache: OpenAI and OpenRouter, LiteLLM, Anthropic. */
const writtenPaths = [
  ['prompt_tokens_details', 'cache_write_tokens'],
  ['prompt_tokens_details', 'cache_creation_tokens'],
  ['cache_creation_input_tokens'],
];
const reasoningPaths = [['completion_tokens_details', 'reasoning_tokens'], ['reasoning_tokens']];

/** Undefined when the usage is missing or zero. */
export function readUsage(said: Json | undefined): Usage | undefined {
  const input = countOf(ownProperty(said, 'prompt_tokens'));
  const output = countOf(ownProperty(said, 'completion_tokens')) ?? 0;
  if (input === undefined || input + output === 0) return undefined;
  // Some servers count reasoning tokens only in the total.
  const total = countOf(ownProperty(said, 'total_tokens')) ?? 0;
  const cached = firstCount(said, cachedPaths);
  const cacheWritten = firstCount(said, writtenPaths);
  const reasoning = firstCount(said, reasoningPaths);
  return {
    input,
    ...(cached === 0 ? {} : { cached }),
    output: Math.max(output, total - input),
    ...(cacheWritten === 0 ? {} : { cacheWritten }),
    ...(reasoning === 0 ? {} : { reasoning }),
  };
}

/** The first count above zero; 0 when there is none. */
function firstCount(said: Json | undefined, paths: readonly (readonly string[])[]): number {
  for (const path of paths) {
    const count = countOf(path.reduce<Json | undefined>((value, key) => ownProperty(value, key), said)) ?? 0;
    if (count > 0) return count;
  }
  return 0;
}

/** Some gateways write numbers as text. */
export function countOf(said: Json | undefined): number | undefined {
  const value = typeof said === 'string' && /^\d{1,15}$/.test(said) ? Number(said) : said;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
