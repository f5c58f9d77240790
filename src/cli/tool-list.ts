// A list of tools in a file, as MCP servers list them, as declarations of capabilities under the tools' own names.
import { isJsonArray, isJsonObject, type Json, ownProperty } from '../base/json.ts';
import { declareTools } from '../capabilities/mcp/declare.ts';
import type { Declaration } from '../contract/declaration.ts';
import { readText } from './run-input.ts';
import { UsageError } from './usage-error.ts';

/** `[{ name, description, inputSchema, annotations? }]`, or `{ tools: […] }`; `-` is standard input. @throws UsageError */
export function readToolList(path: string): readonly Declaration[] {
  const value = parse(readText(path, '--from '), path);
  const tools = isJsonObject(value) ? ownProperty(value, 'tools') : value;
  if (!isJsonArray(tools))
    throw new UsageError(`--from ${path} holds no list of tools: [{ name, description, inputSchema }]`);
  const { declarations } = declareTools('tools', tools);
  return declarations.map((declaration) => ({ ...declaration, name: declaration.origin?.tool ?? declaration.name }));
}

function parse(text: string, path: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw new UsageError(`--from ${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
