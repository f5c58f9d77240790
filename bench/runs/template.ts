// The template of a measured run of about a given number of steps, as a file that the command line can run too.
import { join } from 'node:path';
import type { JsonObject } from '../../src/base/json.ts';
import { regions, type TableName, tables } from './tables.ts';

export interface RunShape {
  readonly phases: number;
  readonly regions: readonly string[];
}

/** Steps of one phase with all twelve regions, nested phases and replans included, on average. */
const STEPS_PER_PHASE = 48;

/** A small run has fewer regions, a large run has more phases. */
export function shapeFor(steps: number): RunShape {
  if (steps < 60) return { phases: 2, regions: ['east', 'west'] };
  if (steps < 200) return { phases: 3, regions: regions.slice(0, 7) };
  return { phases: Math.max(6, Math.round(steps / STEPS_PER_PHASE)), regions };
}

const goals: Readonly<Record<TableName, string>> = {
  orders: 'Reconcile the orders of each region, and look closer at the largest.',
  customers: 'Find the customers that occur twice, and score the rest.',
  returns: 'Link each return to its order.',
  suppliers: 'Clean and merge the suppliers’ addresses, then rank the suppliers.',
  events: 'Count the events of each region by hour.',
  products: 'Map, split and rank the products of each region.',
};

function planningStep(table: TableName, name: string, before: string, target: string): JsonObject {
  return {
    name,
    description: goals[table],
    type: 'planning',
    goal: goals[table],
    dependencies: [before],
    planner: table === 'products' ? { kind: 'llm' } : { kind: 'capability', name: 'plan.table' },
    replan: { max: 2, max_replan_attempts: 1, replan_cooldown: '1s' },
    convergence_target: target,
  };
}

export function templateFor(steps: number, name: string): JsonObject {
  const shape = shapeFor(steps);
  const kinds: readonly TableName[] = shape.phases === 2 ? ['customers', 'returns'] : tables;
  const digits = String(shape.phases).length;
  const phases = Array.from({ length: shape.phases }, (_, i) => {
    const table = kinds[i % kinds.length] ?? 'orders';
    const number = shape.phases > kinds.length ? `${String(i + 1).padStart(digits, '0')}_` : '';
    return { table, name: `plan_${number}${table}` };
  });
  return {
    reconverge: 1,
    name,
    description: 'Reconcile the tables of all regions, month by month, and write a report that a person has agreed to.',
    input: {
      type: 'object',
      properties: { regions: { type: 'array', items: { type: 'string' }, default: [...shape.regions] } },
    },
    output: '{{ results.publish.path }}',
    models: { default: { model: 'gpt-5-mini', max_output_tokens: '4k' } },
    budget: {
      max_total_steps: Math.ceil(steps * 1.5) + 60,
      max_total_planning_phases: shape.phases * 4 + 4,
      max_total_llm_calls: shape.phases * 9 + 20,
      max_total_tool_calls: steps * 3 + 100,
      max_total_replans: shape.phases + 4,
      max_wall_clock_time: '12h',
      max_cost_budget: `$${Math.max(1, Math.round(shape.phases / 6))}.00`,
      max_fragment_steps: 60,
      max_fan_out: 20,
    },
    context: { strategy: 'selective', max_tokens: 8000 },
    concurrency: { max: 14 },
    critic: 'off',
    capabilities: [{ module: join(import.meta.dirname, 'work.ts') }, 'report.write'],
    roots: ['reports'],
    agents: {
      reader: {
        description: 'Reads the figures of one region and notes what stands out.',
        prompt: 'You read figures and note, in one sentence, what a person ought to look at.',
        tools: ['ledger.look'],
        output: '{note :string, risk :number}',
        max_turns: 4,
      },
    },
    steps: [
      { name: 'ingest', handler: 'table.load', input: { table: 'all', region: 'all' } },
      ...phases.map(({ table, name: phase }, i) =>
        planningStep(table, phase, phases[i - 1]?.name ?? 'ingest', phases[i + 1]?.name ?? 'finalize'),
      ),
      {
        name: 'finalize',
        type: 'deferred',
        description: 'All that was found, whichever phases failed in part.',
        dependencies: [phases.at(-1)?.name ?? 'ingest'],
        convergence: { policy: 'all_settled' },
      },
      {
        name: 'agree',
        type: 'human_review',
        dependencies: ['finalize'],
        prompt: `${shape.phases} phases are done. May the report be written to reports/${name}.md?`,
      },
      {
        name: 'publish',
        handler: 'report.write',
        dependencies: ['agree'],
        input: {
          path: `reports/${name}-{{ run.id }}.md`,
          title: 'Tables of all regions',
          sections: [{ heading: 'Notes', text: '{{ results.agree.notes }}' }],
        },
      },
    ],
  };
}
