// Reads a file with a list of MCP tools, and turns them into declarations of capabilities with the same names.
import { extname } from 'node:path';
import { hasErrors } from '../base/issue.ts';
import { isJsonArray, isJsonObject, ownProperty } from '../base/json.ts';
import { bad, good, type Result } from '../base/result.ts';
import { declareTools } from '../capabilities/mcp/declare.ts';
import type { Declaration } from '../contract/declaration.ts';
import { parseJson } from '../template/parse/parse-json.ts';
import { readText } from './run-input.ts';
import { UsageError } from './usage-error.ts';

/** Accepts `[{ name, description, inputSchema, annotations? }]` or `{ tools: […] }`, in JSON or YAML; `-` is standard input. @throws UsageError */
export async function readToolList(path: string): Promise<Result<readonly Declaration[]>> {
  const text = readText(path, '--from ');
  const { parseYaml } = await import('../template/parse/parse-yaml.ts');
  const { tree, issues } = ['.yaml', '.yml'].includes(extname(path)) ? parseYaml(text, path) : parseJson(text, path);
  if (tree === undefined || hasErrors(issues)) return bad(issues);
  const { value } = tree;
  const tools = isJsonObject(value) ? ownProperty(value, 'tools') : value;
  if (!isJsonArray(tools)) {
    throw new UsageError(`--from ${path} holds no list of tools: [{ name, description, inputSchema }]`);
  }
  const { declarations } = declareTools('tools', tools);
  return good(declarations.map((each) => ({ ...each, name: each.origin?.tool ?? each.name })));
}
