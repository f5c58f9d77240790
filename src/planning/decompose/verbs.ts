// The verbs with which a goal may give orders: the usual ones, and those of the granted capabilities.
import { toolIndex } from '../match/catalogue.ts';
import { matchIn } from '../match/match.ts';
import { termsOfName, termsOfText } from '../match/terms.ts';
import type { Described, Tool } from '../match/tool.ts';
import { groupOf, isDestroyingVerb, usualVerbs } from '../match/verbs.ts';

export interface Verbs {
  /** In lower case, as an order says them. */
  readonly words: ReadonlySet<string>;
  /** Whether the words of an order prove that some capability does it. */
  isServed(order: string): boolean;
}

/** The verbs that are known wherever nothing is granted. */
export const commonVerbs: Verbs = { words: usualVerbs, isServed: () => false };

export function verbsOf(capabilities: readonly Described[]): Verbs {
  if (capabilities.length === 0) return commonVerbs;
  const index = toolIndex(capabilities);
  return {
    words: new Set([...usualVerbs, ...index.tools.flatMap(verbsIn)]),
    isServed: (order) => matchIn(index, order).verdict === 'certain',
  };
}

/** `csv.profile`, which "profiles a CSV file", has the verb "profile": a description tells it more reliably than a name. */
function verbsIn({ declaration: { name, description, origin }, verb }: Tool): readonly string[] {
  const [begins] = termsOfText(description);
  const told = termsOfName(origin?.tool ?? name).filter(({ stem }) => stem === begins?.stem);
  const isVerb =
    verb !== undefined &&
    (groupOf(verb.stem) !== undefined || isDestroyingVerb(verb.stem) || origin !== undefined || !name.includes('.'));
  return [...told.map(({ word }) => word), ...(isVerb ? [verb.word] : [])];
}
