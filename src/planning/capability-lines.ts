// The capabilities as a planner is shown them: each by name and line, the relevant ones with their contracts.
import type { JsonObject } from '../base/json.ts';
import { dollarsOf } from '../budget/shown.ts';
import type { Declaration, Effect } from '../contract/declaration.ts';
import type { Learned, Tally } from './learned.ts';

export interface CapabilityLine {
  readonly name: string;
  readonly description: string;
  readonly effects: readonly Effect[];
  /** Contracts are shown while the allowance lasts. */
  readonly input?: JsonObject;
  readonly output?: JsonObject;
  /** How it went in earlier runs. */
  readonly seen?: Seen;
}

interface Seen {
  readonly calls: number;
  readonly succeeded: number;
  /** On average, from the first attempt to the end. */
  readonly seconds: number;
  /** On average, in dollars; absent where it costs nothing. */
  readonly cost_usd?: number;
}

/**
 * In the order of their names. Contracts go first to the capabilities that share the most words with the goal, and to
 * each that still fits into the allowance (characters of JSON); the order of the declarations plays no part.
 */
export function capabilityLines(
  declarations: readonly Declaration[],
  goal: string,
  allowance: number,
  learned?: Learned,
): readonly CapabilityLine[] {
  const byName = declarations.toSorted((left, right) => (left.name < right.name ? -1 : 1));
  const shown = withContracts(byName, goal, allowance);
  return byName.map((declaration) => {
    const { name, description, effects, input, output } = declaration;
    const seen = seenOf(learned?.capabilities, name);
    if (!shown.has(name)) return { name, description, effects, ...seen };
    return {
      name,
      description,
      effects,
      ...(input === undefined ? {} : { input }),
      ...(output === undefined ? {} : { output }),
      ...seen,
    };
  });
}

type Shown = Pick<Declaration, 'name' | 'description' | 'input' | 'output'> & Partial<Pick<Declaration, 'tags'>>;

/** Rounded, so that a little more experience changes no prompt. */
function seenOf(tallies: Learned['capabilities'] = {}, name: string): { readonly seen?: Seen } {
  const tally: Tally | undefined = Object.hasOwn(tallies, name) ? tallies[name] : undefined;
  if (tally === undefined || tally.tries === 0) return {};
  const { tries, succeeded, ms, micro_dollars: cost } = tally;
  const dollars = Number(dollarsOf(cost / tries).toPrecision(2));
  const seconds = Number((ms / tries / 1_000).toPrecision(2));
  return { seen: { calls: tries, succeeded, seconds, ...(dollars === 0 ? {} : { cost_usd: dollars }) } };
}

/** The same lines, with the contracts that fit into the allowance. */
export function withinAllowance(
  lines: readonly CapabilityLine[],
  goal: string,
  allowance: number,
): readonly CapabilityLine[] {
  const shown = withContracts(lines, goal, allowance);
  return lines.map((line) => {
    const { input: _, output: __, ...rest } = line;
    return shown.has(line.name) ? line : rest;
  });
}

function withContracts(byName: readonly Shown[], goal: string, allowance: number): ReadonlySet<string> {
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

function relevance({ name, description, tags = [] }: Shown, wanted: ReadonlySet<string>): number {
  return wordsOf([name, description, ...tags].join(' ')).intersection(wanted).size;
}

/** Lower-case words of three letters or more, a plural `s` dropped. */
function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
  return new Set(words.map((word) => (word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word)));
}
