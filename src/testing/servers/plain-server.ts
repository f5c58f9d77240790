// A server that takes everything, save the features that a test names.
import type { Feature } from '../../llm/features.ts';
import type { ServerTraits } from './server-traits.ts';

export function plainServer(refuses: readonly Feature[]): ServerTraits {
  return {
    title: 'a plain server',
    models: ['scripted'],
    refuses: refuses.map((feature) => ({ uses: [feature], message: words[feature] })),
    ignores: [],
    errors: 'openai',
    reasoning: 'reasoning_content',
    usage: { cached: 'prompt_tokens_details', reasoning: 'completion_tokens_details' },
  };
}

/** Refusals of unsupported features, as different vendors word them. */
const words: Readonly<Record<Feature, string>> = {
  system_message: 'System role not supported',
  json_schema: "'response_format' of type 'json_schema' is not supported with this model",
  json_object: "'response_format.type' must be 'text'",
  stream_options: 'body.stream_options: extra fields not permitted',
  max_tokens:
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  max_completion_tokens: 'Unrecognized request argument supplied: max_completion_tokens',
  tools: 'registry.ollama.ai/library/gemma3:270m does not support tools',
  tools_with_format: "Function calling with a response mime type: 'application/json' is unsupported",
  tools_with_reasoning:
    'Function tools with reasoning_effort are not supported for this model in /v1/chat/completions. Please use /v1/responses instead.',
  no_reasoning:
    "Unsupported value: 'reasoning_effort' does not support 'none' with this model. Supported values are: 'low', 'medium', 'high', and 'xhigh'.",
  streamed_format: 'response_format` does not support streaming',
  calls_sent_back: 'Function call is missing a thought_signature in functionCall parts.',
  calls_of_others: 'Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.',
  calls_without_tools: "Bedrock doesn't support tool calling without `tools=` param specified.",
  tool_choice: 'deepseek-reasoner does not support this tool_choice',
  parallel_tool_calls: "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.",
  temperature:
    "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
  top_p: '`temperature` and `top_p` cannot both be specified for this model. Please use only one.',
  seed: 'body.seed: Extra inputs are not permitted',
  reasoning_effort: "Unsupported parameter: 'reasoning_effort' is not supported with this model.",
  reasoning_sent_back: "'messages.1' : property 'reasoning_content' is unsupported",
  encrypted_reasoning: 'Encrypted content is not supported with this model.',
  prompt_cache_key: 'Unrecognized request argument supplied: prompt_cache_key',
  responses: 'there is no POST /v1/responses',
};
