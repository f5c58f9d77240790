// Writes out the compiled types of template keys with the keys' descriptions as docstrings, so that editors and the reference of the API show them.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type Json, ownProperty } from '../src/base/json.ts';
import { Key } from '../src/template/keys/key.ts';

const src = join(import.meta.dirname, '../src');

/** Descriptions by key, for each set of keys that the schemas declare. */
type Descriptions = Map<string, ReadonlyMap<string, string>>;

export async function documentKeys(folder: string): Promise<void> {
  for (const path of globSync('template/{keys,schema}/*.ts', { cwd: src })) {
    if (path.endsWith('.d.ts')) continue;
    const file = join(folder, path.replace(/\.ts$/, '.d.ts'));
    const text = readFileSync(file, 'utf8');
    if (!text.includes('Key<')) continue;
    const module: Readonly<Record<string, unknown>> = await import(join(src, path));
    const found: Descriptions = new Map();
    for (const value of Object.values(module)) collect(value, found);
    writeFileSync(file, writtenOut(documented(text, found)));
  }
}

function documented(text: string, descriptions: Descriptions): string {
  return text.replace(/^(?:export )?declare const \w+: \{\n[\s\S]*?\n\};$/gm, (declaration) => {
    const keys = [...declaration.matchAll(/^ {4}(\w+): /gm)].map(([, key = '']) => key);
    const found = descriptions.get(nameOf(keys));
    return declaration.replace(/^ {4}(\w+): /gm, (line, key: string) => {
      const description = found?.get(key);
      return description === undefined ? line : `    /** ${description.replaceAll('*/', '* /')} */\n${line}`;
    });
  });
}

/** Replaces `KeyValues<typeof agentKeys>` by the properties that it stands for, when the file declares `agentKeys`. */
function writtenOut(text: string): string {
  return text.replace(/\bKeyValues<typeof (\w+)>/g, (whole, name: string) => {
    const declaration = new RegExp(`^(?:export )?declare const ${name}: \\{\\n([\\s\\S]*?)\\n\\};$`, 'm').exec(
      text,
    )?.[1];
    if (declaration === undefined) return whole;
    const properties = declaration.replaceAll(
      /^ {4}(\w+): (?:import\("[^"]*"\)\.)?Key<([\s\S]*?), (undefined|["'](\w+)["']), (true|false)>;$/gm,
      (_, key: string, value: string, __, own: string | undefined, given: string) =>
        value === 'never' ? '' : `    readonly ${own ?? camelCase(key)}${given === 'true' ? '' : '?'}: ${value};`,
    );
    // Aliases have no property of their own, and leave only their docstring.
    return `{\n${properties.replaceAll(/^ {4}\/\*\*.*\*\/\n(?:\n|$)/gm, '')}\n}`;
  });
}

function camelCase(key: string): string {
  return key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Collects the keys of exported maps, and the properties of their schemas. */
function collect(value: unknown, found: Descriptions): void {
  if (value instanceof Key) {
    collectSchema(value.schema, found);
  } else if (typeof value === 'object' && value !== null) {
    const keys = Object.entries(value).filter((entry): entry is [string, Key] => entry[1] instanceof Key);
    if (keys.length > 0) add(Object.fromEntries(keys.map(([key, { schema }]) => [key, schema])), found);
    for (const [, key] of keys) collectSchema(key.schema, found);
  }
}

function collectSchema(schema: Json, found: Descriptions): void {
  if (typeof schema !== 'object' || schema === null) return;
  const properties = ownProperty(schema, 'properties');
  if (isJsonObject(properties)) add(properties, found);
  for (const each of Object.values(schema)) collectSchema(each, found);
}

function add(properties: Readonly<Record<string, Json>>, found: Descriptions): void {
  const described = Object.entries(properties).flatMap(([key, schema]) => {
    const description = ownProperty(schema, 'description');
    return typeof description === 'string' ? [[key, description] as const] : [];
  });
  found.set(nameOf(Object.keys(properties)), new Map(described));
}

function nameOf(keys: readonly string[]): string {
  return keys.toSorted().join(' ');
}
