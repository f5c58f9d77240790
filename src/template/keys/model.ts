// Keys of model profiles and of the embeddings model: `$0.25` per million tokens to micro-dollars, `60s` to milliseconds.
import { defined, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Price } from '../../model/price.ts';
import type { EmbeddingsProfile, ModelProfile } from '../../model/profile.ts';
import { type KeyValues, readKeys } from './key.ts';
import { choice, count, duration, map, mapByName, money, number, size, text } from './kinds.ts';

/** The surroundings' knowledge of models, beside the template's own. */
export interface KnownModels {
  /** The list price of a model; undefined where no list has it. */
  readonly priceOf: (model: string) => Price | undefined;
  /** Profiles as a template would declare them; the template's own come before them. */
  readonly profiles: Readonly<Record<string, JsonObject>>;
  /** The embeddings model for templates that name none. */
  readonly embeddings?: string;
  /** Variables that a profile's `model` may name. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export const noModels: KnownModels = { priceOf: () => undefined, profiles: {}, env: {} };

/** `${env.X}`, or `${env.X:-the value when X is not set}`. */
const VARIABLE = /\$\{env\.(\w+)(?::-([^}]*))?\}/g;

const price = 'In dollars per million tokens.';

const serverKeys = {
  base_url: text(
    'Where it is served; `OPENAI_BASE_URL` when absent, else OpenAI itself.',
    'http://127.0.0.1:11434/v1',
    '${env.MODEL_URL}',
  ),
  api_key: text(
    'A reference to the key, never the key itself; `OPENAI_API_KEY` when absent, unless `base_url` names a server that is not `OPENAI_BASE_URL`.',
    '${secret.OPENAI_API_KEY}',
  ),
};

const retries = count('How often an ask is made again after 429, 5xx, a timeout or a cut connection.', 0).or(2);

const profileKeys = {
  provider: choice('Anything that speaks chat completions: OpenAI, Ollama, llama.cpp, vLLM, LiteLLM, gateways.', [
    'openai',
  ]).or('openai'),
  model: text(
    "The provider's name of the model; the profile's own name when absent. `${env.NAME:-gpt-5-mini}` takes it from a variable.",
    'gpt-5-mini',
    '${env.RECONVERGE_MODEL:-gpt-5-mini}',
  ),
  ...serverKeys,
  temperature: number('As the provider takes it; its own when absent.', 0, 2),
  max_output_tokens: size('The most that one answer may have; each ask sets that aside.').or(4096),
  min_output_tokens: size('When less than that can be paid for, the model is not asked.').or(256),
  timeout: duration('How long one ask may take.').or('2m'),
  max_retries: retries,
  context_window: size('How many tokens fit, prompt and answer together.'),
  prices: map(
    'What it costs, where the built-in list does not know it or is wrong.',
    {
      input: money(price),
      cached_input: money(`${price} Of what the provider reads from its cache; as other input when absent.`).as(
        'cached',
      ),
      output: money(price),
    },
    ['input', 'output'],
  ).to(priceOf),
};

const profile = map('A model: which one, where it is served, within what limits, at what price.', profileKeys);

export const models = mapByName('Model profiles, by name; `default` is asked where none is named.', profile, {
  default: { model: 'gpt-5-mini', temperature: 0 },
});

const embeddingsKeys = {
  model: text("The provider's name of the model.", 'text-embedding-3-small').orElse(''),
  ...serverKeys,
  timeout: duration('How long one ask may take.').or('30s'),
  max_retries: retries,
  prices: map('What it costs, where the built-in list does not know it or is wrong.', { input: money(price) }, [
    'input',
  ]).to(({ input }) => priceOf({ ...defined({ input }), output: 0 })),
};

export const embeddings = map(
  'The embeddings model that says how alike goals and capabilities are, for planners that find capabilities by words and where words do not decide; `RECONVERGE_EMBEDDINGS` when absent, and `off` for none.',
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
function priceOf({ input, output, cached }: Partial<Price>): Price | undefined {
  return input === undefined || output === undefined ? undefined : { input, output, ...defined({ cached }) };
}

/** A variable that is not set stays as it is written, for the checks to find. */
function filledIn(model: string, { env }: KnownModels): string {
  return model.replace(VARIABLE, (written, variable: string, otherwise: string | undefined) => {
    const value = Object.hasOwn(env, variable) ? env[variable] : undefined;
    return value === undefined || value === '' ? (otherwise ?? written) : value;
  });
}

export function readModels(written: Json | undefined, known: KnownModels): Readonly<Record<string, ModelProfile>> {
  const declared = { ...known.profiles, ...(isJsonObject(written) ? written : {}) };
  const read = Object.entries(models.read(declared, []) ?? {});
  return Object.fromEntries(
    read.map(([name, { prices, ...each }]): [string, ModelProfile] => {
      const model = filledIn(each.model ?? name, known);
      const minOutputTokens = Math.min(each.maxOutputTokens, each.minOutputTokens);
      return [name, { ...each, model, minOutputTokens, ...defined({ price: prices ?? known.priceOf(model) }) }];
    }),
  );
}

/** `off` means no embeddings, whatever the surroundings name. */
export function readEmbeddings(written: Json | undefined, known: KnownModels): EmbeddingsProfile | undefined {
  const read = embeddings.read(written ?? known.embeddings, []);
  if (read === undefined) return undefined;
  const { prices, ...each } = read;
  const model = filledIn(each.model, known);
  return { ...each, model, ...defined({ price: prices ?? known.priceOf(model) }) };
}
