// A full-text index of a run's tools, searched with the words of a goal.
import MiniSearch from 'minisearch';
import { digestOf } from '../../base/digest.ts';
import { isFunctionWord, stemOf } from './terms.ts';
import { type DescribedCapability, type Tool, type ToolTexts, toolsOf } from './tool.ts';

interface ToolHit {
  readonly tool: Tool;
  readonly score: number;
}

export interface ToolIndex {
  /** Sorted by name. */
  readonly tools: readonly Tool[];
  /** All tools that share a word with the text, nearest first; equal scores are sorted by name. */
  readonly search: (text: string) => readonly ToolHit[];
}

/** The weight of each part of a tool's texts, measured on public servers. */
const boost: Readonly<Record<keyof ToolTexts, number>> = {
  name: 3,
  title: 1.5,
  first: 1.5,
  rest: 0.5,
  parameters: 0.7,
  said: 0.3,
};

const LONGEST_WORD = 60;
/** Words of at least this many letters may contain a typing error. */
const LONG = 6;
const SLIPS = 0.15;

/** Remembers an index as long as its list: a plan of a thousand tasks asks several times for each task. */
export function toolIndex(capabilities: readonly DescribedCapability[]): ToolIndex {
  const found = ofList.get(capabilities) ?? indexFor(capabilities);
  ofList.set(capabilities, found);
  return found;
}

const ofList = new WeakMap<readonly DescribedCapability[], ToolIndex>();

/** Caches the last few indexes by what they contain, because every planner of a run asks for the same one with a new list. */
function indexFor(capabilities: readonly DescribedCapability[]): ToolIndex {
  const byName = capabilities.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const key = digestOf(
    byName.map(({ name, description, input = null, effects }) => [name, description, input, [...effects]]),
  );
  const found = known.get(key) ?? built(byName);
  known.delete(key);
  known.set(key, found);
  const [oldest] = known.keys();
  if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
  return found;
}

const KEPT = 8;
const known = new Map<string, ToolIndex>();

function built(byName: readonly DescribedCapability[]): ToolIndex {
  const tools = toolsOf(byName);
  const search = new MiniSearch<ToolTexts & { readonly id: number }>({
    fields: Object.keys(boost),
    processTerm: (term) => (isFunctionWord(term) || term.length > LONGEST_WORD ? null : stemOf(term)),
    searchOptions: { boost, fuzzy: (term) => (term.length >= LONG ? SLIPS : false) },
  });
  search.addAll(tools.map(({ texts }, id) => ({ id, ...texts })));
  return {
    tools,
    search: (text) =>
      search
        .search(text)
        .flatMap(({ id, score }) => {
          const tool = tools[Number(id)];
          return tool === undefined ? [] : [{ tool, score, id: Number(id) }];
        })
        .sort((one, other) => other.score - one.score || one.id - other.id),
  };
}
