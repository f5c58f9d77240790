// An MCP server as a template names it: how it is started or reached, and what only it is given.
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Duration } from '../../base/quantity.ts';
import { durationOfSeconds, microDollarsOf } from '../../budget/shown.ts';
import { type Declaration, type Effect, type Repeat, repeats } from '../../contract/declaration.ts';
import { effectsAt } from './effects.ts';
import { choiceAt, defined, durationAt, mapAt, numberAt, textAt } from './readers.ts';

/** What a template says about one tool, in place of what its server says. */
export interface ToolOverride {
  readonly effects?: readonly Effect[];
  readonly repeat?: Repeat;
  /** The argument in which the tool takes an idempotency key. */
  readonly key?: string;
  readonly cost?: Declaration['cost'];
  readonly approval?: 'always' | 'never';
}

interface Named {
  /** Its tools are called `name.tool`. */
  readonly name: string;
  /** How long it may take to start and to list its tools. */
  readonly connectTimeout: Duration;
  /** By the names that the server gives its tools. */
  readonly tools?: Readonly<Record<string, ToolOverride>>;
  /** `ignore`: nothing that the server says about effects and repeating counts. */
  readonly hints?: 'ignore';
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
  const named = defined<Named>({
    name,
    connectTimeout: durationAt(written, 'connect_timeout') ?? CONNECT_TIMEOUT,
    tools: overridesIn(mapAt(written, 'tools')),
    hints: choiceAt(written, 'hints', ['ignore']),
  });
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

function overridesIn(tools: JsonObject | undefined): Named['tools'] {
  if (tools === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(tools).map(([tool, said]) => [tool, overrideOf(isJsonObject(said) ? said : {})]),
  );
}

function overrideOf(said: JsonObject): ToolOverride {
  const cost = mapAt(said, 'cost');
  const key = textAt(said, 'key');
  return defined<ToolOverride>({
    effects: said.effects === undefined ? undefined : effectsAt(said, 'effects'),
    repeat: choiceAt(said, 'repeat', repeats) ?? (key === undefined ? undefined : 'keyed'),
    key,
    cost: cost === undefined ? undefined : costOf(cost),
    approval: choiceAt(said, 'approval', ['always', 'never']),
  });
}

function costOf(cost: JsonObject): Declaration['cost'] {
  const [seconds, usd] = [numberAt(cost, 'seconds'), numberAt(cost, 'usd')];
  return defined<Declaration['cost']>({
    ms: seconds === undefined ? undefined : durationOfSeconds(seconds),
    micro_dollars: usd === undefined ? undefined : microDollarsOf(usd),
  });
}

function textsIn(map: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, String(value)]));
}
