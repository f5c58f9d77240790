// Replaces aliases of keys by the keys' own names, and finds the written alias again for messages.
import type { PathPart } from '../../base/issue.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { stepSchema } from '../keys/step.ts';
import { aliasesOf } from '../schema/meaning.ts';
import { templateSchema } from '../schema/template.ts';

const ofSteps = aliasesOf(stepSchema);
const ofTemplates = aliasesOf(templateSchema);

export function foldStep(raw: JsonObject): JsonObject {
  return fold(raw, ofSteps);
}

export function ownNameOfStepKey(key: string): string {
  return ofSteps.get(key) ?? key;
}

/** The key that an alias of a step's or the template's key stands for. */
export function currentKey(key: string, top: boolean): string {
  return (top ? ofTemplates : ofSteps).get(key) ?? key;
}

export function foldTemplate(raw: JsonObject): JsonObject {
  return fold(raw, ofTemplates);
}

function fold(raw: JsonObject, aliases: ReadonlyMap<string, string>): JsonObject {
  if (!Object.keys(raw).some((key) => aliases.has(key))) return raw;
  return Object.fromEntries(Object.entries(raw).map(([key, value]) => [aliases.get(key) ?? key, value] as const));
}

/** Converts a path of own names into the path as written in the document. */
export function writtenPath(document: Json, path: readonly PathPart[]): readonly PathPart[] {
  const written: PathPart[] = [];
  let at: Json | undefined = document;
  path.forEach((part, index) => {
    const name: PathPart = isJsonObject(at) && typeof part === 'string' ? spelling(at, part, index === 0) : part;
    written.push(name);
    if (Array.isArray(at)) at = typeof name === 'number' ? at[name] : undefined;
    else at = isJsonObject(at) && Object.hasOwn(at, String(name)) ? at[String(name)] : undefined;
  });
  return written;
}

function spelling(holder: JsonObject, key: string, top: boolean): string {
  if (Object.hasOwn(holder, key)) return key;
  const aliases = top ? ofTemplates : ofSteps;
  const spelt = aliases.entries().find(([alias, own]) => own === key && Object.hasOwn(holder, alias));
  return spelt?.[0] ?? key;
}
