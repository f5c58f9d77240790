// Model profiles as a document declares them: `$0.25` per million tokens to micro-dollars, `60s` to milliseconds.
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { readMoney, readSize } from '../../base/quantity.ts';
import type { Price } from '../../model/price.ts';
import type { EmbeddingsProfile, ModelProfile } from '../../model/profile.ts';
import { defined, durationAt, mapAt, numberAt, quantityAt, textAt } from '../keys/readers.ts';

/** What is known of models beside what a template says of them. */
export interface KnownModels {
  /** The list price of a model; undefined where no list has it. */
  readonly priceOf: (model: string) => Price | undefined;
  /** Profiles that the surroundings bring, as a template would declare them; the template's own come before them. */
  readonly profiles: Readonly<Record<string, JsonObject>>;
  /** The embeddings model that the surroundings name, for templates that say nothing of one. */
  readonly embeddings?: string;
  /** Variables that a profile's `model` may name. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export const noModels: KnownModels = { priceOf: () => undefined, profiles: {}, env: {} };

/** `${env.X}`, or `${env.X:-what it is when X is not set}`. */
const VARIABLE = /\$\{env\.(\w+)(?::-([^}]*))?\}/g;

const TIMEOUT = 120_000;
const RETRIES = 2;
const MOST_OUTPUT = 4_096;
const LEAST_OUTPUT = 256;

export function readModels(written: Json | undefined, known: KnownModels): Readonly<Record<string, ModelProfile>> {
  const declared = { ...known.profiles, ...(isJsonObject(written) ? written : {}) };
  return Object.fromEntries(
    Object.entries(declared).flatMap(([name, each]) =>
      isJsonObject(each) ? [[name, readModel(name, each, known)] as const] : [],
    ),
  );
}

/** A variable that is not set stays as it is written, for the checks to find. */
function filledIn(text: string, { env }: KnownModels): string {
  return text.replace(VARIABLE, (written, variable: string, otherwise: string | undefined) => {
    const value = Object.hasOwn(env, variable) ? env[variable] : undefined;
    return value === undefined || value === '' ? (otherwise ?? written) : value;
  });
}

function readModel(name: string, raw: JsonObject, known: KnownModels): ModelProfile {
  const model = filledIn(textAt(raw, 'model') ?? name, known);
  const most = quantityAt(raw, 'max_output_tokens', readSize) ?? MOST_OUTPUT;
  return defined<ModelProfile>({
    provider: 'openai',
    model,
    baseUrl: textAt(raw, 'base_url'),
    apiKey: textAt(raw, 'api_key'),
    temperature: numberAt(raw, 'temperature'),
    maxOutputTokens: most,
    minOutputTokens: Math.min(most, quantityAt(raw, 'min_output_tokens', readSize) ?? LEAST_OUTPUT),
    timeout: durationAt(raw, 'timeout') ?? TIMEOUT,
    maxRetries: numberAt(raw, 'max_retries') ?? RETRIES,
    contextWindow: quantityAt(raw, 'context_window', readSize),
    price: readPrice(mapAt(raw, 'prices')) ?? known.priceOf(model),
  });
}

const EMBEDDINGS_TIMEOUT = 30_000;

/** `off` is none, whatever the surroundings say. */
export function readEmbeddings(written: Json | undefined, known: KnownModels): EmbeddingsProfile | undefined {
  const said = written ?? known.embeddings;
  if (said === undefined || said === 'off') return undefined;
  const raw = isJsonObject(said) ? said : { model: said };
  const model = filledIn(textAt(raw, 'model') ?? '', known);
  const prices = mapAt(raw, 'prices');
  return defined<EmbeddingsProfile>({
    model,
    baseUrl: textAt(raw, 'base_url'),
    apiKey: textAt(raw, 'api_key'),
    timeout: durationAt(raw, 'timeout') ?? EMBEDDINGS_TIMEOUT,
    maxRetries: numberAt(raw, 'max_retries') ?? RETRIES,
    price: readPrice(prices && { output: 0, ...prices }) ?? known.priceOf(model),
  });
}

/** Written per million tokens, which is what a rate is in micro-dollars. */
function readPrice(raw: JsonObject | undefined): Price | undefined {
  const input = raw && quantityAt(raw, 'input', readMoney);
  const output = raw && quantityAt(raw, 'output', readMoney);
  if (raw === undefined || input === undefined || output === undefined) return undefined;
  const cached = quantityAt(raw, 'cached_input', readMoney);
  return { input, output, ...defined({ cached }) };
}
