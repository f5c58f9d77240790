// Keys of model profiles and of the embeddings model.
import { defined, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Price } from '../../model/price.ts';
import type { EmbeddingsProfile, ModelProfile } from '../../model/profile.ts';
import { type KeyValues, readKeys } from './key.ts';
import { choice, count, duration, flag, map, mapByName, money, number, openMap, size, text, words } from './kinds.ts';

/** Models and prices that are known apart from the template: from the environment and from the price list. */
export interface KnownModels {
  /** The list price of a model; undefined when no list has it. */
  readonly priceOf: (model: string) => Price | undefined;
  /** Profiles as a template would declare them; a profile of the template wins over one of the same name. */
  readonly profiles: Readonly<Record<string, JsonObject>>;
  /** Profiles of the models that the program hands over, for templates that declare no models. */
  readonly handedOver?: Readonly<Record<string, JsonObject>>;
  /** The embeddings model for templates that name none. */
  readonly embeddings?: string;
  /** Variables that a profile's `model` may name. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export const noModels: KnownModels = { priceOf: () => undefined, profiles: {}, env: {} };

/** `${env.X}`, or `${env.X:-the value when X is not set}`. */
const VARIABLE = /\$\{env\.(\w+)(?::-([^}]*))?\}/g;

const price = 'US dollars per million tokens.';

const serverKeys = {
  base_url: text(
    'The address of the API; when absent, `OPENAI_BASE_URL` or the address of OpenAI.',
    'http://127.0.0.1:11434/v1',
    '${env.MODEL_URL}',
  ),
  api_key: text(
    'A reference to the API key, never the key itself; `OPENAI_API_KEY` when absent, unless `base_url` names another server than `OPENAI_BASE_URL`.',
    '${secret.OPENAI_API_KEY}',
  ),
};

const retries = count(
  'The most retries of a request after 429, 5xx, a timeout or a lost connection. The retries of a step and its attempts share its tries.',
  0,
).or(2);

const profileKeys = {
  provider: choice(
    '`openai`: any server with an API of OpenAI, such as OpenAI, Azure, Ollama, llama.cpp, vLLM, LiteLLM and gateways. `ai-sdk`: a provider of the AI SDK, from `module`.',
    ['openai', 'ai-sdk'],
  ).or('openai'),
  module: text(
    'The module with a provider of the AI SDK, relative to the template. Its default export makes a model from the name of a model.',
    './models.ts',
  ),
  api: choice(
    'The API of the server. `auto` is Responses for OpenAI and Azure, and chat completions for any other server.',
    ['auto', 'chat', 'responses'],
  ).or('auto'),
  model: text(
    "The provider's name of the model; when absent, the name of the profile. `${env.NAME:-gpt-5-mini}` takes it from a variable.",
    'gpt-5-mini',
    '${env.RECONVERGE_MODEL:-gpt-5-mini}',
  ),
  ...serverKeys,
  temperature: number(
    'The sampling temperature; when absent, the default of the provider. Some models refuse it.',
    0,
    2,
  ),
  top_p: number('The nucleus sampling threshold; when absent, the default of the provider.', 0, 1),
  seed: count('The seed of the sampling, for providers that repeat answers.', 0),
  reasoning: choice('The reasoning effort before an answer; when absent, the default of the provider.', [
    'none',
    'minimal',
    'low',
    'medium',
    'high',
    'xhigh',
    'max',
  ]),
  tools: flag('`false` for a server without tool calls. Agents then name their calls in their answers.').or(true),
  headers: mapByName(
    'The headers of each request. Secrets are given by reference.',
    text('The value.', '${secret.GATEWAY_TOKEN}'),
  ),
  extra_body: openMap(
    'The keys to add to the body of each request, as the server documents them. With `provider: ai-sdk`, the options of providers by their names.',
    { top_k: 20 },
  ),
  stream: flag(
    '`true` streams every answer and `false` none; when absent, answers are streamed while somebody watches.',
  ),
  stall_timeout: duration('The longest pause between two pieces of a streamed answer.').or('60s'),
  fallback: words('The profiles to ask, in this order, when this one cannot be reached or refuses.', ['backup']).orElse(
    [],
  ),
  max_output_tokens: size('The most tokens of one answer; each request reserves them in the budget.').or(4096),
  min_output_tokens: size(
    'The fewest output tokens worth a request: when the budget allows fewer, the model is not asked.',
  ).or(256),
  timeout: duration('The time limit of one request.').or('2m'),
  max_retries: retries,
  max_retry_after: duration('The longest wait that the server may ask for; a longer one ends the retries.').or('1m'),
  context_window: size('The most tokens of prompt and answer together.'),
  prices: map(
    'The prices, when the built-in list does not know the model or is wrong.',
    {
      input: money(price),
      cached_input: money(
        `${price} For input that the provider reads from its cache; the price of other input when absent.`,
      ).as('cached'),
      cache_write: money(
        `${price} For input that the provider writes to its cache; the price of other input when absent.`,
      ).as('cacheWrite'),
      output: money(price),
    },
    ['input', 'output'],
  ).to(priceOf),
};

const profile = map('A model profile: the model, its server, its limits and its prices.', profileKeys);

export const models = mapByName('Model profiles by name; `default` is used wherever no profile is named.', profile, {
  default: { model: 'gpt-5-mini' },
});

const embeddingsKeys = {
  model: text("The provider's name of the model.", 'text-embedding-3-small').orElse(''),
  ...serverKeys,
  timeout: duration('The time limit of one request.').or('30s'),
  max_retries: retries,
  prices: map('The price, when the built-in list does not know the model or is wrong.', { input: money(price) }, [
    'input',
  ]).to(({ input }) => priceOf({ ...defined({ input }), output: 0 })),
};

export const embeddings = map(
  'The embeddings model. Planners that match the words of a goal to capabilities use it to compare goals and capabilities when the words do not decide. When absent, `RECONVERGE_EMBEDDINGS` names it; `off` uses none.',
  embeddingsKeys,
  ['model'],
)
  .with({ examples: ['text-embedding-3-small'] })
  .orShort(
    {
      type: ['string', 'object'],
      'x-expects': 'the name of a model, off, or { model, base_url, prices, … }',
    },
    (written): KeyValues<typeof embeddingsKeys> | undefined =>
      typeof written === 'string' && written !== 'off' ? readKeys(embeddingsKeys, { model: written }) : undefined,
  );

/** Prices are written per million tokens, which equals micro-dollars per token. */
function priceOf({ input, output, cached, cacheWrite }: Partial<Price>): Price | undefined {
  if (input === undefined || output === undefined) return undefined;
  return { input, output, ...defined({ cached, cacheWrite }) };
}

/** Replaces variables. A variable that is not set stays as written, so that a check reports it. */
function filledIn(model: string, { env }: KnownModels): string {
  return model.replace(VARIABLE, (written, variable: string, otherwise: string | undefined) => {
    const value = Object.hasOwn(env, variable) ? env[variable] : undefined;
    return value === undefined || value === '' ? (otherwise ?? written) : value;
  });
}

export function readModels(written: Json | undefined, known: KnownModels): Readonly<Record<string, ModelProfile>> {
  const declared = { ...known.profiles, ...(isJsonObject(written) ? written : known.handedOver) };
  const read = Object.entries(models.read(declared, []) ?? {});
  return Object.fromEntries(
    read.map(([name, { prices, ...each }]): [string, ModelProfile] => {
      const model = filledIn(each.model ?? name, known);
      const minOutputTokens = Math.min(each.maxOutputTokens, each.minOutputTokens);
      return [name, { ...each, model, minOutputTokens, ...defined({ price: prices ?? known.priceOf(model) }) }];
    }),
  );
}

/** `off` means no embeddings, even when `known` names a model. */
export function readEmbeddings(written: Json | undefined, known: KnownModels): EmbeddingsProfile | undefined {
  const read = embeddings.read(written ?? known.embeddings, []);
  if (read === undefined) return undefined;
  const { prices, ...each } = read;
  const model = filledIn(each.model, known);
  return { ...each, model, ...defined({ price: prices ?? known.priceOf(model) }) };
}
