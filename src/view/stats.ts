// Sums of the lessons of runs: by capability and agent, by strategy, and by intent.
import { defined } from '../base/json.ts';
import { durationText, moneyText } from '../base/quantity.ts';
import { type ExperienceRecord, type Lesson, shownTally, sumOf, type Tally } from '../goals/experience.ts';
import { type Line, type Span, span } from './line.ts';
import { table } from './table.ts';

interface Stat extends Tally {
  readonly of: ExperienceRecord['of'];
  readonly name: string;
  /** The shape of an intent or a goal; absent: any shape. */
  readonly shape?: string;
}

export interface Stats {
  /** The number of runs with lessons. */
  readonly runs: number;
  readonly capabilities: readonly Stat[];
  /** By shape of the goal. */
  readonly strategies: readonly Stat[];
  /** By shape of the intent. */
  readonly intents: readonly Stat[];
}

export function statsOf(lessons: readonly Lesson[]): Stats {
  const outcomes = lessons.flatMap((lesson) => lesson.outcomes);
  const ofDoers = outcomes.filter(({ of }) => of !== 'strategy');
  return {
    runs: lessons.length,
    capabilities: summed(ofDoers, () => undefined),
    strategies: summed(
      outcomes.filter(({ of }) => of === 'strategy'),
      ({ shape }) => shape,
    ),
    intents: summed(
      ofDoers.filter(({ shape }) => shape !== ''),
      ({ shape }) => shape,
    ),
  };
}

/** For machines: time in seconds, cost in dollars. */
export function shownStats({ runs, capabilities, strategies, intents }: Stats) {
  const shown = (stats: readonly Stat[]) => stats.map((stat) => shownTally(stat));
  return { runs, capabilities: shown(capabilities), strategies: shown(strategies), intents: shown(intents) };
}

function summed(
  outcomes: readonly ExperienceRecord[],
  shapeOf: (outcome: ExperienceRecord) => string | undefined,
): readonly Stat[] {
  const sums = new Map<string, Stat>();
  for (const outcome of outcomes) {
    const shape = shapeOf(outcome);
    const { of, name } = outcome;
    const key = JSON.stringify([shape ?? '', of, name]);
    sums.set(key, { of, name, ...defined({ shape }), ...sumOf(sums.get(key), outcome) });
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, stat]) => stat);
}

export function statsText({ runs, capabilities, strategies, intents }: Stats): readonly Line[] {
  if (runs === 0) return [[span('nothing has been learned yet: no run with a plan has ended here', 'dim')]];
  return [
    [span(`learned from the last ${runs} ${runs === 1 ? 'run' : 'runs'} with a plan`, 'strong')],
    ...part('', 'who', capabilities, ({ of, name }) => (of === 'agent' ? `agent ${name}` : name)),
    ...part('strategy', 'goal', strategies, ({ shape = '' }) => shape),
    ...part('served by', 'intent', intents, ({ shape = '' }) => shape),
  ];
}

function part(also: string, what: string, stats: readonly Stat[], of: (stat: Stat) => string): readonly Line[] {
  if (stats.length === 0) return [];
  const columns = [
    { title: what },
    ...(also === '' ? [] : [{ title: also }]),
    { title: 'tries', align: 'right' as const },
    { title: 'succeeded', align: 'right' as const },
    { title: 'refused', align: 'right' as const },
    { title: 'time', align: 'right' as const },
    { title: 'cost', align: 'right' as const },
    { title: 'failures' },
  ];
  return [
    [span('')],
    ...table(
      columns,
      stats.map((stat) => [span(of(stat)), ...(also === '' ? [] : [span(stat.name)]), ...cells(stat)]),
    ),
  ];
}

function cells({ tries, succeeded, invalid, ms, micro_dollars, codes }: Stat): readonly Span[] {
  const failures = Object.entries(codes).map(([code, count]) => `${code} ${count}`);
  return [
    span(String(tries)),
    span(String(succeeded), succeeded === tries ? 'good' : 'warn'),
    span(invalid === 0 ? '' : String(invalid)),
    span(durationText(Math.round(ms / Math.max(1, tries)))),
    span(micro_dollars === 0 ? '' : moneyText(Math.round(micro_dollars / Math.max(1, tries)))),
    span(failures.join(', '), 'dim'),
  ];
}
