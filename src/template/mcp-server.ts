// An MCP server as a template names it: how it is started or reached, and what only it is given.
import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import type { Duration } from '../base/quantity.ts';
import { defined, durationAt, mapAt, textAt } from './resolve/readers.ts';

interface Named {
  /** Its tools are called `name.tool`. */
  readonly name: string;
  /** How long it may take to start and to list its tools. */
  readonly connectTimeout: Duration;
}

export interface StdioServer extends Named {
  readonly command: string;
  readonly args: readonly string[];
  /** Beside PATH, HOME and the like; `${env.X}` and `${secret.X}` as written. */
  readonly env: Readonly<Record<string, string>>;
  /** Relative to the template; absent: the template's folder. */
  readonly cwd?: string;
}

export interface HttpServer extends Named {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type McpServer = StdioServer | HttpServer;

const NAME = /^[a-z][a-z0-9_]*$/;
const CONNECT_TIMEOUT: Duration = 30_000;

/** Undefined when it is not as the schema says. */
export function readMcpServer(written: Json | undefined): McpServer | undefined {
  if (!isJsonObject(written)) return undefined;
  const name = textAt(written, 'name');
  if (name === undefined || !NAME.test(name)) return undefined;
  const named: Named = { name, connectTimeout: durationAt(written, 'connect_timeout') ?? CONNECT_TIMEOUT };
  const url = textAt(written, 'url');
  if (url !== undefined) return { ...named, url, headers: textsIn(mapAt(written, 'headers') ?? {}) };
  const command = textAt(written, 'command');
  if (command === undefined) return undefined;
  const { args } = written;
  return defined<StdioServer>({
    ...named,
    command,
    args: Array.isArray(args) ? args.map(String) : [],
    env: textsIn(mapAt(written, 'env') ?? {}),
    cwd: textAt(written, 'cwd'),
  });
}

function textsIn(map: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, String(value)]));
}
