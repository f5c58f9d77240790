// The verbs that may begin an order: usual ones, and those of the granted capabilities.

import { matchIn } from '../match/match.ts';
import { termsOfName, termsOfText } from '../match/terms.ts';
import type { DescribedCapability, Tool } from '../match/tool.ts';
import { toolIndex } from '../match/tool-search.ts';
import { usualVerbs } from '../match/verbs.ts';

export interface Verbs {
  /** Imperative forms in lower case. */
  readonly words: ReadonlySet<string>;
  /** Tells whether the words of an order prove that a capability serves it. */
  isServed(order: string): boolean;
}

/** The verbs that are known without any capability. */
export const commonVerbs: Verbs = { words: usualVerbs, isServed: () => false };

export function verbsOf(capabilities: readonly DescribedCapability[]): Verbs {
  if (capabilities.length === 0) return commonVerbs;
  const index = toolIndex(capabilities);
  return {
    words: new Set([...usualVerbs, ...index.tools.flatMap(verbsIn)]),
    isServed: (order) => matchIn(index, order).verdict === 'certain',
  };
}

/** The verb of a name, and a word of the name that begins the description: `csv.profile` "profiles a CSV file". */
function verbsIn({ declaration: { name, description }, verb }: Tool): readonly string[] {
  const [begins] = termsOfText(description);
  const told = termsOfName(name).filter(({ stem }) => stem === begins?.stem);
  return [...told.map(({ word }) => word), ...(verb === undefined ? [] : [verb.word])];
}
