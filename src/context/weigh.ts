// What a value costs where it is shown: the bytes and the tokens of its JSON, found together.
import type { Json } from '../base/json.ts';
import { bytesOf, type CountTokens } from './tokens.ts';

export interface Weight {
  /** In UTF-8. */
  readonly bytes: number;
  readonly tokens: number;
}

export interface Weighed extends Weight {
  readonly value: Json;
}

export function weigh(value: Json, countTokens: CountTokens): Weighed {
  return { value, ...weightOf(JSON.stringify(value), countTokens) };
}

export function weightOf(text: string, countTokens: CountTokens): Weight {
  return { bytes: bytesOf(text), tokens: countTokens(text) };
}
