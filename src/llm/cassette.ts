// Cassettes: recorded requests to models and capabilities with their answers, so that a run can be replayed without them.
import { type Digest, digestOf } from '../base/digest.ts';
import type { Failure } from '../base/failure.ts';
import { defined, isJsonArray, isJsonObject, type Json } from '../base/json.ts';
import type { Usage } from '../model/reply.ts';
import { withoutReasoning } from '../model/without-reasoning.ts';
import { goalKey, isEarlierPrompt } from './earlier-prompts.ts';

export interface Exchange {
  readonly kind: 'model' | 'embeddings' | 'capability';
  /** The profile, the embeddings model or the capability. */
  readonly name: string;
  /** The step and the purpose of the request, for readers. */
  readonly step?: string;
  readonly purpose?: string;
  /** The rendered request without the token limit and the clock line, which depend on budget and time. */
  readonly request: Json;
  readonly outcome: { readonly value: Json } | { readonly failure: Failure };
  /** The text that arrived before the request failed. */
  readonly heard?: string;
  /** The usage of a failed request, and of embeddings. */
  readonly usage?: Usage;
  /** The failed request was not charged. */
  readonly isFree?: true;
}

export interface Cassette {
  readonly cassette: 1;
  /** The name of the run's template. */
  readonly template: string;
  /** How the cassette was made, unless it was recorded from real models. */
  readonly note?: string;
  readonly exchanges: readonly Exchange[];
}

export interface CassetteKey {
  readonly kind: Exchange['kind'];
  readonly name: string;
  readonly request: Json;
}

/** A request without a recorded answer, and the nearest recorded request. */
export interface Miss {
  /** `messages.1.content, at "…": recorded "…"`; absent when nothing of this kind was recorded. */
  readonly differs?: string;
  /** The number of recorded answers, all of which are used up. */
  readonly usedUp?: number;
}

export interface Player {
  /** Answers equal requests as often as they were recorded, in that order. */
  play(asked: CassetteKey): Exchange | Miss;
}

export function isMiss(found: Exchange | Miss): found is Miss {
  return !('outcome' in found);
}

export function playerOf({ exchanges }: Cassette): Player {
  const byKey = new Map<Digest, Exchange[]>();
  for (const exchange of exchanges) {
    const key = keyOf(exchange);
    byKey.set(key, [...(byKey.get(key) ?? []), exchange]);
  }
  const used = new Map<Digest, number>();
  const earlier = exchanges.filter(({ kind, request }) => kind === 'model' && isEarlierPrompt(request));
  return {
    play(asked) {
      const key = keyOf(asked);
      const recorded = byKey.get(key) ?? [];
      const at = used.get(key) ?? 0;
      used.set(key, at + 1);
      const found = recorded[at] ?? takeEarlier(asked, earlier);
      if (found !== undefined) return found;
      return recorded.length > 0 ? { usedUp: recorded.length } : nearest(asked, exchanges);
    },
  };
}

function keyOf({ kind, name, request }: CassetteKey): Digest {
  return digestOf({ kind, name, request: kind === 'model' ? comparable(request) : request });
}

/** The next answer that an earlier version recorded for the goal of this request. */
function takeEarlier({ kind, name, request }: CassetteKey, earlier: Exchange[]): Exchange | undefined {
  const goal = kind === 'model' && earlier.length > 0 ? goalKey(request) : undefined;
  if (goal === undefined) return undefined;
  const index = earlier.findIndex((each) => each.name === name && goalKey(each.request) === goal);
  return index < 0 ? undefined : earlier.splice(index, 1)[0];
}

const CORRECTION = /^your answer (?:is not one JSON|was empty|was cut off|was read as|holds|does not fit)/i;

/**
 * A request without reasoning in the answers that it repeats, without the wording of corrections, and without tools that may
 * not be called: all three were different in earlier versions, whose cassettes still answer.
 */
function comparable(request: Json): Json {
  if (!isJsonObject(request) || !isJsonArray(request.messages)) return request;
  const messages = request.messages.map((message) => {
    if (!isJsonObject(message) || typeof message.content !== 'string') return message;
    const { role, content } = message;
    if (role === 'assistant') return { ...message, content: withoutReasoning(content) };
    return role === 'user' && CORRECTION.test(content) ? { ...message, content: 'correction' } : message;
  });
  const { tools, toolChoice, ...rest } = request;
  const mayCall = tools !== undefined && toolChoice !== 'none';
  return { ...rest, ...(mayCall ? { tools } : {}), messages };
}

/** Compares with recorded requests of the same kind and name, and picks the one with the longest common beginning. */
function nearest(asked: CassetteKey, exchanges: readonly Exchange[]): Miss {
  const alike = exchanges.filter(({ kind, name }) => kind === asked.kind && name === asked.name);
  const differences = alike.map(({ request }) => firstDifference(asked.request, request));
  const [closest] = differences.sort((left, right) => right.agrees - left.agrees);
  return defined({ differs: closest === undefined ? undefined : closest.text });
}

interface Difference {
  /** `messages.1.content at character 120: asked "…", recorded "…"`. */
  readonly text: string;
  /** How much of them agrees before it: the larger, the nearer they are. */
  readonly agrees: number;
}

const AROUND = 30;

/** Compares two different values. */
function firstDifference(asked: Json, recorded: Json): Difference {
  return find(asked, recorded, [], 0) ?? { text: 'nothing', agrees: Number.POSITIVE_INFINITY };
}

function find(asked: Json, recorded: Json, path: readonly string[], before: number): Difference | undefined {
  if (isJsonArray(asked) && isJsonArray(recorded)) {
    const length = Math.max(asked.length, recorded.length);
    return first(
      Array.from({ length }, (_, at) => String(at)),
      (key) => [asked[Number(key)], recorded[Number(key)]],
    );
  }
  if (isJsonObject(asked) && isJsonObject(recorded)) {
    const keys = [...new Set([...Object.keys(asked), ...Object.keys(recorded)])].sort();
    return first(keys, (key) => [asked[key], recorded[key]]);
  }
  if (typeof asked === 'string' && typeof recorded === 'string') return inTexts(asked, recorded, path, before);
  if (asked === recorded) return undefined;
  return { text: `${where(path)}: asked ${shown(asked)}, recorded ${shown(recorded)}`, agrees: before };

  function first(
    keys: readonly string[],
    sides: (key: string) => readonly [Json | undefined, Json | undefined],
  ): Difference | undefined {
    let agrees = before;
    for (const key of keys) {
      const [left, right] = sides(key);
      const at = [...path, key];
      if (left === undefined || right === undefined) {
        const missing = left === undefined ? 'not asked, and recorded' : 'asked, and not recorded';
        return { text: `${where(at)}: ${missing} ${shown(left ?? right ?? null)}`, agrees };
      }
      const found = find(left, right, at, agrees);
      if (found !== undefined) return found;
      agrees += JSON.stringify(left).length;
    }
    return undefined;
  }
}

function inTexts(asked: string, recorded: string, path: readonly string[], before: number): Difference | undefined {
  if (asked === recorded) return undefined;
  let at = 0;
  while (asked[at] === recorded[at]) at++;
  const part = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - AROUND), at + AROUND));
  return {
    text: `${where(path)} at character ${at + 1}: asked ${part(asked)}, recorded ${part(recorded)}`,
    agrees: before + at,
  };
}

function where(path: readonly string[]): string {
  return path.length === 0 ? 'the request' : path.join('.');
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length <= 2 * AROUND ? text : `${text.slice(0, 2 * AROUND)}…`;
}
