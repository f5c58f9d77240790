// The settings of planners that read a goal's words, with their defaults.
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { ASK_BELOW, type KindSpec, type Kinds, type PatternSettings } from '../pattern-settings.ts';
import { attachmentsAt } from './attachments.ts';
import { defined, flagAt, mapAt, numberAt, textAt, wordsAt } from './readers.ts';

export function readPattern(settings: JsonObject): PatternSettings {
  return {
    kinds: readKinds(mapAt(settings, 'kinds') ?? {}),
    sequential: flagAt(settings, 'sequential') ?? false,
    askBelow: numberAt(settings, 'ask_below') ?? ASK_BELOW,
    attachments: attachmentsAt(settings),
  };
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
