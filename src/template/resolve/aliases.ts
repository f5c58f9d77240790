// Other names of keys: folded into the own ones, and found again when a message must point at what was written.
import type { PathPart } from '../../base/issue.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { aliasesOf } from '../schema/meaning.ts';
import { stepSchema } from '../schema/step.ts';
import { templateSchema } from '../schema/template.ts';

const ofSteps = aliasesOf(stepSchema);
const ofTemplates = aliasesOf(templateSchema);

export function foldStep(raw: JsonObject): JsonObject {
  return fold(raw, ofSteps);
}

export function foldTemplate(raw: JsonObject): JsonObject {
  return fold(raw, ofTemplates);
}

function fold(raw: JsonObject, aliases: Readonly<Record<string, string>>): JsonObject {
  if (!Object.keys(raw).some((key) => Object.hasOwn(aliases, key))) return raw;
  const entries = Object.entries(raw).map(
    ([key, value]) => [Object.hasOwn(aliases, key) ? (aliases[key] ?? key) : key, value] as const,
  );
  return Object.fromEntries(entries);
}

/** A path in own names as the document spells it; as far as the document goes. */
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
  return Object.keys(aliases).find((alias) => aliases[alias] === key && Object.hasOwn(holder, alias)) ?? key;
}
