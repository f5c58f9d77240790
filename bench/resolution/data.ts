// Reads the data of the bench: tools as public servers list them, and goals that people might type.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isJsonArray, isJsonObject, type Json, ownProperty } from '../../src/base/json.ts';
import { declareTools } from '../../src/capabilities/mcp/declare.ts';
import type { Declaration } from '../../src/contract/declaration.ts';

/** Rules are tuned on `tuning` and judged on `held-out`. */
export type SetName = 'tuning' | 'held-out';

export interface Goal {
  readonly text: string;
  /** `plain`, `paraphrase`, …, `ambiguous`, or `unserved: …` */
  readonly kind: string;
  /** The tools that serve the goal, by their server's names; empty when none does. */
  readonly tools: readonly string[];
}

export interface ServerGoals {
  readonly server: string;
  readonly declarations: readonly Declaration[];
  /** Destructive tools by name. */
  readonly destroys: ReadonlySet<string>;
  readonly goals: readonly Goal[];
}

const data = join(import.meta.dirname, 'data');

export function readSet(set: SetName): readonly ServerGoals[] {
  const folder = join(data, set);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.goals'))
    .sort()
    .map((file) => readServer(basename(file, '.goals'), readFileSync(join(folder, file), 'utf8')));
}

/** Cases of one kind: `names`, `coercions`, `arguments`, `wirings` or `dependencies`. They only judge. */
export function readCases(kind: string): readonly Json[] {
  const cases: Json = JSON.parse(readFileSync(join(data, 'held-out', `${kind}.json`), 'utf8'));
  return isJsonArray(cases) ? cases : [];
}

/** Declared as in a run, but under the server's own names. */
export function declarationsOf(server: string): readonly Declaration[] {
  const recorded: Json = JSON.parse(readFileSync(join(data, 'servers', `${server}.json`), 'utf8'));
  const tools = ownProperty(recorded, 'tools');
  if (!isJsonObject(recorded) || !isJsonArray(tools)) throw new Error(`servers/${server}.json has no tools`);
  return declareTools(server, tools).declarations;
}

export function ownName({ origin, name }: Declaration): string {
  return origin?.tool ?? name;
}

/** `destroys: TOOL, …`, then `[KIND]` before lines of `TOOL | TOOL: GOAL`, or of goals alone when no tool serves them. */
function readServer(server: string, text: string): ServerGoals {
  const declarations = declarationsOf(server);
  const known = new Set(declarations.map(ownName));
  const check = (tools: readonly string[]): readonly string[] => {
    const strange = tools.find((tool) => !known.has(tool));
    if (strange !== undefined) throw new Error(`${server} has no tool ${strange}`);
    return tools;
  };
  const goals: Goal[] = [];
  let destroys: readonly string[] = [];
  let kind = '';
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const [, heading] = /^\[(.+)\]$/.exec(line) ?? [];
    const [, names, said] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
    if (heading !== undefined) kind = heading;
    else if (names === 'destroys') destroys = check((said ?? '').split(', ').filter((name) => name !== ''));
    else if (isUnserved(kind)) goals.push({ kind, text: line, tools: [] });
    else if (names === undefined || said === undefined) throw new Error(`${server}: no tool is named in: ${line}`);
    else goals.push({ kind, text: said, tools: check(names.split(' | ')) });
  }
  return { server, declarations, destroys: new Set(destroys), goals };
}

export function isUnserved(kind: string): boolean {
  return kind.startsWith('unserved');
}
