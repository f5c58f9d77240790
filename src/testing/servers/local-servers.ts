// The traits of model servers that people run themselves, with the threads and pages that show them.
import type { ServerTraits } from './server-traits.ts';

/** Ollama (keys of the body and of usage: `openai/openai.go`; silence beside a format: ollama/ollama#13750). */
const ollama: ServerTraits = {
  title: 'Ollama',
  models: ['qwen3:8b'],
  otherModel: { status: 404, message: "model '{model}' not found", code: 'not_found_error' },
  refuses: [],
  ignores: ['max_completion_tokens', 'tool_choice', 'parallel_tool_calls', 'user', 'n'],
  errors: 'openai',
  reasoning: 'reasoning',
  usage: {},
  neverCallsBesideFormat: true,
};

/** A model without tools or reasoning in Ollama (pydantic/pydantic-ai#703, tinyhumansai/openhuman#2787, taketwo/llm-ollama#54). */
const ollamaWithoutTools: ServerTraits = {
  ...ollama,
  title: 'Ollama, a model without tools',
  models: ['gemma3:1b'],
  refuses: [
    { uses: ['tools'], message: 'registry.ollama.ai/library/{model} does not support tools' },
    { uses: ['reasoning_effort'], message: 'registry.ollama.ai/library/{model} does not support thinking' },
  ],
  reasoning: 'hidden',
};

/** vLLM with its flags for tools and reasoning (vllm-project/vllm#39929, #39780; docs.vllm.ai tool_calling, reasoning_outputs). */
const vllm: ServerTraits = {
  title: 'vLLM',
  models: ['Qwen/Qwen3.5-27B'],
  otherModel: { status: 404, message: 'The model `{model}` does not exist.', code: '404' },
  refuses: [
    {
      uses: ['no_tools'],
      message: '`tools` must not be an empty array. Either provide at least one tool or omit the field entirely.',
    },
  ],
  ignores: [],
  errors: 'numbered',
  reasoning: 'reasoning',
  usage: { cached: 'prompt_tokens_details' },
  neverCallsBesideFormat: true,
};

/** vLLM before 2026, which called the field `reasoning_content` (vllm-project/vllm#27755) and wrapped no errors. */
const vllmEarlier: ServerTraits = {
  ...vllm,
  title: 'vLLM before 2026',
  errors: 'flat',
  reasoning: 'reasoning_content',
};

/** vLLM without flags takes no tools (vllm-project/vllm#9986) and leaves reasoning in the text. */
const vllmWithoutFlags: ServerTraits = {
  ...vllm,
  title: 'vLLM without flags',
  refuses: [
    {
      uses: ['tools'],
      message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    },
  ],
  errors: 'flat',
  reasoning: 'inline',
};

/**
 * llama.cpp, with Jinja as is now the default (ggml-org/llama.cpp#25454). A grammar that it cannot parse is dropped, and
 * it answers as if there were none (ggml-org/llama.cpp#19051).
 */
const llamaCpp: ServerTraits = {
  title: 'llama.cpp',
  models: ['gpt-oss-20b'],
  refuses: [],
  ignores: ['parallel_tool_calls', 'user'],
  errors: 'numbered',
  reasoning: 'reasoning_content',
  usage: { cached: 'prompt_tokens_details' },
  neverCallsBesideFormat: true,
  dropsSchemasWith: ['pattern'],
};

/** llama.cpp with `--no-jinja` (defilantech/LLMKube#126), and with reasoning left in the text. */
const llamaCppWithoutJinja: ServerTraits = {
  ...llamaCpp,
  title: 'llama.cpp without Jinja',
  refuses: [{ uses: ['tools'], status: 500, message: 'tools param requires --jinja flag' }],
  reasoning: 'inline',
};

/** LM Studio (lmstudio-ai/lmstudio-bug-tracker#189, #670; LoadShine/tada#16). */
const lmStudio: ServerTraits = {
  title: 'LM Studio',
  models: ['qwen/qwen3.6-35b-a3b'],
  refuses: [
    { uses: ['json_object'], message: "'response_format.type' must be 'json_schema' or 'text'" },
    {
      uses: ['named_choice'],
      message: "Invalid tool_choice type: 'object'. Supported string values: none, auto, required",
    },
  ],
  ignores: ['parallel_tool_calls', 'user'],
  errors: 'text',
  reasoning: 'reasoning_content',
  usage: { reasoning: 'completion_tokens_details' },
};

/** A server that refuses every field that was not in the first version of chat completions with tools. */
const strict: ServerTraits = {
  title: 'a strict server',
  models: ['strict'],
  otherModel: { status: 404, message: 'The model `{model}` does not exist.', code: '404' },
  refuses: [],
  ignores: [],
  knows: {
    body: ['model', 'messages', 'stream', 'max_tokens', 'tools'],
    message: ['role', 'content', 'tool_calls', 'tool_call_id'],
  },
  errors: 'flat',
  reasoning: 'hidden',
  usage: {},
};

export const localServers = {
  ollama,
  'ollama-without-tools': ollamaWithoutTools,
  vllm,
  'vllm-before-2026': vllmEarlier,
  'vllm-without-flags': vllmWithoutFlags,
  'llama-cpp': llamaCpp,
  'llama-cpp-without-jinja': llamaCppWithoutJinja,
  'lm-studio': lmStudio,
  strict,
} as const;
