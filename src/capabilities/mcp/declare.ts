// Declares the tools of an MCP server as capabilities: names, contracts and effects.
import { counted } from '../../base/counted.ts';
import { type Issue, issue } from '../../base/issue.ts';
import { defined, isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import type { Declaration, Effect } from '../../contract/declaration.ts';
import { capabilityNameOf } from '../../contract/tool-name.ts';
import type { McpServer } from '../../template/keys/mcp-server.ts';
import { destroyingWordOf } from './name-words.ts';
import { type RelaxedSchema, relaxSchema } from './relax-schema.ts';

export interface DeclaredTools {
  readonly declarations: readonly Declaration[];
  /** Warnings: MCP_SCHEMA_RELAXED, MCP_TOOL_DUPLICATE, MCP_TOOL_NEEDS_TASK, MCP_TOOL_UNREADABLE. */
  readonly issues: readonly Issue[];
}

/** The template's statements about tools, which replace those of the server. */
type ToolOverrides = Pick<McpServer, 'tools' | 'hints'>;

/**
 * The first of several tools with the same name wins.
 * @param tools the server's list, unchanged
 */
export function declareTools(server: string, tools: readonly Json[], overriding: ToolOverrides = {}): DeclaredTools {
  const issues: Issue[] = [];
  const byName = new Map<string, JsonObject>();
  for (const tool of tools) {
    const name = ownProperty(tool, 'name');
    if (!isJsonObject(tool) || typeof name !== 'string' || name === '') issues.push(unreadable(server));
    else if (ownProperty(tool.execution ?? {}, 'taskSupport') === 'required') issues.push(needsTask(server, name));
    else if (byName.has(name)) issues.push(duplicate(server, name));
    else byName.set(name, tool);
  }
  const names = toolNames(server, [...byName.keys()]);
  const declarations = [...byName].map(([own, tool]): Declaration => {
    const name = names.get(own) ?? own;
    const input = relaxSchema(tool.inputSchema ?? {}, { type: 'object' });
    const output = tool.outputSchema === undefined ? undefined : relaxSchema(tool.outputSchema, {});
    issues.push(...leftOut(name, 'input', input), ...leftOut(name, 'result', output));
    const said = overriding.tools;
    const override = said !== undefined && Object.hasOwn(said, own) ? said[own] : undefined;
    const hints = overriding.hints === 'ignore' ? {} : mapOf(tool.annotations);
    const hinted = effectsOf(own, hints);
    const effects = override?.effects ?? hinted.effects;
    const repeat = override?.repeat ?? hinted.repeat;
    const approval = override?.approval ?? (effects.includes('delete') ? 'each' : undefined);
    return {
      name,
      description: descriptionOf(tool, own),
      input: withoutKey({ ...input.schema, type: 'object' }, override?.key),
      ...defined({ output: output === undefined ? undefined : output.schema }),
      effects,
      ...defined({ repeat }),
      tags: ['mcp', server],
      cost: override?.cost ?? {},
      ...defined({ approval }),
      origin: {
        server,
        tool: own,
        ...defined({ key: override?.key === undefined ? undefined : override.key }),
        ...(hints.readOnlyHint === false ? { writes: true } : {}),
      },
    };
  });
  issues.push(...strangers(server, overriding, byName));
  return { declarations, issues };
}

/** Removes the idempotency key from the schema: the engine fills it in. */
function withoutKey(schema: JsonObject, key: string | undefined): JsonObject {
  if (key === undefined) return schema;
  const { [key]: _, ...properties } = mapOf(schema.properties);
  const required = isJsonArray(schema.required) ? schema.required.filter((name) => name !== key) : [];
  return { ...schema, properties, required };
}

function strangers(
  server: string,
  { tools = {} }: ToolOverrides,
  known: ReadonlyMap<string, unknown>,
): readonly Issue[] {
  return Object.keys(tools).flatMap((tool) => {
    if (known.has(tool)) return [];
    const hint = didYouMean(tool, known.keys()) ?? 'reconverge mcp tools lists them';
    return [issue('MCP_TOOL_UNKNOWN', `server "${server}" has no tool "${tool}" to say anything about`, { hint })];
  });
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

/**
 * A tool without hints counts as writing, and is called at most once. `delete` means that the tool may destroy data; many
 * servers say so of every tool that overwrites. A destructive name outweighs every hint.
 */
function effectsOf(tool: string, hints: JsonObject): Pick<Declaration, 'effects' | 'repeat'> {
  const network: readonly Effect[] = hints.openWorldHint === true ? ['network'] : [];
  const isDestroyer = destroyingWordOf(tool) !== undefined;
  if (hints.readOnlyHint === true && !isDestroyer) return { effects: ['read', ...network], repeat: 'safe' };
  const destroys: readonly Effect[] = hints.destructiveHint === true || isDestroyer ? ['delete'] : [];
  return {
    effects: ['write', ...destroys, ...network],
    repeat: hints.idempotentHint === true ? 'safe' : 'never',
  };
}

function mapOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

const SHOWN = 3;

function leftOut(name: string, what: string, relaxed: RelaxedSchema | undefined): readonly Issue[] {
  const paths = relaxed?.leftOut ?? [];
  if (paths.length === 0) return [];
  const rest = paths.length > SHOWN ? ` and ${counted(paths.length - SHOWN, 'more place')}` : '';
  return [
    issue(
      'MCP_SCHEMA_RELAXED',
      `the ${what} of ${name} is not checked for ${paths.slice(0, SHOWN).join(', ')}${rest}`,
      {
        severity: 'warning',
        hint: 'change nothing: contracts cannot express this, and the server still checks each call itself',
      },
    ),
  ];
}

function unreadable(server: string): Issue {
  return issue('MCP_TOOL_UNREADABLE', `server "${server}" lists a tool without a name, which cannot be called`, {
    severity: 'warning',
    hint: 'report it to the author of the server; the tool is left out',
  });
}

function needsTask(server: string, tool: string): Issue {
  return issue('MCP_TOOL_NEEDS_TASK', `the tool "${tool}" of server "${server}" can only be called as a task`, {
    severity: 'warning',
    hint: 'use a tool of the server that answers at once: tasks are not supported, and this tool is left out',
  });
}

function duplicate(server: string, tool: string): Issue {
  return issue('MCP_TOOL_DUPLICATE', `server "${server}" lists two tools named "${tool}"`, {
    severity: 'warning',
    hint: 'report it to the author of the server; the first tool counts',
  });
}

/** Maps tools to capability names. Equal names get numbers that do not depend on the server's order. */
export function toolNames(server: string, tools: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const tool of [...new Set(tools)].sort()) {
    const plain = `${server}.${capabilityNameOf(tool)}`;
    let name = plain;
    for (let count = 2; taken.has(name); count += 1) name = `${plain}_${count}`;
    taken.add(name);
    names.set(tool, name);
  }
  return names;
}
