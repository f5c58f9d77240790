// The capabilities of the measured runs: they work for some time, some of their calls fail, and one plans.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject, type Json, type JsonObject } from '../../src/base/json.ts';
import { type CallContext, defineCapability } from '../../src/capabilities/capability.ts';
import { CapabilityError } from '../../src/capabilities/capability-error.ts';
import { closerPlan, deepestPlan, planOf, repairPlan, tables } from './tables.ts';

const verbs = [
  'read',
  'match',
  'sum',
  'load',
  'dedupe',
  'score',
  'check',
  'link',
  'fetch',
  'clean',
  'merge',
  'bucket',
  'count',
  'map',
  'split',
  'rank',
];

/** Between 0 and 1, the same for the same text. */
function share(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
}

/** Calls that never succeed. */
const broken = /\/(dedupe_west|clean_west|map_west)$/;
/** Calls that succeed at the third attempt. */
const flaky = /\/(read_east|load_alps|fetch_baltic|bucket_north|bucket_centre)$/;
/** Checks that find too little, so that their phase is planned anew. */
const sparse = /\/check_east$/;

async function work(
  input: { region: string },
  ctx: CallContext,
): Promise<{ rows: number; total: number; region: string }> {
  const { step, attempt, signal } = ctx;
  const takes = 600 + 2_400 * share(`${step} takes`) ** 2 + (share(`${step} is slow`) > 0.98 ? 9_000 : 0);
  const held = ctx.env('RECONVERGE_BENCH_HOLD') === '1';
  await sleep(held ? 2 ** 31 - 1 : takes / Number(ctx.env('RECONVERGE_BENCH_SPEED') ?? 1), undefined, { signal });
  const failing = Number(ctx.env('RECONVERGE_BENCH_FAILING') ?? 0);
  if (share(`${step} fails`) < failing)
    throw new CapabilityError(
      'ROWS_REFUSED',
      `row ${Math.floor(share(step) * 900)} of “${input.region}” has no amount`,
    );
  if (broken.test(step) || (flaky.test(step) && attempt < 3))
    throw new CapabilityError('WAREHOUSE_DOWN', 'the warehouse answered 503: Dienst vorübergehend nicht verfügbar');
  const rows = sparse.test(step) ? 3 : 20 + Math.floor(share(step) * 400);
  return { rows, total: Math.round(rows * 1_937 * share(input.region)) / 100, region: input.region };
}

const input = '{table :string, region :any}';
const output = '{rows :int, total :number, region :string}';

const calls = verbs.map((verb) =>
  defineCapability({
    name: `table.${verb}`,
    description: `Answers with the rows of one region of a table, after “${verb}”.`,
    input,
    output,
    effects: ['read'],
    run: ({ region }, ctx) => work({ region: String(region) }, ctx),
  }),
);

const look = defineCapability({
  name: 'ledger.look',
  description: 'Looks up who booked the rows of a region.',
  input: '{region :string}',
  output: '{clerk :string, rows :int}',
  effects: ['read'],
  run: ({ region }) => ({ clerk: 'Zoë Müller-Lüdenscheidt', rows: Math.floor(share(region) * 90) }),
});

const plan = defineCapability({
  name: 'plan.table',
  description: 'Plans the work on one table, region by region.',
  input: '{brief :any}',
  effects: ['compute'],
  run: ({ brief }, ctx) => fragmentFor(brief, ctx),
});

function fragmentFor(brief: Json, ctx: CallContext): Json {
  if (!isJsonObject(brief)) throw new CapabilityError('BRIEF_UNREADABLE', 'the brief is no map');
  const planner = String(brief.planner);
  const failed = failedIn(brief);
  if (failed.length > 0) return repairPlan(failed);
  const table = tables.find((name) => planner.includes(name)) ?? 'orders';
  if (planner.endsWith('/deepest')) return deepestPlan(table);
  if (planner.includes('/deeper_')) return closerPlan(table);
  const given = isJsonObject(brief.input) && Array.isArray(brief.input.regions) ? brief.input.regions.map(String) : [];
  return planOf({ table, regions: given, loose: Number(ctx.env('RECONVERGE_BENCH_FAILING') ?? 0) > 0 });
}

function failedIn({ repair }: JsonObject): readonly string[] {
  if (!isJsonObject(repair) || !Array.isArray(repair.failed)) return [];
  return repair.failed.flatMap((each) => (isJsonObject(each) ? [String(each.step)] : []));
}

export const capabilities = [...calls, look, plan];
