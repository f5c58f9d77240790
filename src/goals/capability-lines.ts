// The capabilities of a brief, with their contracts; a model's prompt shows contracts of the relevant ones only.
import { defined, type JsonObject } from '../base/json.ts';
import { dollarsOf } from '../budget/display-figures.ts';
import type { Declaration, Effect } from '../contract/declaration.ts';
import { parametersText } from '../contract/signature-line.ts';
import type { Experience, Tally } from './experience.ts';
import { nearestToAny, partsOfGoal } from './match/nearest-capabilities.ts';

export interface CapabilityLine {
  readonly name: string;
  readonly description: string;
  readonly effects: readonly Effect[];
  /** Absent when the capability declares none. */
  readonly input?: JsonObject;
  readonly output?: JsonObject;
  /** Its results in earlier runs. */
  readonly seen?: CapabilityRecord;
}

/** A capability in a model's prompt: with its contract, or with a signature instead. */
export interface ShownLine extends CapabilityLine {
  /** For example `(repo, state?: open|closed)`. */
  readonly signature?: string;
}

interface CapabilityRecord {
  readonly calls: number;
  readonly succeeded: number;
  /** The average from the first attempt to the end. */
  readonly seconds: number;
  /** The average cost; absent when calls are free. */
  readonly cost_usd?: number;
}

/** The capabilities with their contracts, sorted by name. */
export function capabilityLines(declarations: readonly Declaration[], learned?: Experience): readonly CapabilityLine[] {
  const byName = declarations.toSorted((left, right) => (left.name < right.name ? -1 : 1));
  return byName.map(({ name, description, effects, input, output }) => ({
    name,
    description,
    effects,
    ...defined({ input, output }),
    ...seenOf(learned?.capabilities, name),
  }));
}

/** Rounded, so that one more run does not change the prompt. */
function seenOf(tallies: Experience['capabilities'] = {}, name: string): { readonly seen?: CapabilityRecord } {
  const tally: Tally | undefined = Object.hasOwn(tallies, name) ? tallies[name] : undefined;
  if (tally === undefined || tally.tries === 0) return {};
  const { tries, succeeded, ms, micro_dollars: cost } = tally;
  const dollars = Number(dollarsOf(cost / tries).toPrecision(2));
  const seconds = Number((ms / tries / 1_000).toPrecision(2));
  return { seen: { calls: tries, succeeded, seconds, ...(dollars === 0 ? {} : { cost_usd: dollars }) } };
}

/**
 * The capabilities of a model's prompt. Capabilities nearest to any part of the goal get their contracts first, while the
 * allowance (characters of JSON) lasts; the others show a signature.
 */
export function shownLines(lines: readonly CapabilityLine[], goal: string, allowance: number): readonly ShownLine[] {
  const whole = withinAllowance(lines, goal, allowance);
  return lines.map((line) => {
    const { input, output, seen, ...rest } = line;
    if (whole.has(line.name)) return line;
    const signature = defined({ signature: input === undefined ? undefined : parametersText(input) });
    return { ...rest, ...signature, ...defined({ seen }) };
  });
}

function withinAllowance(lines: readonly CapabilityLine[], goal: string, allowance: number): ReadonlySet<string> {
  const sizes = new Map(
    lines.map(({ name, input = null, output = null }) => [name, JSON.stringify([input, output]).length]),
  );
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  if (total <= allowance) return new Set(sizes.keys());
  const names = new Set([...nearestToAny(partsOfGoal(goal), lines), ...sizes.keys()]);
  const shown = new Set<string>();
  let left = allowance;
  for (const name of names) {
    const size = sizes.get(name) ?? 0;
    if (size > left) continue;
    left -= size;
    shown.add(name);
  }
  return shown;
}
