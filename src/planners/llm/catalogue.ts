// The capabilities in a planning prompt: one line each, or servers with counts above a hundred, and what a planner looks up.

import { defined, type Json } from '../../base/json.ts';
import { isGranted } from '../../contract/grant.ts';
import { plainText, signatureLine } from '../../contract/signature-line.ts';
import { outputText } from '../../contract/signature-text.ts';
import { blockOf, dataJson } from '../../engine/agent/prompt.ts';
import type { CapabilityLine } from '../../goals/capability-lines.ts';
import { nearestToAny, partsOfGoal } from '../../goals/match/nearest-capabilities.ts';
import { toolIndex } from '../../goals/match/tool-search.ts';
import type { AgentSpec } from '../../template/keys/agent.ts';

/** The most capabilities in one prompt. */
export const MOST_SHOWN = 100;
/** The capabilities nearest to a goal that are shown of a larger catalogue, and the most results of a search. */
const NEAREST = 20;
const MOST_SERVERS = 200;
const LONGEST_NAME = 80;

export interface ToolServer {
  readonly name: string;
  /** Sorted by name. */
  readonly lines: readonly CapabilityLine[];
}

/** Groups tools by server, which is the part of the name before the first dot. */
export function serversOf(lines: readonly CapabilityLine[]): readonly ToolServer[] {
  const servers = new Map<string, CapabilityLine[]>();
  for (const line of lines) {
    const dot = line.name.indexOf('.');
    const name = dot < 0 ? 'without a server' : line.name.slice(0, dot);
    servers.set(name, [...(servers.get(name) ?? []), line]);
  }
  return [...servers].map(([name, each]) => ({ name, lines: each }));
}

export function capabilitiesText(lines: readonly CapabilityLine[]): string {
  return blockOf('capabilities', lines.map(signatureLine));
}

type AgentLine = Pick<AgentSpec, 'name' | 'tools'> & Partial<Pick<AgentSpec, 'description' | 'output'>>;

const LONGEST_PURPOSE = 200;

/** For example `researcher -> {notes [:string]}; tools files.read: Reads documents`, one agent a line. */
export function agentLines(agents: readonly AgentLine[]): string {
  return agents.map(agentLine).join('\n');
}

function agentLine({ name, description, tools, output }: AgentLine): string {
  const answers = output === undefined ? '' : ` -> ${outputText(output)}`;
  const has = tools.length === 0 ? 'no tools' : `tools ${tools.join(', ')}`;
  return `${name}${answers}; ${has}${description === undefined ? '' : `: ${plainText(description, LONGEST_PURPOSE)}`}`;
}

/** For example `github 43`, one server a line. */
export function serversText(lines: readonly CapabilityLine[]): string {
  const servers = serversOf(lines);
  const shown = servers
    .slice(0, MOST_SERVERS)
    .map((each) => `${plainText(each.name, LONGEST_NAME)} ${each.lines.length}`);
  const left = servers.length - shown.length;
  return blockOf('servers', left === 0 ? shown : [...shown, `… and ${left} more`]);
}

/** The capabilities nearest to any part of the goal, sorted by name. */
export function nearestLines(lines: readonly CapabilityLine[], goal: string): readonly CapabilityLine[] {
  const nearest = new Set(nearestToAny(partsOfGoal(goal), lines).slice(0, NEAREST));
  return lines.filter(({ name }) => nearest.has(name));
}

/** Shows the contracts of the capabilities that a name, a pattern, a server or words stand for. */
export function lookedUp(wanted: string, lines: readonly CapabilityLine[]): string {
  const exact = lines.find(({ name }) => name === wanted);
  if (exact !== undefined) return blockOf('capabilities', [contractText(exact)]);
  const pattern = lines.filter(({ name }) => isGranted(name, [wanted, `${wanted}.*`], []));
  const found = pattern.length > 0 ? pattern : searched(wanted, lines);
  if (found.length === 0) return `no capability is called ${dataJson(wanted)} or fits these words`;
  if (found.length <= FEW) return blockOf('capabilities', found.map(contractText));
  const shown = found.slice(0, MOST_SHOWN);
  const left = found.length - shown.length;
  return `${capabilitiesText(shown)}${left === 0 ? '' : `\n… and ${left} more`}`;
}

/** Up to this many capabilities are shown with their whole contracts. */
const FEW = 3;

function searched(words: string, lines: readonly CapabilityLine[]): readonly CapabilityLine[] {
  const hits = toolIndex(lines).search(words).slice(0, NEAREST);
  return hits.flatMap(({ tool }) => lines.find(({ name }) => name === tool.declaration.name) ?? []);
}

function contractText({ name, description, effects, input, output }: CapabilityLine): string {
  const contract = { name, description, effects, ...defined({ input, output }) };
  // The line is JSON, although its type does not say so.
  return dataJson(JSON.parse(JSON.stringify(contract)) as Json);
}
