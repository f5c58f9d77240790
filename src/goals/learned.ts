// What earlier runs have taught: how often capabilities, strategies and mappings of intents have served, and how little of that may count.
import { type Digest, digestOf } from '../base/digest.ts';
import { dollarsOf, secondsOf } from '../budget/shown.ts';
import type { Declaration } from '../contract/declaration.ts';

/** Sums over earlier runs. */
export interface Tally {
  readonly tries: number;
  readonly succeeded: number;
  readonly attempts: number;
  /** Plans that were refused, of strategies. */
  readonly invalid: number;
  /** Milliseconds from the first attempt to the end, in all. */
  readonly ms: number;
  readonly micro_dollars: number;
  /** How often each code ended one. */
  readonly codes: Readonly<Record<string, number>>;
}

/** What one run teaches of one capability, agent or strategy that served intents or goals of one shape. */
export interface Outcome extends Tally {
  readonly of: 'capability' | 'agent' | 'strategy';
  readonly name: string;
  readonly shape: string;
  /** Of a capability: digest of its contracts as they were. */
  readonly contract?: Digest;
}

/** All that one run teaches. */
export interface Lesson {
  /** The run's context tags. */
  readonly tags: readonly string[];
  readonly outcomes: readonly Outcome[];
}

type Tallies = Readonly<Record<string, Tally>>;

/** What a run is given of it when it starts, and keeps: nothing that is learned later changes how it goes on. */
export interface Learned {
  /** By name; only what is granted, under the contract that it has now. */
  readonly capabilities: Tallies;
  /** By shape of an intent: the capabilities that have served such. */
  readonly intents: Readonly<Record<string, Tallies>>;
  /** By shape of a goal: the strategies that have taken such apart. */
  readonly strategies: Readonly<Record<string, Tallies>>;
}

/** The sums as planners and `stats --json` see them: time in seconds, cost in dollars. */
export function shownTally<T extends Tally>({ ms, micro_dollars, ...rest }: T) {
  return { ...rest, seconds: secondsOf(ms), cost_usd: dollarsOf(micro_dollars) };
}

export function shownLearned({ capabilities, intents, strategies }: Learned) {
  const each = <T, S>(all: Readonly<Record<string, T>>, show: (one: T) => S): Record<string, S> =>
    Object.fromEntries(Object.entries(all).map(([name, one]) => [name, show(one)]));
  const shown = (tallies: Tallies) => each(tallies, (tally) => shownTally(tally));
  return { capabilities: shown(capabilities), intents: each(intents, shown), strategies: each(strategies, shown) };
}

const nothing: Tally = { tries: 0, succeeded: 0, attempts: 0, invalid: 0, ms: 0, micro_dollars: 0, codes: {} };

export function sumOf(one: Tally | undefined = nothing, { codes, ...other }: Tally): Tally {
  const all = { ...one.codes };
  for (const [code, count] of Object.entries(codes)) all[code] = (all[code] ?? 0) + count;
  return {
    tries: one.tries + other.tries,
    succeeded: one.succeeded + other.succeeded,
    attempts: one.attempts + other.attempts,
    invalid: one.invalid + other.invalid,
    ms: one.ms + other.ms,
    micro_dollars: one.micro_dollars + other.micro_dollars,
    codes: all,
  };
}

export function contractDigest({ input, output }: Pick<Declaration, 'input' | 'output'>): Digest {
  return digestOf({ input: input ?? null, output: output ?? null });
}

/** Shapes that a run is given at most, of intents and of goals each. */
const SHAPES = 100;

/** From lessons, newest first: those of runs about the same, under the contracts of now. Undefined: nothing applies. */
export function learnedFrom(
  lessons: readonly Lesson[],
  declarations: Readonly<Record<string, Declaration>>,
  tags: readonly string[],
): Learned | undefined {
  const contracts = new Map(Object.values(declarations).map((each) => [each.name, contractDigest(each)]));
  const capabilities = new Map<string, Tally>();
  const intents = new Map<string, Map<string, Tally>>();
  const strategies = new Map<string, Map<string, Tally>>();
  for (const { outcomes, tags: theirs } of lessons) {
    if (!isAboutTheSame(theirs, tags)) continue;
    for (const outcome of outcomes) {
      const { of, name, shape, contract } = outcome;
      if (of === 'strategy') addTo(strategies, shape, name, outcome);
      if (of !== 'capability' || contract === undefined || contracts.get(name) !== contract) continue;
      capabilities.set(name, sumOf(capabilities.get(name), outcome));
      addTo(intents, shape, name, outcome);
    }
  }
  if (capabilities.size + strategies.size === 0) return undefined;
  return { capabilities: Object.fromEntries(capabilities), intents: plain(intents), strategies: plain(strategies) };
}

/** A run without tags is about anything. */
function isAboutTheSame(theirs: readonly string[], ours: readonly string[]): boolean {
  return theirs.length === 0 || ours.length === 0 || theirs.some((tag) => ours.includes(tag));
}

function addTo(all: Map<string, Map<string, Tally>>, shape: string, name: string, outcome: Outcome): void {
  const known = all.get(shape);
  if (known === undefined && (shape === '' || all.size >= SHAPES)) return;
  const tallies = known ?? new Map<string, Tally>();
  tallies.set(name, sumOf(tallies.get(name), outcome));
  all.set(shape, tallies);
}

function plain(all: ReadonlyMap<string, ReadonlyMap<string, Tally>>): Readonly<Record<string, Tallies>> {
  return Object.fromEntries([...all].map(([shape, tallies]) => [shape, Object.fromEntries(tallies)]));
}

/** So many tries make experience count in full, and let it settle in which order strategies are tried. */
const ENOUGH_SAMPLES = 20;

/** From 0 to 1; what has not been tried is neither good nor bad. */
function rateOf({ tries, succeeded }: Tally): number {
  return (succeeded + 1) / (tries + 2);
}

const PROVEN = 0.75;

/** Of the capabilities that have served such an intent, the one that has done so well most often. */
export function provenFor(learned: Learned | undefined, shape: string): string | undefined {
  const tallies = Object.hasOwn(learned?.intents ?? {}, shape) ? learned?.intents[shape] : undefined;
  const proven = Object.entries(tallies ?? {}).filter(
    ([, { tries, succeeded }]) => succeeded > 0 && succeeded / tries >= PROVEN,
  );
  return proven.sort(([one, a], [other, b]) => b.succeeded - a.succeeded || (one < other ? -1 : 1))[0]?.[0];
}

interface Order<Strategy> {
  readonly strategies: readonly Strategy[];
  /** Absent: as they were given. */
  readonly why?: string;
}

const STEP = 0.05;

/** Those that have been tried often enough on goals of the shape change places, the more successful ahead; the others stay. */
export function orderOf<Strategy extends string>(
  strategies: readonly Strategy[],
  learned: Learned | undefined,
  shape: string,
): Order<Strategy> {
  const tallies = Object.hasOwn(learned?.strategies ?? {}, shape) ? (learned?.strategies[shape] ?? {}) : {};
  const isKnown = (name: string) => (tallies[name]?.tries ?? 0) >= ENOUGH_SAMPLES;
  const steps = (name: string) => Math.round(rateOf(tallies[name] ?? nothing) / STEP);
  const known = strategies.filter(isKnown);
  const better = known.toSorted((one, other) => steps(other) - steps(one));
  const ordered = strategies.map((name) => (isKnown(name) ? (better.shift() ?? name) : name));
  if (ordered.every((name, index) => name === strategies[index])) return { strategies };
  const told = known.map((name) => `${name} ${tallies[name]?.succeeded} of ${tallies[name]?.tries}`);
  return { strategies: ordered, why: `of goals like this (${shape}): ${told.join(', ')} succeeded` };
}
