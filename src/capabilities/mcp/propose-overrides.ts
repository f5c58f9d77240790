// Proposes overrides for the tools of a server, from their schemas and names.
import type { Declaration } from '../../contract/declaration.ts';
import { propertiesOf } from '../../contract/schema.ts';
import type { ToolOverride } from '../../template/keys/mcp-server.ts';
import { readingWordOf } from './name-words.ts';

/** A proposal for a person to check: the name of a tool may mislead. */
export interface OverrideProposal {
  /** The server's own name of the tool. */
  readonly tool: string;
  readonly override: ToolOverride;
  readonly why: string;
}

const KEYS = /^(?:idempotency_?key|client_?request_?id|request_?token|dedup(?:lication)?_?(?:id|key))$/i;

/** A parameter with one of these names is a program: the effects of `query` with `sql` depend on the SQL. */
const PROGRAMS = /^(?:sql|query|statement|command|script|code|expression|pipeline)$/i;

/** Lists the tools whose name or parameters say more than their declaration. */
export function proposeOverrides(declarations: readonly Declaration[]): readonly OverrideProposal[] {
  return declarations.flatMap((declaration) => proposalFor(declaration) ?? []);
}

function proposalFor({ name, origin, input, effects, repeat }: Declaration): OverrideProposal | undefined {
  const tool = origin?.tool ?? name;
  const parameters = Object.keys(propertiesOf(input ?? {}));
  const key = parameters.find((parameter) => KEYS.test(parameter));
  if (key !== undefined && repeat === 'never') {
    return { tool, override: { effects, key }, why: `it takes a key: ${key}` };
  }
  const word = readingWordOf(tool);
  if (word === undefined || effects.includes('read') || origin?.writes) return undefined;
  if (word === 'query' && parameters.some((parameter) => PROGRAMS.test(parameter))) return undefined;
  const network = effects.filter((effect) => effect === 'network');
  return { tool, override: { effects: ['read', ...network], repeat: 'safe' }, why: `its name says "${word}"` };
}
