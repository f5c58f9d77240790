// Gives a scripted completion the form of a server: its reasoning, its usage, the ids of its calls and the data that it wants back.
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import type { ServerTraits } from './server-traits.ts';

/** The reasoning of a server that always shows some, when the script has none. */
const USUAL_THOUGHT = 'I weigh what I am asked.';

export function inFormOf(completion: JsonObject, traits: ServerTraits, turn: number): JsonObject {
  const { choices, usage, ...rest } = completion;
  const choice = isJsonArray(choices) ? choices[0] : undefined;
  const message = ownProperty(choice, 'message');
  if (!isJsonObject(choice) || !isJsonObject(message)) return completion;
  return {
    ...rest,
    ...traits.adds,
    choices: [{ ...choice, message: messageInForm(message, traits, turn) }],
    ...(isJsonObject(usage) ? { usage: usageInForm(usage, traits) } : {}),
  };
}

function messageInForm(message: JsonObject, traits: ServerTraits, turn: number): JsonObject {
  const { reasoning_content: scripted, tool_calls: calls, ...plain } = message;
  const thought = typeof scripted === 'string' ? scripted : USUAL_THOUGHT;
  return {
    ...withThought(plain, thought, traits, turn),
    ...(isJsonArray(calls) ? { tool_calls: calls.map((call, at) => callInForm(call, at, traits, turn)) } : {}),
  };
}

function withThought(plain: JsonObject, thought: string, { reasoning }: ServerTraits, turn: number): JsonObject {
  const content = typeof plain.content === 'string' ? plain.content : '';
  switch (reasoning) {
    case 'hidden':
      return plain;
    case 'reasoning':
    case 'reasoning_content':
      return { ...plain, [reasoning]: thought };
    case 'reasoning_details':
      return {
        ...plain,
        reasoning: thought,
        reasoning_details: [
          { type: 'reasoning.text', text: thought, format: 'google-gemini-v1', index: 0 },
          { type: 'reasoning.encrypted', data: `signature-${turn}`, format: 'google-gemini-v1', index: 1 },
        ],
      };
    case 'thinking':
      return {
        ...plain,
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: thought }] },
          ...(content === '' ? [] : [{ type: 'text', text: content }]),
        ],
      };
    case 'inline':
      return { ...plain, content: `<think>\n${thought}\n</think>\n\n${content}` };
  }
}

function callInForm(call: Json, at: number, { wantsBack, callIds }: ServerTraits, turn: number): Json {
  if (!isJsonObject(call)) return call;
  const signature = { google: { thought_signature: `signature-${turn}` } };
  const isSigned = wantsBack === 'thought_signature' && at === 0;
  return {
    ...call,
    ...(callIds === 'nine' ? { id: nineSigns(turn, at) } : {}),
    ...(isSigned ? { extra_content: signature } : {}),
  };
}

function nineSigns(turn: number, at: number): string {
  return `c${String(turn).padStart(4, '0')}n${String(at).padStart(3, '0')}`;
}

function usageInForm(told: JsonObject, { usage: { cached, reasoning } }: ServerTraits): JsonObject {
  const { prompt_tokens_details: cache, completion_tokens_details: output, ...counts } = told;
  const read = ownProperty(cache, 'cached_tokens') ?? 0;
  const thought = numberIn(output, 'reasoning_tokens');
  const isInTotal = reasoning === 'total';
  return {
    ...counts,
    // Gemini counts reasoning beside the answer, and adds it to the total only.
    ...(isInTotal ? { completion_tokens: numberIn(counts, 'completion_tokens') - thought } : {}),
    ...(cached === 'prompt_tokens_details' ? { prompt_tokens_details: { cached_tokens: read } } : {}),
    ...(cached === 'num_cached_tokens' ? { num_cached_tokens: read } : {}),
    ...(cached === 'prompt_cache_hit_tokens'
      ? {
          prompt_cache_hit_tokens: read,
          prompt_cache_miss_tokens: numberIn(counts, 'prompt_tokens') - numberIn(cache, 'cached_tokens'),
        }
      : {}),
    ...(reasoning === 'completion_tokens_details' ? { completion_tokens_details: { reasoning_tokens: thought } } : {}),
  };
}

function numberIn(value: Json | undefined, key: string): number {
  const found = ownProperty(value, key);
  return typeof found === 'number' ? found : 0;
}
