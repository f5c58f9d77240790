// When words alone prove that a tool serves an order, and when they forbid it, whoever chose it.
import { isMutating } from '../../contract/declaration.ts';
import type { Order } from './order.ts';
import type { Tool } from './tool.ts';
import { groupOf, isDestroyingVerb, isReadingVerb } from './verbs.ts';

/** Why a tool may not serve an order, whoever chose it; undefined where words do not forbid it. */
export function vetoOf(order: Order, tool: Tool): string | undefined {
  const { verb } = tool;
  if (verb !== undefined && order.forbidden.has(verb.stem)) return `the goal rules out "${verb.word}"`;
  if (tool.destroys && !order.destroys) return 'it destroys, and the goal does not ask for that';
  const destroysFirst = order.verb !== undefined && isDestroyingVerb(order.verb.stem);
  if (destroysFirst && isReading(tool)) return 'it only reads, and the goal asks to destroy';
  return undefined;
}

function isReading({ verb, declaration }: Tool): boolean {
  const isSaid = declaration.effects.length > 0 && !isMutating(declaration);
  return isSaid || (verb !== undefined && isReadingVerb(verb.stem));
}

/**
 * Whether the words of an order say that this tool is meant: its verb or one that means the same, every noun of its name,
 * the last of them as what is acted on, and nothing that another tool is named for. A tool that destroys needs its very
 * verb, and the noun of everything that identifies what it acts on.
 */
export function isCertain(order: Order, tool: Tool, tools: readonly Tool[]): boolean {
  const { verb, head, terms, isMoreThanOne } = order;
  const last = tool.nouns.at(-1);
  if (isMoreThanOne || verb === undefined || head === undefined || last === undefined) return false;
  if (vetoOf(order, tool) !== undefined || !isSameVerb(verb.stem, tool)) return false;
  if (last.stem !== head.stem || last.isPlural !== head.isPlural) return false;
  const said = new Set(terms.map(({ stem }) => stem));
  const needed = [...tool.nouns.map(({ stem }) => stem), ...(tool.mayDestroy ? tool.identified : [])];
  if (!needed.every((stem) => said.has(stem))) return false;
  const isOthers = (stem: string): boolean => tools.some((other) => other !== tool && isNamedFor(other, stem));
  return !terms.some(({ stem }) => stem !== verb.stem && !tool.told.has(stem) && isOthers(stem));
}

function isNamedFor({ nouns, verb }: Tool, stem: string): boolean {
  return verb?.stem === stem || nouns.some((noun) => noun.stem === stem);
}

/** The verb of a tool is that of an order, or means the same; of what may destroy it is the very verb. */
export function isSameVerb(stem: string, { verb, mayDestroy }: Tool): boolean {
  if (verb === undefined) return false;
  if (verb.stem === stem) return true;
  const group = groupOf(stem);
  return !mayDestroy && group !== undefined && group === groupOf(verb.stem);
}
