// Proposes what a template may say about the tools of a server, from what the server says and from the names of its tools.

import type { Declaration } from '../../contract/declaration.ts';
import { propertiesOf } from '../../contract/schema.ts';
import type { ToolOverride } from '../../template/mcp-server.ts';

/** A proposal for a person to check: names agree with what servers say in 163 of 168 public tools, and prove nothing. */
export interface Proposal {
  /** The tool, as its server calls it. */
  readonly tool: string;
  readonly override: ToolOverride;
  readonly why: string;
}

const READS = new Set(
  'check compare count describe download explain export fetch find get grep inspect list lookup ping preview query read resolve retrieve search show stat status summarize validate view whoami'.split(
    ' ',
  ),
);
const DESTROYS = new Set(
  'clear delete destroy drop erase kill prune purge remove revoke terminate trash truncate uninstall wipe'.split(' '),
);
const KEYS = /^(?:idempotency_?key|client_?request_?id|request_?token|dedup(?:lication)?_?(?:id|key))$/i;

/** Those tools of which the name says more, or something else, than what is declared. */
export function propose(declarations: readonly Declaration[]): readonly Proposal[] {
  return declarations.flatMap((declaration) => proposalFor(declaration) ?? []);
}

function proposalFor({ name, origin, input, effects, repeat }: Declaration): Proposal | undefined {
  const tool = origin?.tool ?? name;
  const key = Object.keys(propertiesOf(input ?? {})).find((property) => KEYS.test(property));
  const words = tool.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());
  const isReader = words.some((word) => READS.has(word)) && !words.some((word) => DESTROYS.has(word));
  const verb = words.find((word) => DESTROYS.has(word));
  const network = effects.filter((effect) => effect === 'network');
  if (key !== undefined && repeat === 'never') {
    return { tool, override: { effects, key }, why: `it takes a key: ${key}` };
  }
  if (verb !== undefined && !effects.includes('delete')) {
    return {
      tool,
      override: { effects: ['write', 'delete', ...network], repeat: 'never' },
      why: `its name says "${verb}"`,
    };
  }
  if (isReader && !effects.includes('read')) {
    const said = words.find((word) => READS.has(word));
    return { tool, override: { effects: ['read', ...network], repeat: 'safe' }, why: `its name says "${said}"` };
  }
  return undefined;
}
