// Remembers which request features a server refused, so that they are tried only once.
import { type Digest, digestOf } from '../base/digest.ts';
import type { AnswerShape, ModelRequest } from '../model/request.ts';
import type { Refusal } from './model-failure.ts';

/** Request features that some servers refuse. Each has a fallback. */
export type Feature = 'json_schema' | 'json_object' | 'stream_options' | 'max_tokens' | 'max_completion_tokens';

/** Three ways to request an answer in JSON. */
export type AnswerFormat = 'json_schema' | 'json_object' | 'text';

export interface Dialect {
  takes(feature: Feature): boolean;
  formatFor(answer: AnswerShape): AnswerFormat;
  /** Returns the sent feature that the refusal is about, and remembers it. */
  hear(refusal: Refusal, sent: readonly Feature[], answer: AnswerShape | undefined): Feature | undefined;
}

/** One memory for all models that use it. */
export interface Dialects {
  /** A server may accept an answer format for one model only, or only without tools. */
  of(baseUrl: string, model: string, request: ModelRequest): Dialect;
}

const NOT_TAKEN =
  /not (?:be )?(?:supported|permitted|allowed|available|implemented)|unsupported|unknown|unrecogni[sz]ed|unexpected|extra/i;

/** Phrases by which servers refuse each feature. */
const complaints: Readonly<Record<Feature, readonly RegExp[]>> = {
  json_schema: [/response_?format|json_?schema|structured.?output|json.?mode|grammar/i],
  json_object: [/response_?format|json_?object|json.?mode|grammar/i],
  stream_options: [/stream_options|include_usage/i, NOT_TAKEN],
  // Matches refusals of the parameter, but not complaints that its value is too high.
  max_tokens: [/max_tokens/i, NOT_TAKEN],
  max_completion_tokens: [/max_completion_tokens/i, NOT_TAKEN],
};

/** The server accepts schemas, but not this one. */
const THIS_SCHEMA = /invalid.?(?:json.?)?schema|schema conversion|grammar|keyword/i;

export function dialects(): Dialects {
  const refused = new Map<string, Set<string>>();
  return {
    of(baseUrl, model, { tools = [] }) {
      const key = `${baseUrl} ${model}${tools.length === 0 ? '' : ' with tools'}`;
      const known = refused.get(key) ?? new Set<string>();
      refused.set(key, known);
      return dialect(known);
    },
  };
}

function dialect(refused: Set<string>): Dialect {
  const takes = (feature: Feature): boolean => !refused.has(feature);
  return {
    takes,
    formatFor({ schema }) {
      if (takes('json_schema') && !refused.has(digestOf(schema))) return 'json_schema';
      // JSON mode can only produce objects.
      return takes('json_object') && schema.type === 'object' ? 'json_object' : 'text';
    },
    hear({ status, code = '', message = '' }, sent, answer) {
      if (![400, 422, 501].includes(status)) return undefined;
      const said = `${code} ${message}`;
      const feature = sent.find((each) => complaints[each].every((pattern) => pattern.test(said)));
      if (feature === 'json_schema' && answer !== undefined) refused.add(schemaRefused(said, answer));
      else if (feature !== undefined) refused.add(feature);
      return feature;
    },
  };
}

function schemaRefused(said: string, { schema }: AnswerShape): Feature | Digest {
  return THIS_SCHEMA.test(said) ? digestOf(schema) : 'json_schema';
}
