// Which capabilities may serve one part of a goal: one is certain by its words, several are open, or no word matches.

import { defined } from '../../base/json.ts';
import { type ToolIndex, toolIndex } from './catalogue.ts';
import { isCertain, isSameVerb, vetoOf } from './certainty.ts';
import { type Order, orderOf } from './order.ts';
import type { Described, Tool } from './tool.ts';

export interface Candidate {
  readonly name: string;
  /** How near its words are to those of the goal, in proportion to the nearest; from 0 to 1. */
  readonly score: number;
  /** How alike it and the goal are, by embeddings: a cosine. */
  readonly alike?: number;
  /** Its verb is that of the goal, or means the same. */
  readonly does: boolean;
  /** The goal has a noun of its name. */
  readonly isAbout: boolean;
  /** Words that both say, as the goal says them. */
  readonly shares: readonly string[];
  /** Why it may not serve, whoever chooses it. */
  readonly veto?: string;
}

export interface Match {
  /** `certain`: the words prove which is meant; `open`: a model or a person chooses; `none`: no word matches. */
  readonly verdict: 'certain' | 'open' | 'none';
  readonly certain?: { readonly name: string; readonly by: 'name' | 'words' };
  /** First the one that is certain, then the nearest, those of equal scores by name; those that may not serve stand last. */
  readonly candidates: readonly Candidate[];
}

/** Cosines by the names of capabilities. */
export type Alike = Readonly<Record<string, number>>;

export interface MatchOptions {
  /** It orders the candidates together with words; it makes nothing certain and lifts no veto. */
  readonly alike?: Alike | undefined;
}

/** The order of the capabilities plays no part. */
export function matchGoal(part: string, capabilities: readonly Described[], options: MatchOptions = {}): Match {
  return matchIn(toolIndex(capabilities), part, options);
}

/**
 * Why the words of a part of a goal forbid a capability that they do not name themselves. The whole goal rules out too,
 * and has to ask for what destroys: the words of a part may be a model's.
 */
export function vetoFor(
  part: string,
  name: string,
  capabilities: readonly Described[],
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

/** The only one; of several the only one that has the very verb, and of these the only one that agrees in number. */
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

function candidatesOf({ tools, search }: ToolIndex, order: Order, alike: Alike | undefined): readonly Candidate[] {
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

/** Ranks are added, not scores: embedders differ in what is usual between any two texts (reciprocal rank fusion). */
const FLAT = 10;

function fusedScores(
  tools: readonly Tool[],
  byWords: ReadonlyMap<Tool, number>,
  alike: Alike,
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

function cosineOf(alike: Alike, name: string): number | undefined {
  return Object.hasOwn(alike, name) ? alike[name] : undefined;
}

function rounded(score: number): number {
  return Math.round(score * 1000) / 1000;
}

/** A word of a language is no name: `search` stands in many goals. */
function isNamed(name: string, part: string): boolean {
  const trimmed = part.trim();
  if (trimmed === name) return true;
  if (/^\p{L}+$/u.test(name)) return false;
  return trimmed.split(/[\s"'`,;:?!()]+/).some((word) => word === name || word.replace(/\.$/, '') === name);
}
