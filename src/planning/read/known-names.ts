// Finds the capability that a plan calls by the name of its tool, such as `Text-to-Speech` for `text_to_speech`.
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Declaration } from '../../contract/declaration.ts';
import { capabilityNameOf } from '../../contract/tool-name.ts';

/** Returns the capability's own name, or the given name when no capability or more than one fits. */
export type KnownName = (called: string) => string;

export function knownNames(declarations: Readonly<Record<string, Declaration>>): KnownName {
  let byTool: Map<string, string | undefined> | undefined;
  return (called) => {
    if (Object.hasOwn(declarations, called)) return called;
    const plain = capabilityNameOf(called);
    if (Object.hasOwn(declarations, plain)) return plain;
    byTool ??= foldedNames(Object.keys(declarations));
    return byTool.get(folded(called)) ?? called;
  };
}

/** Undefined stands for a name that two capabilities share. */
function foldedNames(names: readonly string[]): Map<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  for (const name of names) found.set(folded(name), found.has(folded(name)) ? undefined : name);
  return found;
}

/** Joins the words of a name, because `Image Colorizer`, `ImageColorizer` and `image.colorizer` name one tool. */
function folded(name: string): string {
  return capabilityNameOf(name).replaceAll(/[._]/g, '');
}

const CALLS = ['handler', 'capability', 'tool'];

/** Renames what a step calls, and the tools of an agent. */
export function withKnownNames(step: Json, known: KnownName, notes: Set<string>): Json {
  if (!isJsonObject(step)) return step;
  const renamed = (value: Json): Json => {
    if (typeof value !== 'string') return value;
    const own = known(value);
    if (own !== value) notes.add(`"${value}" as the capability "${own}"`);
    return own;
  };
  const entries = Object.entries(step).map(([key, value]): [string, Json] => {
    if (CALLS.includes(key)) return [key, renamed(value)];
    return [key, key === 'do' ? withKnownNames(value, known, notes) : value];
  });
  return Object.fromEntries(entries);
}

/** Renames the tools of the plan's own agents. */
export function agentsWithKnownNames(agents: JsonObject, known: KnownName): JsonObject {
  const entries = Object.entries(agents).map(([name, agent]): [string, Json] => {
    if (!isJsonObject(agent) || !isJsonArray(agent.tools)) return [name, agent];
    return [name, { ...agent, tools: agent.tools.map((tool) => (typeof tool === 'string' ? known(tool) : tool)) }];
  });
  return Object.fromEntries(entries);
}
