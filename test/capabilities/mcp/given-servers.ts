// Real MCP servers for tests: from the registry's packages, and one of our own that misbehaves.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { hasErrors } from '../../../src/base/issue.ts';
import type { Capability } from '../../../src/capabilities/capability.ts';
import { type McpServers, type McpServersOptions, mcpServers } from '../../../src/capabilities/mcp/servers.ts';
import type { McpServer, StdioServer } from '../../../src/template/keys/mcp-server.ts';
import { root } from '../../sources.ts';

const { resolve } = createRequire(import.meta.url);
const packageOf = (name: string): string => dirname(resolve(`@modelcontextprotocol/${name}/package.json`));

export const everythingScript = join(packageOf('server-everything'), 'dist/index.js');
export const filesystemScript = join(packageOf('server-filesystem'), 'dist/index.js');
export const rogueScript = join(import.meta.dirname, 'rogue-server.ts');

function started(name: string, script: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const server: StdioServer = { name, command: process.execPath, args: [script, ...args], env, connectTimeout: 30_000 };
  return server;
}

export const everything = (env: Readonly<Record<string, string>> = {}): StdioServer =>
  started('every', everythingScript, ['stdio'], env);
export const filesystem = (folder: string): StdioServer => started('files', filesystemScript, [folder], {});
export const rogue = (mode = 'plain', file?: string, env: Readonly<Record<string, string>> = {}): StdioServer =>
  started('rogue', rogueScript, file === undefined ? [mode] : [mode, file], env);

/** Closed after the test. */
export function givenServers(options: Partial<McpServersOptions> = {}): McpServers {
  const servers = mcpServers({
    fillIn: (text) => text,
    env: (name) => process.env[name],
    redact: (text) => text,
    now: () => 0,
    ...options,
  });
  onTestFinished(() => servers.close());
  return servers;
}

/** The tools by name. */
export async function toolsOf(
  server: McpServer,
  servers: McpServers = givenServers(),
): Promise<ReadonlyMap<string, Capability>> {
  const listed = await servers.tools(server, root);
  if (!listed.ok) throw new Error(listed.error.map(({ code, message }) => `${code}: ${message}`).join('\n'));
  return new Map(listed.value.map((each) => [each.declaration.name, each]));
}

export async function toolOf(server: McpServer, name: string, servers?: McpServers): Promise<Capability> {
  const tools = await toolsOf(server, servers);
  const tool = tools.get(name);
  if (tool === undefined) throw new Error(`there is no ${name} among ${[...tools.keys()].join(', ')}`);
  return tool;
}

/** Why the server could not be listed: `CODE: message`. */
export async function refusalOf(server: McpServer, servers: McpServers = givenServers()): Promise<string> {
  const listed = await servers.tools(server, root);
  if (listed.ok || !hasErrors(listed.error)) throw new Error('it was listed');
  return listed.error.map(({ code, message }) => `${code}: ${message}`).join('\n');
}

/** The requests to a rogue server, in order. */
export function callsIn(file: string): readonly string[] {
  return readFileSync(file, 'utf8').trimEnd().split('\n');
}
