// The settings of planners that read a goal's words, with their defaults.
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { type KindSpec, type Kinds, type PatternSpec, type Strategy, strategies } from '../keys/pattern.ts';
import { defined, flagAt, mapAt, numberAt, textAt, wordsAt } from '../keys/readers.ts';
import { attachmentsAt } from './attachments.ts';

export function readPattern(settings: JsonObject): PatternSpec {
  const askBelow = numberAt(settings, 'ask_below');
  return {
    kinds: readKinds(mapAt(settings, 'kinds') ?? {}),
    sequential: flagAt(settings, 'sequential') ?? false,
    ...defined({ askBelow }),
    attachments: attachmentsAt(settings),
  };
}

/** In the order in which they are tried; undefined: none is named. */
export function readStrategies(settings: JsonObject): readonly Strategy[] | undefined {
  const named = new Set(wordsAt(settings, 'strategies'));
  return named.size === 0 ? undefined : [...named].flatMap((name) => strategies.filter((each) => each === name));
}

function readKinds(raw: JsonObject): Kinds {
  return Object.fromEntries(Object.entries(raw).map(([name, each]) => [name, readKind(each)]));
}

/** A bare word is the agent. */
function readKind(raw: Json): KindSpec {
  if (typeof raw === 'string') return { agent: raw };
  if (!isJsonObject(raw)) return {};
  return defined<KindSpec>({
    agent: textAt(raw, 'agent'),
    capability: textAt(raw, 'capability'),
    matches: raw.matches === undefined ? undefined : wordsAt(raw, 'matches'),
  });
}
