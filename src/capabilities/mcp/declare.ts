// Declares a server's tools as capabilities: names, contracts and effects made of what the server tells of them.
import { counted } from '../../base/counted.ts';
import { type Issue, issue } from '../../base/issue.ts';
import { isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import type { Declaration, Effect } from '../../contract/declaration.ts';
import { type Relaxed, relax } from './relax.ts';
import { toolNames } from './tool-names.ts';

export interface Declared {
  readonly declarations: readonly Declaration[];
  /** Warnings: MCP_SCHEMA_RELAXED, MCP_TOOL_DUPLICATE, MCP_TOOL_UNREADABLE. */
  readonly issues: readonly Issue[];
}

/** Of tools with the same name the first counts. `tools` is what the server listed, as it came. */
export function declareTools(server: string, tools: readonly Json[]): Declared {
  const issues: Issue[] = [];
  const byName = new Map<string, JsonObject>();
  for (const tool of tools) {
    const name = ownProperty(tool, 'name');
    if (!isJsonObject(tool) || typeof name !== 'string' || name === '') issues.push(unreadable(server));
    else if (byName.has(name)) issues.push(duplicate(server, name));
    else byName.set(name, tool);
  }
  const names = toolNames(server, [...byName.keys()]);
  const declarations = [...byName].map(([own, tool]) => {
    const name = names.get(own) ?? own;
    const input = relax(tool.inputSchema ?? {}, { type: 'object' });
    const output = tool.outputSchema === undefined ? undefined : relax(tool.outputSchema, {});
    issues.push(...leftOut(name, 'input', input), ...leftOut(name, 'result', output));
    return {
      name,
      description: descriptionOf(tool, own),
      input: { ...input.schema, type: 'object' },
      ...(output === undefined ? {} : { output: output.schema }),
      ...effectsOf(mapOf(tool.annotations)),
      tags: ['mcp', server],
      cost: {},
      origin: { server, tool: own },
    };
  });
  return { declarations, issues };
}

const LONGEST_DESCRIPTION = 1_000;

/** One line, for planners and people. */
function descriptionOf({ description, title }: JsonObject, own: string): string {
  const said = [description, title].find((each) => typeof each === 'string' && each.trim() !== '');
  const line = String(said ?? own)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= LONGEST_DESCRIPTION ? line : `${line.slice(0, LONGEST_DESCRIPTION)}…`;
}

/** What is not described counts as writing, and as not to be done twice. */
function effectsOf(hints: JsonObject): Pick<Declaration, 'effects' | 'repeat'> {
  const network: readonly Effect[] = hints.openWorldHint === true ? ['network'] : [];
  if (hints.readOnlyHint === true) return { effects: ['read', ...network], repeat: 'safe' };
  const destroys: readonly Effect[] = hints.destructiveHint === true ? ['delete'] : [];
  return {
    effects: ['write', ...destroys, ...network],
    ...(hints.idempotentHint === true ? { repeat: 'safe' } : {}),
  };
}

function mapOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

const SHOWN = 3;

function leftOut(name: string, what: string, relaxed: Relaxed | undefined): readonly Issue[] {
  const paths = relaxed?.leftOut ?? [];
  if (paths.length === 0) return [];
  const rest = paths.length > SHOWN ? ` and ${counted(paths.length - SHOWN, 'more place')}` : '';
  return [
    issue(
      'MCP_SCHEMA_RELAXED',
      `the ${what} of ${name} is not checked for ${paths.slice(0, SHOWN).join(', ')}${rest}`,
      {
        severity: 'warning',
        hint: 'contracts cannot say it; the server still checks each call itself',
      },
    ),
  ];
}

function unreadable(server: string): Issue {
  return issue('MCP_TOOL_UNREADABLE', `server "${server}" lists a tool without a name, which cannot be called`, {
    severity: 'warning',
    hint: 'it is left out; tell whoever writes the server',
  });
}

function duplicate(server: string, tool: string): Issue {
  return issue('MCP_TOOL_DUPLICATE', `server "${server}" lists two tools named "${tool}"`, {
    severity: 'warning',
    hint: 'the first counts; tell whoever writes the server',
  });
}
