// The capabilities as a planner is shown them: each by name and line, the relevant ones with their contracts.
import type { JsonObject } from '../base/json.ts';
import type { Declaration, Effect } from '../contract/declaration.ts';

export interface CapabilityLine {
  readonly name: string;
  readonly description: string;
  readonly effects: readonly Effect[];
  /** Contracts are shown while the allowance lasts. */
  readonly input?: JsonObject;
  readonly output?: JsonObject;
}

/**
 * In the order of their names. Contracts go first to the capabilities that share the most words with the goal, and to
 * each that still fits into the allowance (characters of JSON); the order of the declarations plays no part.
 */
export function capabilityLines(
  declarations: readonly Declaration[],
  goal: string,
  allowance: number,
): readonly CapabilityLine[] {
  const byName = declarations.toSorted((left, right) => (left.name < right.name ? -1 : 1));
  const shown = withContracts(byName, goal, allowance);
  return byName.map((declaration) => {
    const { name, description, effects, input, output } = declaration;
    if (!shown.has(name)) return { name, description, effects };
    return {
      name,
      description,
      effects,
      ...(input === undefined ? {} : { input }),
      ...(output === undefined ? {} : { output }),
    };
  });
}

function withContracts(byName: readonly Declaration[], goal: string, allowance: number): ReadonlySet<string> {
  const wanted = wordsOf(goal);
  const ranked = byName
    .map((declaration) => ({ declaration, score: relevance(declaration, wanted) }))
    .sort((left, right) => right.score - left.score);
  const shown = new Set<string>();
  let left = allowance;
  for (const { declaration } of ranked) {
    const { name, input = null, output = null } = declaration;
    const size = JSON.stringify([input, output]).length;
    if (size > left) continue;
    left -= size;
    shown.add(name);
  }
  return shown;
}

function relevance({ name, description, tags }: Declaration, wanted: ReadonlySet<string>): number {
  return wordsOf([name, description, ...tags].join(' ')).intersection(wanted).size;
}

/** Lower-case words of three letters or more, a plural `s` dropped. */
function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  return new Set(words.map((word) => (word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word)));
}
