// Remembers which request features a server refused, so that they are tried only once.
import { digestOf } from '../base/digest.ts';
import type { JsonObject } from '../base/json.ts';
import type { Duration, Instant } from '../base/quantity.ts';
import type { AnswerShape } from '../model/request.ts';
import { type Feature, refusedFeatures } from './features.ts';
import type { Refusal } from './model-failure.ts';

/** Three ways to request an answer in JSON. */
export type AnswerFormat = 'json_schema' | 'json_object' | 'text';

export interface Dialect {
  takes(feature: Feature): boolean;
  formatFor(answer: AnswerShape): AnswerFormat;
  /** True when the server refused this schema, although it takes others. */
  refusedSchema(schema: JsonObject): boolean;
  /** Returns the sent features that the refusal is about, and remembers them. */
  hear(refusal: Refusal, sent: readonly Feature[], answer: AnswerShape | undefined): readonly Feature[];
}

/** When each feature, or the digest of a schema, was last refused. */
export type Refusals = Readonly<Record<string, Instant>>;

/** A memory of refusals that outlives the process. Neither function throws. */
export interface RefusalStore {
  recall(baseUrl: string, model: string): Refusals;
  keep(baseUrl: string, model: string, refusals: Refusals): void;
}

/** One memory for all models that use it. */
export interface Dialects {
  of(baseUrl: string, model: string): Dialect;
  /** Forgets what the server refused, so that a later request tries everything again. */
  forget(baseUrl: string, model: string): void;
}

export interface DialectOptions {
  /** Absent: refusals are remembered in this process only. */
  readonly store?: RefusalStore;
  readonly now?: () => Instant;
}

/** Servers are updated, so a refusal is believed for a week. */
export const REFUSAL_LASTS: Duration = 7 * 24 * 60 * 60 * 1_000;

/** The server accepts schemas, but not this one. */
const THIS_SCHEMA = /invalid.?(?:json.?)?schema|schema conversion|grammar|keyword/i;

export function dialects({ store, now = Date.now }: DialectOptions = {}): Dialects {
  const known = new Map<string, Map<string, Instant>>();

  function refusalsOf(baseUrl: string, model: string): Map<string, Instant> {
    const key = `${baseUrl} ${model}`;
    const found = known.get(key) ?? new Map(Object.entries(store?.recall(baseUrl, model) ?? {}));
    known.set(key, found);
    return found;
  }

  return {
    of(baseUrl, model) {
      const refused = refusalsOf(baseUrl, model);
      return dialect(
        (what) => {
          const at = refused.get(what);
          return at !== undefined && now() - at < REFUSAL_LASTS;
        },
        (what) => {
          for (const each of what) refused.set(each, now());
          store?.keep(baseUrl, model, Object.fromEntries(refused));
        },
      );
    },
    forget(baseUrl, model) {
      refusalsOf(baseUrl, model).clear();
      store?.keep(baseUrl, model, {});
    },
  };
}

function dialect(isRefused: (what: string) => boolean, remember: (what: readonly string[]) => void): Dialect {
  const takes = (feature: Feature): boolean => !isRefused(feature);
  const refusedSchema = (schema: JsonObject): boolean => isRefused(digestOf(schema));
  return {
    takes,
    refusedSchema,
    formatFor({ schema }) {
      if (takes('json_schema') && !refusedSchema(schema)) return 'json_schema';
      // JSON mode can only produce objects.
      return takes('json_object') && schema.type === 'object' ? 'json_object' : 'text';
    },
    hear(refusal, sent, answer) {
      const refused = refusedFeatures(refusal, sent);
      if (refused.length === 0) return refused;
      const said = `${refusal.code ?? ''} ${refusal.message ?? ''}`;
      const isThisSchema = answer !== undefined && sent.includes('json_schema') && THIS_SCHEMA.test(said);
      const isFormat = refused.some((feature) => feature === 'json_schema' || feature === 'tools_with_format');
      if (isThisSchema && isFormat) {
        remember([digestOf(answer.schema)]);
        return ['json_schema'];
      }
      remember(refused);
      return refused;
    },
  };
}
