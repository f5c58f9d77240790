// Tools of a public server as they were recorded, with answers from a script; every call that is carried out is written down.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { root } from '../../sources.ts';

export interface ToolScript {
  /** A recorded list by its name, or the tools themselves. */
  readonly tools: string | readonly JsonObject[];
  /** Results by tool: text, or a map as structured content; default `ok`. */
  readonly answers?: Readonly<Record<string, string | JsonObject>>;
  /** One line of JSON for each call that is carried out: `{ tool, arguments }`. */
  readonly log: string;
  /** Tools that carry out their first call and never answer it. */
  readonly silent?: readonly string[];
}

export interface Made {
  readonly tool: string;
  readonly arguments: Json;
}

export interface Message {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly arguments?: Json; readonly protocolVersion?: string };
}

const recorded = join(root, 'bench/resolution/data/servers');

/** The tools of a public server as its package lists them. */
export function recordedTools(name: string): readonly JsonObject[] {
  return JSON.parse(readFileSync(join(recorded, `${name}.json`), 'utf8')).tools;
}

function listed(tools: ToolScript['tools']): readonly JsonObject[] {
  return typeof tools === 'string' ? recordedTools(tools) : tools;
}

/** The calls that were carried out by any process, in order. */
export function callsMade(log: string): readonly Made[] {
  if (!existsSync(log)) return [];
  return readFileSync(log, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** The result of a request; undefined where none is given: to a notification, and to what is silent. */
export function resultOf({ tools, answers = {}, log, silent = [] }: ToolScript, message: Message): object | undefined {
  const { method, params = {} } = message;
  if (method === 'initialize') {
    const protocolVersion = params.protocolVersion ?? '2025-06-18';
    return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'scripted', version: '1' } };
  }
  if (method === 'tools/list') return { tools: listed(tools) };
  if (method !== 'tools/call') return message.id === undefined ? undefined : {};
  const { name = '', arguments: given = {} } = params;
  const isFirst = callsMade(log).every(({ tool }) => tool !== name);
  appendFileSync(log, `${JSON.stringify({ tool: name, arguments: given })}\n`);
  if (isFirst && silent.includes(name)) return undefined;
  const { outputSchema } = listed(tools).find((tool) => tool.name === name) ?? {};
  const answer = answers[name] ?? (outputSchema === undefined ? 'ok' : { content: 'ok' });
  if (typeof answer === 'string') return { content: [{ type: 'text', text: answer }] };
  return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
}
