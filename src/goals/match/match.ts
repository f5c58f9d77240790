// Matches one part of a goal with capabilities: one is certain by its words, several are open, or none shares a word.
import { defined } from '../../base/json.ts';
import { isMutating } from '../../contract/declaration.ts';
import { type Order, orderOf } from './read-order.ts';
import type { Term } from './terms.ts';
import type { DescribedCapability, Tool } from './tool.ts';
import { type ToolIndex, toolIndex } from './tool-search.ts';
import { groupOf, isDestroyingVerb, isMakingVerb, isReadingVerb } from './verbs.ts';

export interface Candidate {
  readonly name: string;
  /** The similarity of words in proportion to the nearest candidate, from 0 to 1. */
  readonly score: number;
  /** The cosine of the embeddings. */
  readonly alike?: number;
  /** Its verb equals the goal's verb or is a synonym. */
  readonly does: boolean;
  /** The goal contains a noun of its name. */
  readonly isAbout: boolean;
  /** Common words, as written in the goal. */
  readonly shares: readonly string[];
  /** The reason why it may not serve, even if a model chooses it. */
  readonly veto?: string;
}

export interface Match {
  /** `certain`: the words prove one capability. `open`: a model or a person chooses. `none`: no word matches. */
  readonly verdict: 'certain' | 'open' | 'none';
  readonly certain?: { readonly name: string; readonly by: 'name' | 'words' };
  /** The certain one first, then by score and name; vetoed ones last. */
  readonly candidates: readonly Candidate[];
}

/** Cosines by the names of capabilities. */
export type Similarities = Readonly<Record<string, number>>;

export interface MatchOptions {
  /** Cosines that take part in the order of the candidates; they make no match certain and lift no veto. */
  readonly alike?: Similarities | undefined;
}

/** The order of `capabilities` does not change the result. */
export function matchGoal(
  part: string,
  capabilities: readonly DescribedCapability[],
  options: MatchOptions = {},
): Match {
  return matchIn(toolIndex(capabilities), part, options);
}

/**
 * The reason why a part of a goal forbids a capability that it does not name. The whole goal is checked too, because the
 * part may be a model's wording: the goal itself must ask for destruction.
 */
export function vetoFor(
  part: string,
  name: string,
  capabilities: readonly DescribedCapability[],
  goal: string = part,
): string | undefined {
  const tool = toolIndex(capabilities).tools.find(({ declaration }) => declaration.name === name);
  const own = orderOf(part);
  const whole = orderOf(goal);
  const forbidden = own.forbidden.union(whole.forbidden);
  const order = { ...own, forbidden, destroys: own.destroys && whole.destroys };
  const isSaid = !order.isNegated && isNamed(name, part);
  return tool === undefined || isSaid ? undefined : vetoOf(order, tool);
}

export function matchIn(index: ToolIndex, part: string, { alike }: MatchOptions = {}): Match {
  const { tools } = index;
  const order = orderOf(part);
  const candidates = candidatesOf(index, order, alike);
  const named = tools.filter(({ declaration }) => isNamed(declaration.name, part));
  const [only] = named;
  if (only !== undefined && named.length === 1 && !order.isNegated) return certain(only, 'name', candidates);
  const proven = provenBy(order, tools);
  if (proven !== undefined) return certain(proven, 'words', candidates);
  return { verdict: candidates.some(({ veto }) => veto === undefined) ? 'open' : 'none', candidates };
}

/** The only certain tool; among several, the only one with the exact verb, then the only one that agrees in number. */
function provenBy(order: Order, tools: readonly Tool[]): Tool | undefined {
  const all = tools.filter((tool) => isCertain(order, tool, tools));
  const exact = preferred(all, ({ verb }) => verb?.stem === order.verb?.stem);
  const isMany = order.acted.at(-1)?.isPlural;
  const [one, another] = preferred(exact, ({ nouns }) => (nouns.at(-1)?.isPlural ?? isMany) === isMany);
  return another === undefined ? one : undefined;
}

function preferred(tools: readonly Tool[], isBetter: (tool: Tool) => boolean): readonly Tool[] {
  const better = tools.filter(isBetter);
  return better.length > 0 ? better : tools;
}

function certain({ declaration: { name } }: Tool, by: 'name' | 'words', candidates: readonly Candidate[]): Match {
  const isOther = (each: Candidate): number => Number(each.name !== name);
  return {
    verdict: 'certain',
    certain: { name, by },
    candidates: candidates.toSorted((one, other) => isOther(one) - isOther(other)),
  };
}

function candidatesOf(
  { tools, search }: ToolIndex,
  order: Order,
  alike: Similarities | undefined,
): readonly Candidate[] {
  const hits = search(order.text);
  const scores = new Map(hits.map(({ tool, score }) => [tool, score]));
  const fused = alike === undefined ? scores : fusedScores(tools, scores, alike);
  const most = Math.max(0, ...fused.values());
  return tools
    .flatMap((tool): readonly Candidate[] => {
      const score = fused.get(tool);
      if (score === undefined) return [];
      const { name } = tool.declaration;
      const veto = vetoOf(order, tool);
      const cosine = alike === undefined ? undefined : cosineOf(alike, name);
      return [
        {
          name,
          score: rounded(score / most),
          ...defined({ alike: cosine === undefined ? undefined : rounded(cosine) }),
          does: order.verb !== undefined && isSameVerb(order.verb.stem, tool),
          isAbout: tool.nouns.some(({ stem }) => order.terms.some((term) => term.stem === stem)),
          shares: [...new Set(order.terms.filter(({ stem }) => tool.told.has(stem)).map(({ word }) => word))],
          ...defined({ veto }),
        },
      ];
    })
    .sort(nearestFirst);
}

function nearestFirst(one: Candidate, other: Candidate): number {
  const forbidden = Number(one.veto !== undefined) - Number(other.veto !== undefined);
  return forbidden || other.score - one.score || (one.name < other.name ? -1 : 1);
}

/** Reciprocal rank fusion: adds ranks and not scores, because the usual cosine differs between embedding models. */
const FLAT = 10;

function fusedScores(
  tools: readonly Tool[],
  byWords: ReadonlyMap<Tool, number>,
  alike: Similarities,
): ReadonlyMap<Tool, number> {
  const byMeaning = new Map(
    tools.flatMap((tool) => {
      const cosine = cosineOf(alike, tool.declaration.name);
      return cosine === undefined ? [] : [[tool, cosine] as const];
    }),
  );
  const fused = new Map<Tool, number>();
  for (const scores of [byWords, byMeaning]) {
    const ranked = [...scores.values()].sort((one, other) => other - one);
    for (const [tool, score] of scores) fused.set(tool, (fused.get(tool) ?? 0) + 1 / (FLAT + ranked.indexOf(score)));
  }
  return fused;
}

function cosineOf(alike: Similarities, name: string): number | undefined {
  return Object.hasOwn(alike, name) ? alike[name] : undefined;
}

function rounded(score: number): number {
  return Math.round(score * 1000) / 1000;
}

/** Tells whether the text contains the capability's name; a plain word such as `search` only counts as the whole text. */
function isNamed(name: string, part: string): boolean {
  const trimmed = part.trim();
  if (trimmed === name) return true;
  if (/^\p{L}+$/u.test(name)) return false;
  return trimmed.split(/[\s"'`,;:?!()]+/).some((word) => word === name || word.replace(/\.$/, '') === name);
}

/** The reason why a tool may not serve an order, even if a model chose it; undefined when it may. */
function vetoOf(order: Order, tool: Tool): string | undefined {
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
 * Tells whether the words of an order prove that this tool is meant: its verb or a synonym, every noun of its name, the last
 * noun as the object, and no word that only another tool is named for. A destructive tool needs its exact verb, and the
 * nouns of its required identifiers.
 */
function isCertain(order: Order, tool: Tool, tools: readonly Tool[]): boolean {
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

/** Tells whether the order's object ends with the tool's last noun. A tool named by a verb alone takes only data after its verb. */
function isActedOn(order: Order, tool: Tool): boolean {
  if (tool.isVerbAlone && order.acted.length === 0) return order.verb?.stem === tool.verb?.stem;
  const head = headFor(order, tool);
  const last = tool.nouns.at(-1);
  return head !== undefined && last?.stem === head.stem && isOfNumber(head, tool);
}

/** Singular and plural must agree, except that tools that make or change several things also take one. */
function isOfNumber({ isPlural }: Term, { nouns, verb }: Tool): boolean {
  const wanted = nouns.at(-1)?.isPlural;
  const isForSeveral = wanted === true && verb !== undefined && isMakingVerb(verb.stem);
  return wanted === undefined || wanted === isPlural || isForSeveral;
}

/** The last noun of the order's object; `CSV file` counts as `CSV` for a tool whose texts mention files. */
function headFor({ acted }: Order, { told, nouns }: Tool): Term | undefined {
  const [before, last] = acted.slice(-2);
  const isFile = last?.stem === 'file' && told.has('file') && !nouns.some(({ stem }) => stem === 'file');
  return isFile ? before : acted.at(-1);
}

function isNamedFor({ nouns, family, verb }: Tool, stem: string): boolean {
  return verb?.stem === stem || [...nouns, ...family].some((noun) => noun.stem === stem);
}

/** Tells whether the verbs are equal or synonyms; destructive tools need the equal verb. */
function isSameVerb(stem: string, { verb, mayDestroy }: Tool): boolean {
  if (verb === undefined) return false;
  if (verb.stem === stem) return true;
  const group = groupOf(stem);
  return !mayDestroy && group !== undefined && group === groupOf(verb.stem);
}
