// Tells whether an agent has the tools that an order needs.
import { type Declaration, isMutating } from '../../contract/declaration.ts';
import { isGranted } from '../../contract/grant.ts';
import { toolsOf } from '../match/tool.ts';
import { isReadingVerb } from '../match/verbs.ts';
import { needTexts, type ToolNeed } from './tool-need.ts';

type Tool = Pick<Declaration, 'name' | 'description' | 'effects'>;

/** The reason why an agent with these tools cannot do the order; undefined when it can. `tools` are globs. */
export function whyBeyondAgent(
  agent: string,
  tools: readonly string[],
  need: ToolNeed | undefined,
  granted: readonly Tool[],
): string | undefined {
  if (need === undefined) return undefined;
  const own = tools.length === 0 ? [] : granted.filter(({ name }) => isGranted(name, tools, []));
  if (own.length === 0) return `it ${needTexts[need]}, and agent "${agent}" has no tools`;
  if (need === 'read' || own.some(mayChange)) return undefined;
  return `it ${needTexts[need]}, and agent "${agent}" has no tool that changes anything`;
}

/** Tells whether a call may change something. Many servers declare no effects, so the verb of the name counts too. */
export function mayChange(tool: Tool): boolean {
  if (isMutating(tool)) return true;
  const reaches = tool.effects.length === 0 || tool.effects.includes('network') || tool.effects.includes('output');
  const [{ verb } = { verb: undefined }] = toolsOf([{ ...tool, tags: [] }]);
  return reaches && !(verb !== undefined && isReadingVerb(verb.stem));
}
