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
  /** The least that a call uses, apart from the call itself. */
  readonly takes?: CapabilityCost;
  /** Its results in earlier runs. */
  readonly seen?: CapabilityRecord;
}

/** Money in dollars; steps and phases of the run of a template. */
interface CapabilityCost {
  readonly cost_usd?: number;
  readonly steps?: number;
  readonly phases?: number;
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
  return byName.map(({ name, description, effects, input, output, cost, runs }) => ({
    name,
    description,
    effects,
    ...defined({ input, output }),
    ...takesOf({ cost, runs }),
    ...seenOf(learned?.capabilities, name),
  }));
}

function takesOf({ cost, runs }: Pick<Declaration, 'cost'> & { readonly runs: Declaration['runs'] | undefined }): {
  readonly takes?: CapabilityCost;
} {
  const { steps = 0, phases = 0 } = runs ?? {};
  const price = runs === undefined ? (cost.micro_dollars ?? 0) : 0;
  const all = { cost_usd: dollarsOf(price), steps, phases };
  const takes = Object.fromEntries(Object.entries(all).filter(([, amount]) => amount > 0));
  return Object.keys(takes).length === 0 ? {} : { takes };
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
