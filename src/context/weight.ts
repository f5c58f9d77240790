// The size of a shown value: the bytes and tokens of its JSON.
import type { Json } from '../base/json.ts';
import { bytesOf, type CountTokens } from './tokens.ts';

export interface Weight {
  /** Counted in UTF-8. */
  readonly bytes: number;
  readonly tokens: number;
}

export interface WeighedValue extends Weight {
  readonly value: Json;
}

export function weigh(value: Json, countTokens: CountTokens): WeighedValue {
  return { value, ...weightOf(JSON.stringify(value), countTokens) };
}

export function weightOf(text: string, countTokens: CountTokens): Weight {
  return { bytes: bytesOf(text), tokens: countTokens(text) };
}
