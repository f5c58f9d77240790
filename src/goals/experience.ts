// Experience from earlier runs: how often capabilities and strategies succeeded for intents and goals of one shape.
import { type Digest, digestOf } from '../base/digest.ts';
import type { Duration, MicroDollars } from '../base/quantity.ts';
import { dollarsOf, secondsOf } from '../budget/display-figures.ts';
import type { Declaration } from '../contract/declaration.ts';

/** Sums over attempts of earlier runs. */
export interface Tally {
  readonly tries: number;
  readonly succeeded: number;
  readonly attempts: number;
  /** The number of refused plans, for strategies. */
  readonly invalid: number;
  /** The total time, each from the first attempt to the end. */
  readonly ms: Duration;
  readonly micro_dollars: MicroDollars;
  /** The number of failures by code. */
  readonly codes: Readonly<Record<string, number>>;
}

/** One run's experience with one capability, agent or strategy for one shape. */
export interface ExperienceRecord extends Tally {
  readonly of: 'capability' | 'agent' | 'strategy';
  readonly name: string;
  readonly shape: string;
  /** For a capability: the digest of its contracts at that time. */
  readonly contract?: Digest;
}

/** All experience from one run. */
export interface Lesson {
  /** The run's context tags. */
  readonly tags: readonly string[];
  readonly outcomes: readonly ExperienceRecord[];
}

type Tallies = Readonly<Record<string, Tally>>;

/** The experience that a run starts with. It is stored with the run, so that later experience does not change a resumed run. */
export interface Experience {
  /** Tallies by name, for granted capabilities with an unchanged contract. */
  readonly capabilities: Tallies;
  /** Tallies of capabilities, by shape of intent. */
  readonly intents: Readonly<Record<string, Tallies>>;
  /** Tallies of strategies, by shape of goal. */
  readonly strategies: Readonly<Record<string, Tallies>>;
}

/** A tally for planners and `stats --json`: time in seconds, cost in dollars. */
export function shownTally<T extends Tally>({ ms, micro_dollars, ...rest }: T) {
  return { ...rest, seconds: secondsOf(ms), cost_usd: dollarsOf(micro_dollars) };
}

export function shownLearned({ capabilities, intents, strategies }: Experience) {
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

/** The most shapes of intents, and of goals, that a run starts with. */
const SHAPES = 100;

/** Sums lessons (newest first) of runs with a common tag and unchanged contracts. Undefined when no lesson applies. */
export function learnedFrom(
  lessons: readonly Lesson[],
  declarations: Readonly<Record<string, Declaration>>,
  tags: readonly string[],
): Experience | undefined {
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

/** A run without tags matches any other. */
function isAboutTheSame(theirs: readonly string[], ours: readonly string[]): boolean {
  return theirs.length === 0 || ours.length === 0 || theirs.some((tag) => ours.includes(tag));
}

function addTo(all: Map<string, Map<string, Tally>>, shape: string, name: string, outcome: ExperienceRecord): void {
  const known = all.get(shape);
  if (known === undefined && (shape === '' || all.size >= SHAPES)) return;
  const tallies = known ?? new Map<string, Tally>();
  tallies.set(name, sumOf(tallies.get(name), outcome));
  all.set(shape, tallies);
}

function plain(all: ReadonlyMap<string, ReadonlyMap<string, Tally>>): Readonly<Record<string, Tallies>> {
  return Object.fromEntries([...all].map(([shape, tallies]) => [shape, Object.fromEntries(tallies)]));
}

/** The number of tries after which experience may change the order of strategies. */
const ENOUGH_SAMPLES = 20;

/** A success rate from 0 to 1 (Laplace's rule of succession); 0.5 without tries. */
function rateOf({ tries, succeeded }: Tally): number {
  return (succeeded + 1) / (tries + 2);
}

const PROVEN = 0.75;

/** The capability that most often succeeded for this shape of intent, with a success rate of at least `PROVEN`. */
export function provenFor(learned: Experience | undefined, shape: string): string | undefined {
  const tallies = Object.hasOwn(learned?.intents ?? {}, shape) ? learned?.intents[shape] : undefined;
  const proven = Object.entries(tallies ?? {}).filter(
    ([, { tries, succeeded }]) => succeeded > 0 && succeeded / tries >= PROVEN,
  );
  return proven.sort(([one, a], [other, b]) => b.succeeded - a.succeeded || (one < other ? -1 : 1))[0]?.[0];
}

interface StrategyOrder<Strategy> {
  readonly strategies: readonly Strategy[];
  /** Absent when the given order is kept. */
  readonly why?: string;
}

const STEP = 0.05;

/** Sorts the strategies with enough tries by success; the others keep their places. */
export function strategyOrder<Strategy extends string>(
  strategies: readonly Strategy[],
  learned: Experience | undefined,
  shape: string,
): StrategyOrder<Strategy> {
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
