// When words alone prove that a tool serves an order, and when they forbid it, whoever chose it.
import { isMutating } from '../../contract/declaration.ts';
import type { Order } from './order.ts';
import type { Term } from './terms.ts';
import type { Tool } from './tool.ts';
import { groupOf, isDestroyingVerb, isMakingVerb, isReadingVerb } from './verbs.ts';

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
  const { verb, terms, isMoreThanOne } = order;
  if (isMoreThanOne || verb === undefined) return false;
  if (vetoOf(order, tool) !== undefined || !isSameVerb(verb.stem, tool)) return false;
  if (!isActedOn(order, tool)) return false;
  const said = new Set(terms.map(({ stem }) => stem));
  const needed = [...tool.nouns.map(({ stem }) => stem), ...(tool.mayDestroy ? tool.identified : [])];
  if (!tool.isVerbAlone && !needed.every((stem) => said.has(stem))) return false;
  const isOthers = (stem: string): boolean => tools.some((other) => other !== tool && isNamedFor(other, stem));
  return !terms.some(({ stem }) => stem !== verb.stem && !tool.told.has(stem) && isOthers(stem));
}

/** What a tool is named for ends what the order acts on; where its name is a verb alone, only data follow that. */
function isActedOn(order: Order, tool: Tool): boolean {
  if (tool.isVerbAlone && order.acted.length === 0) return order.verb?.stem === tool.verb?.stem;
  const head = headFor(order, tool);
  const last = tool.nouns.at(-1);
  return head !== undefined && last?.stem === head.stem && isOfNumber(head, tool);
}

/** One or many, as the name says; what makes or changes several takes one too. */
function isOfNumber({ isPlural }: Term, { nouns, verb }: Tool): boolean {
  const wanted = nouns.at(-1)?.isPlural;
  const isForSeveral = wanted === true && verb !== undefined && isMakingVerb(verb.stem);
  return wanted === undefined || wanted === isPlural || isForSeveral;
}

/** The last noun of what is acted on; a `CSV file` is a CSV for a tool that tells of files. */
function headFor({ acted }: Order, { told, nouns }: Tool): Term | undefined {
  const [before, last] = acted.slice(-2);
  const isFile = last?.stem === 'file' && told.has('file') && !nouns.some(({ stem }) => stem === 'file');
  return isFile ? before : acted.at(-1);
}

function isNamedFor({ nouns, family, verb }: Tool, stem: string): boolean {
  return verb?.stem === stem || [...nouns, ...family].some((noun) => noun.stem === stem);
}

/** The verb of a tool is that of an order, or means the same; of what may destroy it is the very verb. */
export function isSameVerb(stem: string, { verb, mayDestroy }: Tool): boolean {
  if (verb === undefined) return false;
  if (verb.stem === stem) return true;
  const group = groupOf(stem);
  return !mayDestroy && group !== undefined && group === groupOf(verb.stem);
}
