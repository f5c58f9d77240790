// The schema of what a template says of models, of agents, and of a judge.
import type { JsonObject } from '../../base/json.ts';
import { contract, count, duration, map, money, openMap, type Properties, size, text, words } from './build.ts';
import { effectsPolicy } from './effects.ts';

const price = 'In dollars per million tokens.';

const baseUrl = text(
  'Where it is served; `OPENAI_BASE_URL` when absent, else OpenAI itself.',
  'http://127.0.0.1:11434/v1',
  '${env.MODEL_URL}',
);
const apiKey = text(
  'A reference to the key, never the key itself; `OPENAI_API_KEY` when absent, unless `base_url` names a server that is not `OPENAI_BASE_URL`.',
  '${secret.OPENAI_API_KEY}',
);
const retries = count('How often an ask is made again after 429, 5xx, a timeout or a cut connection.', 0, 2);

const profile = map('A model: which one, where it is served, within what limits, at what price.', {
  provider: {
    type: 'string',
    enum: ['openai'],
    default: 'openai',
    description: 'Anything that speaks chat completions: OpenAI, Ollama, llama.cpp, vLLM, LiteLLM, gateways.',
  },
  model: text(
    "The provider's name of the model; the profile's own name when absent. `${env.NAME:-gpt-5-mini}` takes it from a variable.",
    'gpt-5-mini',
    '${env.RECONVERGE_MODEL:-gpt-5-mini}',
  ),
  base_url: baseUrl,
  api_key: apiKey,
  temperature: {
    type: 'number',
    minimum: 0,
    maximum: 2,
    description: 'As the provider takes it; its own when absent.',
  },
  max_output_tokens: size('The most that one answer may have; each ask sets that aside.', 4096),
  min_output_tokens: size('When less than that can be paid for, the model is not asked.', 256),
  timeout: duration('How long one ask may take.', '2m'),
  max_retries: retries,
  context_window: size('How many tokens fit, prompt and answer together.'),
  prices: map(
    'What it costs, where the built-in list does not know it or is wrong.',
    {
      input: money(price),
      cached_input: money(`${price} Of what the provider reads from its cache; as other input when absent.`),
      output: money(price),
    },
    ['input', 'output'],
  ),
});

export const modelsSchema: JsonObject = openMap(
  'Model profiles, by name; `default` is asked where none is named.',
  profile,
  {
    default: { model: 'gpt-5-mini', temperature: 0 },
  },
);

export const embeddingsSchema: JsonObject = {
  ...map(
    'The embeddings model that says how alike goals and capabilities are, for planners that find capabilities by words and where words do not decide; `RECONVERGE_EMBEDDINGS` when absent, and `off` for none.',
    {
      model: text("The provider's name of the model.", 'text-embedding-3-small'),
      base_url: baseUrl,
      api_key: apiKey,
      timeout: duration('How long one ask may take.', '30s'),
      max_retries: retries,
      prices: map('What it costs, where the built-in list does not know it or is wrong.', { input: money(price) }, [
        'input',
      ]),
    },
    ['model'],
  ),
  type: ['string', 'object'],
  'x-expects': 'the name of a model, off, or { model, base_url, prices, … }',
  examples: ['text-embedding-3-small'],
};

const AGENT = 'An agent: a prompt, the tools it may call, and what it must answer.';

const agentProperties: Properties = {
  prompt: text('Who it is and how it works.', 'You are a careful analyst of financial filings.'),
  description: text('What it is good for, in a sentence; planners read it.'),
  model: text('The model profile that it asks.'),
  tools: words('The capabilities that it may call, as globs; none when absent.', ['csv.*']),
  output: contract('What it must answer, where its step does not say; text when absent.'),
  max_turns: count('How often its model may answer for one attempt.', 1, 5),
};

export const agentSchema: JsonObject = map(
  AGENT,
  { ...agentProperties, effects: effectsPolicy('What holds of its calls, beside the `effects` of the template.') },
  ['prompt'],
);

export const agentsSchema: JsonObject = openMap(
  'Agents, by name; the agent `default` is always there and has no tools.',
  agentSchema,
);

/** A plan does not say who has to agree to what its agents do. */
export const plannedAgentsSchema: JsonObject = openMap('Agents, by name.', map(AGENT, agentProperties, ['prompt']));

export const judgeSchema: JsonObject = {
  type: ['boolean', 'string', 'object'],
  properties: {
    model: text('The model profile that judges.'),
    criteria: text('What it has to see to let the result through.'),
  },
  additionalProperties: false,
  'x-expects': 'true, a text with what the judge has to see, or { model, criteria }',
  default: false,
  description: 'A model reviews the result, after its contract and its verification have let it through.',
};

export const skillsSchema: JsonObject = openMap(
  'Pieces of expertise, by name, told to the planners and agents that they concern.',
  {
    type: ['string', 'object'],
    required: ['text'],
    properties: {
      text: text('What whoever it concerns is told.'),
      applies_to: words('Capabilities, as globs: whoever may use one of them is told.', ['csv.*']),
      context_tags: words('In a run with one of these `context_tags` everyone is told.', ['finance']),
    },
    additionalProperties: false,
    'x-expects': 'a text for everyone, or { text, applies_to, context_tags }',
  },
  { csv_dialects: { text: 'Files from the warehouse are separated by semicolons.', applies_to: ['csv.*'] } },
);
