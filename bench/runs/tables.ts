// The plans of the measured runs: one kind of phase for each table, over some regions.
import type { JsonObject } from '../../src/base/json.ts';

export const regions = [
  'north',
  'south',
  'east',
  'west',
  'alps',
  'baltic',
  'iberia',
  'nordics',
  'benelux',
  'balkans',
  'islands',
  'centre',
] as const;

/** The kinds of phases, in the order in which they repeat. */
export const tables = ['orders', 'customers', 'returns', 'suppliers', 'events', 'products'] as const;

export type TableName = (typeof tables)[number];

/** The three capabilities that each region of a table goes through. */
const verbs: Readonly<Record<TableName, readonly [string, string, string]>> = {
  orders: ['read', 'match', 'sum'],
  customers: ['load', 'dedupe', 'score'],
  returns: ['read', 'check', 'link'],
  suppliers: ['fetch', 'clean', 'merge'],
  events: ['read', 'bucket', 'count'],
  products: ['map', 'split', 'rank'],
};

export interface PlanRequest {
  readonly table: TableName;
  readonly regions: readonly string[];
  /** No step of a region waits for another, so that a failure ends no step behind it. */
  readonly loose: boolean;
}

const retry = { max_attempts: 3, base: '6s', backoff: 'exponential' };

function chain({ table, loose }: PlanRequest, region: string): readonly JsonObject[] {
  const [first, second, third] = verbs[table];
  const name = (verb: string): string => `${verb}_${longName(table, verb, region)}`;
  const input = { table, region };
  const after = (verb: string): JsonObject => (loose ? {} : { depends_on: [name(verb)] });
  const checked =
    table === 'returns'
      ? { verification: '(or (> (:rows data/result) 3) "too few rows")', on_verification_failure: 'replan' }
      : { retry };
  return [
    { name: name(first), capability: `table.${first}`, input, retry },
    { name: name(second), capability: `table.${second}`, input, ...after(first), ...checked },
    { name: name(third), capability: `table.${third}`, input, ...after(second) },
  ];
}

/** Names of suppliers are long, so that views meet names that have no room. */
function longName(table: TableName, verb: string, region: string): string {
  if (table !== 'suppliers') return region;
  return region === 'islands'
    ? `supplier_addresses_of_the_outer_${region}`
    : verb === 'merge'
      ? `all_of_${region}`
      : region;
}

function notes({ table, regions: all }: PlanRequest): readonly JsonObject[] {
  const [, , third] = verbs[table];
  return all
    .filter((_, i) => i % 5 === 0)
    .map((region) => ({
      name: `note_${region}`,
      agent: 'reader',
      depends_on: [`${third}_${region}`],
      input: {
        task: `Note what stands out in the ${table} of ${region}.`,
        figures: `{{ results.${third}_${region} }}`,
      },
    }));
}

/** A nested phase, and the step of this plan at which it converges. */
function closerLook({ table, regions: all }: PlanRequest): readonly JsonObject[] {
  const [first] = verbs[table];
  // A small run has no room for phases within phases.
  if (all.length < 3) return [];
  return [
    {
      name: `deeper_${table}`,
      type: 'planning',
      goal: `Look closer at the ${table} that stand out.`,
      depends_on: [`${first}_${all[0]}`],
      convergence_target: `${table}_together`,
    },
    { name: `${table}_together`, type: 'deferred', depends_on: [`deeper_${table}`] },
  ];
}

/** Branches of a decision: only the careful one is chosen. */
function ranking({ regions: all }: PlanRequest): readonly JsonObject[] {
  const branches = ['rank_quickly', 'rank_with_care', 'rank_by_hand'];
  return [
    {
      name: 'how_to_rank',
      type: 'decision',
      depends_on: [`merge_all_of_${all[0]}`],
      branches,
      choose: '"rank_with_care"',
    },
    ...branches.map((name) => ({
      name,
      capability: 'table.rank',
      input: { table: 'suppliers', region: name },
      depends_on: ['how_to_rank'],
    })),
    { name: 'ranking', type: 'deferred', depends_on: branches },
  ];
}

function images(): readonly JsonObject[] {
  return [
    {
      name: 'images',
      type: 'fan_out',
      for_each: ['front', 'back', 'left', 'right', 'label', 'box', 'Maßstab', '尺寸'],
      max_width: 8,
      do: { capability: 'table.map', input: { table: 'images', region: '{{ item }}' } },
    },
  ];
}

/** Calls have much time, because the clock of these runs is fast and the machine may be busy. */
function patient(steps: readonly JsonObject[]): readonly JsonObject[] {
  return steps.map((step) => ('capability' in step || 'agent' in step ? { ...step, timeout: '1h' } : step));
}

/** The fragment for one table. */
export function planOf(request: PlanRequest): JsonObject {
  const { table, regions: all } = request;
  const more: Readonly<Record<TableName, readonly JsonObject[]>> = {
    orders: [...notes(request), ...closerLook(request)],
    customers: notes(request),
    returns: [...notes(request), ...closerLook(request)],
    suppliers: ranking(request),
    events: [...notes(request), ...closerLook(request)],
    products: images(),
  };
  return {
    rationale: `every region by itself: ${verbs[table].join(', ')}`,
    steps: patient([...all.flatMap((region) => chain(request, region)), ...more[table]]),
  };
}

/** Six closer looks; for orders also a phase within this phase. */
export function closerPlan(table: TableName): JsonObject {
  const looks: JsonObject[] = Array.from({ length: 6 }, (_, i) => ({
    name: `closer_${i}`,
    capability: 'table.sum',
    input: { table, region: `closer_${i}` },
  }));
  const deepest: JsonObject[] = [
    {
      name: 'deepest',
      type: 'planning',
      goal: 'Compare the two largest.',
      depends_on: ['closer_0'],
      convergence_target: 'pair',
    },
    { name: 'pair', type: 'deferred', depends_on: ['deepest'] },
  ];
  return { rationale: 'six closer looks', steps: patient(table === 'orders' ? [...looks, ...deepest] : looks) };
}

export function deepestPlan(table: string): JsonObject {
  const steps = [1, 2].map((i) => ({
    name: `largest_${i}`,
    capability: 'table.match',
    input: { table, region: `largest_${i}` },
  }));
  return { rationale: 'the two largest', steps: patient(steps) };
}

/** Plans again what depends on the failed steps, from the archive; all that succeeded is kept. */
export function repairPlan(failed: readonly string[]): JsonObject {
  const steps = failed.flatMap((step) => {
    const region = step.slice(step.lastIndexOf('_') + 1);
    return [
      { name: `archive_${region}`, capability: 'table.read', input: { table: 'archive', region } },
      {
        name: `link_${region}`,
        capability: 'table.link',
        input: { table: 'archive', region },
        depends_on: [`archive_${region}`],
      },
    ];
  });
  return { rationale: `take ${failed.length === 1 ? 'it' : 'them'} from the archive instead`, steps: patient(steps) };
}
