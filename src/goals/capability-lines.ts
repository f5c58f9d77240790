// The capabilities of a brief, with their contracts.
import { defined, type JsonObject } from '../base/json.ts';
import { dollarsOf } from '../budget/display-figures.ts';
import type { Declaration, Effect } from '../contract/declaration.ts';
import type { Experience, Tally } from './experience.ts';

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
