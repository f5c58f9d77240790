// Error responses of real servers are read for the feature that they refuse.
import { describe, expect, it } from 'vitest';
import { type Feature, refusedFeatures } from '../../src/llm/features.ts';

const limited: readonly Feature[] = ['max_tokens', 'temperature', 'top_p', 'seed', 'reasoning_effort'];
const withTools: readonly Feature[] = [
  'tools',
  'tools_with_reasoning',
  'tool_choice',
  'parallel_tool_calls',
  ...limited,
];
const withSchema: readonly Feature[] = ['json_schema', 'stream_options', ...limited];
const withBoth: readonly Feature[] = ['tools', 'tools_with_format', 'json_schema', ...limited];

describe('an error response about a feature', () => {
  it.each<[string, number, string, readonly Feature[], readonly Feature[]]>([
    [
      'Gemini',
      400,
      "Function calling with a response mime type: 'application/json' is unsupported",
      withBoth,
      ['tools_with_format'],
    ],
    ['Groq', 400, 'json mode cannot be combined with tool/function calling', withBoth, ['tools_with_format']],
    ['Ollama', 400, 'registry.ollama.ai/library/gemma3:270m does not support tools', withTools, ['tools']],
    [
      'vLLM',
      400,
      '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      withTools,
      ['tools'],
    ],
    ['llama.cpp', 500, 'tools param requires --jinja flag', withTools, ['tools']],
    [
      'OpenRouter',
      404,
      'No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs',
      withTools,
      ['tools'],
    ],
    ['a gateway', 501, 'Tools are not supported by this backend', withTools, ['tools']],
    [
      'OpenAI',
      400,
      'Function tools with reasoning_effort are not supported for gpt-5.6 in /v1/chat/completions. Please use /v1/responses instead.',
      withTools,
      ['tools_with_reasoning'],
    ],
    [
      'LiteLLM',
      400,
      "litellm.UnsupportedParamsError: Bedrock doesn't support tool calling without `tools=` param specified.",
      ['calls_without_tools', ...limited],
      ['calls_without_tools'],
    ],
    ['DeepSeek', 400, 'deepseek-reasoner does not support this tool_choice', withTools, ['tool_choice']],
    [
      'OpenAI',
      400,
      "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.",
      withTools,
      ['parallel_tool_calls'],
    ],
    [
      'OpenAI',
      400,
      "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
      withTools,
      ['temperature', 'top_p'],
    ],
    ['Anthropic', 400, '`temperature` is deprecated for this model.', limited, ['temperature', 'top_p']],
    [
      'Anthropic',
      400,
      '`temperature` and `top_p` cannot both be specified for this model. Please use only one.',
      limited,
      ['top_p'],
    ],
    [
      'LiteLLM',
      400,
      "litellm.UnsupportedParamsError: openai does not support parameters: ['temperature', 'top_p'], for model=o3. To drop these, set `litellm.drop_params=True`",
      limited,
      ['temperature', 'top_p'],
    ],
    [
      'LM Studio',
      400,
      "'response_format.type' must be 'json_schema' or 'text'",
      ['json_object', ...limited],
      ['json_object'],
    ],
    ['DeepSeek', 400, 'This response_format type is unavailable now', withSchema, ['json_schema']],
    [
      'Gemini',
      400,
      'Invalid JSON payload received. Unknown name "additionalProperties" at \'generation_config.response_schema\': Cannot find field.',
      withSchema,
      ['json_schema'],
    ],
    [
      'Gemini',
      400,
      'Invalid JSON payload received. Unknown name "$ref" at \'tools[0].function_declarations[0].parameters\': Cannot find field.',
      withTools,
      ['tools'],
    ],
    ['llama.cpp', 400, 'JSON schema conversion failed:\nUnrecognized schema: {"not":{}}', withSchema, ['json_schema']],
    ['llama.cpp', 500, 'failed to parse grammar', withSchema, ['json_schema']],
    [
      'a gateway',
      400,
      "Invalid value for 'content': expected a string, got null.",
      ['calls_sent_back', ...withTools],
      ['calls_sent_back'],
    ],
    [
      'Groq',
      400,
      "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2.content' : value must be a string)]",
      ['calls_sent_back', ...withTools],
      ['calls_sent_back'],
    ],
    ['vLLM', 400, 'System role not supported', ['system_message', ...withSchema], ['system_message']],
    [
      'vLLM',
      400,
      'Conversation roles must alternate user/assistant/user/assistant/...',
      ['system_message', ...withSchema],
      ['system_message'],
    ],
    [
      'llama.cpp',
      500,
      'Jinja Exception: Only user and assistant roles are supported!',
      ['system_message', ...withTools],
      ['system_message'],
    ],
    [
      'Gemma',
      400,
      'Developer instruction is not enabled for models/gemma-3-27b-it',
      ['system_message', ...withTools],
      ['system_message'],
    ],
    ['Ollama', 400, '"gemma3" does not support thinking', limited, ['reasoning_effort']],
    [
      'OpenAI',
      400,
      "Function tools with reasoning_effort are not supported for gpt-5.6 in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
      withTools,
      ['tools_with_reasoning'],
    ],
    [
      'Azure',
      400,
      "Unsupported value: 'reasoning_effort' does not support 'none' with this model. Supported values are: 'low', 'medium', 'high', and 'xhigh'.",
      ['no_reasoning', ...withTools],
      ['no_reasoning'],
    ],
    [
      'Groq',
      400,
      'response_format` does not support streaming',
      ['streamed_format', ...withSchema],
      ['streamed_format'],
    ],
    ['Gemini', 400, 'Invalid JSON payload received. Unknown name "seed": Cannot find field.', withTools, ['seed']],
    [
      'Mistral',
      400,
      'Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.',
      ['calls_of_others', ...withTools],
      ['calls_of_others'],
    ],
    [
      'Gemini',
      400,
      'Function call is missing a thought_signature in functionCall parts.',
      ['calls_sent_back', 'calls_of_others', ...withTools],
      ['calls_of_others'],
    ],
    [
      'a gateway that loses thoughts',
      400,
      'When `thinking` is enabled, a final `assistant` message must start with a thinking block',
      ['calls_sent_back', ...withTools],
      ['calls_sent_back'],
    ],
    [
      'LiteLLM',
      400,
      "litellm.UnsupportedParamsError: gpt-5.6 doesn't support temperature=0.2 while reasoning is active. Only temperature=1 is supported unless reasoning_effort resolves to 'none', either set explicitly on the request or declared as the model's default_reasoning_effort.",
      limited,
      ['temperature'],
    ],
    [
      'DeepSeek',
      400,
      'Missing `reasoning_content` field in the assistant message at message index 2.',
      ['calls_of_others', ...withTools],
      ['calls_of_others'],
    ],
    [
      'Groq',
      400,
      "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property 'reasoning_content' is unsupported)]",
      ['reasoning_sent_back', ...withTools],
      ['reasoning_sent_back'],
    ],
  ])('names the refused feature in a response of %s with status %i: %s', (_, status, message, sent, expected) => {
    expect(refusedFeatures({ status, message }, sent)).toEqual(expected);
  });

  it('is read from the parameters that it names rather than from its text', () => {
    const refusal = { status: 400, code: 'unsupported_parameter', message: 'Unsupported: temperature, or seed' };
    expect(refusedFeatures({ ...refusal, params: ['seed'] }, limited)).toEqual(['seed']);
    expect(refusedFeatures({ ...refusal, params: ['response_format.json_schema'] }, withSchema)).toEqual([
      'json_schema',
    ]);
  });

  it.each([
    ['max_completion_tokens', ['max_completion_tokens']],
    ['seed', ['seed']],
    ['messages.2.assistant.reasoning_content', ['reasoning_sent_back']],
    ['messages.0.user.name', []],
  ])('is read from the place of a validation error: %s', (place, expected) => {
    const sent: readonly Feature[] = ['max_completion_tokens', 'seed', 'reasoning_sent_back', 'tools'];
    const message = `{"detail":[{"type":"extra_forbidden","loc":["body"],"msg":"Extra inputs are not permitted"}]}`;
    expect(refusedFeatures({ status: 422, message, params: [place] }, sent)).toEqual(expected);
  });

  it('names only features that were sent', () => {
    const message = '`temperature` is deprecated for this model.';
    expect(refusedFeatures({ status: 400, message }, ['max_tokens'])).toEqual([]);
  });
});

describe('an error response about something else', () => {
  const sent: readonly Feature[] = ['reasoning_sent_back', ...withTools, ...withSchema];
  it.each([
    [400, 'Function call is missing a thought_signature in functionCall parts.'],
    [400, 'The reasoning_content in the thinking mode must be passed back to the API.'],
    [500, 'Failed to parse tool call arguments as JSON: unexpected end of input'],
    [500, 'Internal server error'],
    [503, 'tools are not supported'],
    [502, 'grammar unavailable'],
    [500, 'error while compiling the json_schema'],
    [404, "The model 'gpt-9' does not exist or you do not have access to it."],
    [400, 'max_tokens is too large: 1000. At most 512 are allowed for this model.'],
    [400, "Invalid schema for function 'look': schema must be a JSON Schema of 'type: \"object\"'"],
    [429, 'does not support tools'],
    [400, 'temperature: must be at most 1'],
  ])('refuses no feature: %i %s', (status, message) => {
    expect(refusedFeatures({ status, message }, sent)).toEqual([]);
  });

  it('refuses no feature when it names a part of one tool', () => {
    const refusal = {
      status: 400,
      code: 'invalid_function_parameters',
      message: 'unknown keyword',
      params: ['tools[0].function.parameters'],
    };
    expect(refusedFeatures(refusal, withTools)).toEqual([]);
  });

  it('refuses no feature when the model wrote a tool call that its server cannot read', () => {
    const refusal = { status: 400, code: 'tool_use_failed', message: 'Tool use is not supported in this form' };
    expect(refusedFeatures(refusal, withTools)).toEqual([]);
  });
});
