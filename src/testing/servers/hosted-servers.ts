// The traits of hosted model servers, with the threads and pages that show them.
import type { ServerTraits } from './server-traits.ts';

const cachedAndReasoning = {
  cached: 'prompt_tokens_details',
  reasoning: 'completion_tokens_details',
} as const;

/** Chat completions of gpt-5.6 (BerriAI/litellm#34569, danny-avila/LibreChat#14231, QwenLM/qwen-code#921). */
const openai: ServerTraits = {
  title: 'OpenAI',
  models: ['gpt-5.6'],
  otherModel: {
    status: 404,
    message: 'The model `{model}` does not exist or you do not have access to it.',
    code: 'model_not_found',
  },
  refuses: [
    {
      uses: ['max_tokens'],
      message:
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      param: 'max_tokens',
      code: 'unsupported_parameter',
    },
    {
      uses: ['temperature'],
      message:
        "Unsupported value: 'temperature' does not support {temperature} with this model. Only the default (1) value is supported.",
      param: 'temperature',
      code: 'unsupported_value',
    },
    {
      uses: ['top_p'],
      message: "Unsupported parameter: 'top_p' is not supported with this model.",
      param: 'top_p',
      code: 'unsupported_parameter',
    },
    // Also without any effort: this model reasons unless it is told not to.
    {
      uses: ['tools_with_reasoning'],
      message:
        "Function tools with reasoning_effort are not supported for {model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
      param: 'reasoning_effort',
    },
    {
      uses: ['no_tools'],
      message: "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.",
      param: 'tools',
      code: 'empty_array',
    },
    {
      uses: ['unannounced_json'],
      message: "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      param: 'messages',
    },
  ],
  ignores: [],
  responses: ['temperature', 'top_p'],
  errors: 'openai',
  reasoning: 'hidden',
  usage: cachedAndReasoning,
};

/**
 * gpt-6 refuses tools while it reasons, and refuses not to reason (openclaw/openclaw#148358, maximhq/bifrost#7275): its
 * chat completions take no tools at all.
 */
const azure: ServerTraits = {
  ...openai,
  title: 'Azure OpenAI',
  models: ['gpt-6-astra'],
  otherModel: {
    status: 404,
    message: 'The API deployment for this resource does not exist.',
    code: 'DeploymentNotFound',
  },
  refuses: [
    {
      uses: ['no_reasoning'],
      message:
        "Unsupported value: 'reasoning_effort' does not support 'none' with this model. Supported values are: 'low', 'medium', 'high', and 'xhigh'.",
      param: 'reasoning_effort',
      code: 'unsupported_value',
    },
    ...openai.refuses,
  ],
};

/**
 * The compatible endpoint of Anthropic (ccbogel/QualCoder#1208, UKGovernmentBEIS/inspect_ai#3721, microsoft/autogen#6083;
 * ignored fields: platform.claude.com/docs/en/api/openai-sdk).
 */
const anthropic: ServerTraits = {
  title: 'Anthropic',
  models: ['claude-sonnet-5'],
  otherModel: { status: 404, message: 'model: {model}', code: 'not_found_error' },
  refuses: [
    {
      uses: ['json_object'],
      message: "response_format.type: Input should be 'json_schema'",
      code: 'invalid_request_error',
    },
    { uses: ['temperature'], message: '`temperature` is deprecated for this model.', code: 'invalid_request_error' },
    { uses: ['top_p'], message: '`top_p` is deprecated for this model.', code: 'invalid_request_error' },
    {
      uses: ['empty_answer'],
      message: 'messages.1: all messages must have non-empty content except for the optional final assistant message',
      code: 'invalid_request_error',
    },
  ],
  ignores: ['seed', 'reasoning_effort', 'logprobs', 'metadata', 'store', 'user'],
  errors: 'openai',
  reasoning: 'hidden',
  usage: {},
};

const geminiErrors = {
  errors: 'list',
  usage: { cached: 'prompt_tokens_details', reasoning: 'total' },
  otherModel: {
    status: 404,
    message:
      'models/{model} is not found for API version v1main, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.',
  },
} as const;

/** The compatible endpoint of Gemini 2 (openai/openai-agents-python#656, Simpleyyt/ai-manus#101, Vali-98/ChatterUI#227). */
const gemini2: ServerTraits = {
  ...geminiErrors,
  title: 'Gemini 2',
  models: ['gemini-2.5-flash'],
  refuses: [
    {
      uses: ['tools_with_format'],
      message: "Function calling with a response mime type: 'application/json' is unsupported",
    },
    { uses: ['seed'], message: 'Invalid JSON payload received. Unknown name "seed": Cannot find field.' },
  ],
  ignores: [],
  reasoning: 'hidden',
};

/** Gemini 3 demands its thought signatures back (openclaw/openclaw#72127, tinyhumansai/openhuman#3548). */
const gemini3: ServerTraits = {
  ...geminiErrors,
  title: 'Gemini 3',
  models: ['gemini-3-flash-preview'],
  refuses: [
    {
      uses: ['lost_signature'],
      message:
        'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.',
    },
  ],
  ignores: [],
  reasoning: 'hidden',
  wantsBack: 'thought_signature',
};

/**
 * Mistral refuses every field that it does not know (editor-code-assistant/eca#231, avante-corp/avante.nvim#2347, charmbracelet/crush#1590,
 * partITech/php-mistral#76), ids of other servers (nearai/ironclaw#1241) and empty answers (OpenHands/OpenHands#8685).
 */
const mistral: ServerTraits = {
  title: 'Mistral',
  models: ['magistral-medium-latest'],
  otherModel: { status: 400, message: 'Invalid model: {model}', code: '1500' },
  refuses: [
    {
      uses: ['foreign_call_id'],
      message: 'Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.',
      code: '3280',
    },
    {
      uses: ['empty_answer'],
      message: 'Assistant message must have either content or tool_calls, but not none.',
      code: '3240',
    },
  ],
  ignores: [],
  knows: {
    body: [
      'model',
      'messages',
      'stream',
      'temperature',
      'top_p',
      'max_tokens',
      'stop',
      'random_seed',
      'response_format',
      'tools',
      'tool_choice',
      'parallel_tool_calls',
      'presence_penalty',
      'frequency_penalty',
      'n',
      'prediction',
      'prompt_mode',
      'reasoning_effort',
      'safe_prompt',
    ],
    message: ['role', 'content', 'tool_calls', 'tool_call_id', 'name', 'prefix'],
  },
  errors: 'flat',
  reasoning: 'thinking',
  // TabbyML/tabby#4082
  usage: { cached: 'num_cached_tokens', isAlwaysStreamed: true },
  callIds: 'nine',
};

/** Groq (vercel/ai#16540, agno-agi/agno#1065, langchain-ai/langchain#23629, janhq/jan#8136, karthink/gptel#774; console.groq.com/docs/structured-outputs). */
const groq: ServerTraits = {
  title: 'Groq',
  models: ['openai/gpt-oss-120b'],
  otherModel: {
    status: 404,
    message: 'The model `{model}` does not exist or you do not have access to it.',
    code: 'model_not_found',
  },
  refuses: [
    { uses: ['tools_with_format'], message: 'json mode cannot be combined with tool/function calling' },
    { uses: ['streamed_format'], message: 'response_format` does not support streaming' },
    {
      uses: ['reasoning_sent_back'],
      message:
        "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property 'reasoning' is unsupported, did you mean 'role'?)]",
    },
    {
      uses: ['unannounced_json'],
      message: "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
    },
  ],
  ignores: [],
  // LiteLLM cannot read a completion of Groq without it.
  adds: { service_tier: 'on_demand' },
  errors: 'openai',
  reasoning: 'reasoning',
  usage: cachedAndReasoning,
};

/**
 * DeepSeek 4 (llm-exe/llm-exe#662, osaurus-ai/osaurus#1940, earendil-works/pi#3636, browserbase/stagehand#1204). Its
 * thinking mode takes a choice of tools that forces nothing.
 */
const deepseek: ServerTraits = {
  title: 'DeepSeek',
  models: ['deepseek-v4-flash'],
  otherModel: { status: 400, message: 'Model Not Exist', code: 'invalid_request_error' },
  refuses: [
    {
      uses: ['json_schema'],
      message: 'This response_format type is unavailable now',
      code: 'invalid_request_error',
    },
    {
      uses: ['unannounced_json'],
      message: "Prompt must contain the word 'json' in some form to use 'response_format' of type 'json_object'.",
      code: 'invalid_request_error',
    },
    {
      uses: ['forced_choice'],
      message: 'Thinking mode does not support this tool_choice',
      code: 'invalid_request_error',
    },
    {
      uses: ['lost_reasoning'],
      message: 'The `reasoning_content` in the thinking mode must be passed back to the API.',
      code: 'invalid_request_error',
    },
  ],
  ignores: ['temperature', 'top_p', 'seed', 'max_completion_tokens'],
  errors: 'openai',
  reasoning: 'reasoning_content',
  usage: { cached: 'prompt_cache_hit_tokens', reasoning: 'completion_tokens_details' },
  wantsBack: 'reasoning_content',
};

/** OpenRouter before Gemini 3, which wants its details back (LibreChat-AI/agents#37, microsoft/agent-framework#2947). */
const openrouter: ServerTraits = {
  title: 'OpenRouter',
  models: ['google/gemini-3-pro-preview'],
  otherModel: { status: 400, message: '{model} is not a valid model ID' },
  refuses: [
    {
      uses: ['lost_reasoning_details'],
      message:
        'Gemini models require OpenRouter reasoning details to be preserved in each request. Please refer to our docs: https://openrouter.ai/docs/use-cases/reasoning-tokens#preserving-reasoning-blocks. Upstream error: Function call is missing a thought_signature in functionCall parts.',
    },
  ],
  ignores: ['seed'],
  errors: 'routed',
  reasoning: 'reasoning_details',
  usage: cachedAndReasoning,
  wantsBack: 'reasoning_details',
};

/** A model without tools at OpenRouter (evalstate/fast-agent#122, zed-industries/zed#36094). */
const openrouterWithoutTools: ServerTraits = {
  ...openrouter,
  title: 'OpenRouter, a model without tools',
  models: ['deepseek/deepseek-r1:free'],
  refuses: [
    {
      uses: ['tools'],
      status: 404,
      message:
        'No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/guides/routing/provider-selection',
    },
  ],
  errors: 'numbered',
};

/** LiteLLM before Bedrock, without `drop_params` (BerriAI/litellm#24158, #29618). */
const litellm: ServerTraits = {
  title: 'LiteLLM',
  models: ['claude-haiku'],
  otherModel: {
    status: 400,
    message:
      '/chat/completions: Invalid model name passed in model={model}. Call `/v1/models` to view available models for your key.',
    code: '400',
  },
  refuses: [
    {
      uses: ['calls_without_tools'],
      message:
        "litellm.UnsupportedParamsError: Bedrock doesn't support tool calling without `tools=` param specified. Pass `tools=` param OR set `litellm.modify_params = True` // `litellm_settings::modify_params: True` to add dummy tool to the request.",
      code: '400',
    },
    {
      uses: ['seed'],
      message:
        "litellm.UnsupportedParamsError: bedrock does not support parameters: ['seed'], for model={model}. To drop these, set `litellm.drop_params=True` or for proxy:\n\n`litellm_settings:\n drop_params: true`\n. \n If you want to use these params dynamically send allowed_openai_params=['seed'] in your request.",
      code: '400',
    },
  ],
  ignores: [],
  errors: 'openai',
  reasoning: 'reasoning_content',
  usage: cachedAndReasoning,
};

export const hostedServers = {
  openai,
  azure,
  anthropic,
  'gemini-2': gemini2,
  'gemini-3': gemini3,
  mistral,
  groq,
  deepseek,
  openrouter,
  'openrouter-without-tools': openrouterWithoutTools,
  litellm,
} as const;
