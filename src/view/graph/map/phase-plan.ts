// Arranges the inside of a phase: rows of steps, nested phases below them, and replans at the right.
import { defined } from '../../../base/json.ts';
import type { ShownPhase } from '../../phases/phase-tree.ts';
import { GAP, type Outline, PAD, type PhasePlan, PITCH, type PlacedPlan, STEP } from './footprint.ts';
import { compoundsOf, type Lane, planLanes } from './lane-plan.ts';
import { type NeedsOf, planRows, type RowPlan } from './row-plan.ts';

/** `head`: the height of the headers of nested phases. Plans are kept, because most do not depend on it. */
export type PlanPhase = (key: string, head: number) => PhasePlan;

/** The distance between the rows and a replan. */
const REPLAN_GAP = 22;
/** Nested frames are at least this many times wider than their header is high, so that their title has room. */
const TITLE = 4.6;
/** A replan leaves room for the name of the step that failed, in heights of a header. */
const PILL = 5.8;

export function createPhasePlanner({ tree, needs }: Outline): PlanPhase {
  const known = new Map<string, PhasePlan>();
  const rowPlans = new Map<string, RowPlan>();
  const none: readonly string[] = [];
  const needsOf: NeedsOf = (id) => needs.get(id) ?? none;

  const frameOf = (key: string, head: number): PhasePlan => {
    const plan = planPhase(key, head);
    return { ...plan, width: Math.max(plan.width, head * TITLE) };
  };

  function rowsOf({ planner, steps }: ShownPhase): RowPlan {
    const rows = rowPlans.get(planner) ?? planRows(steps, needsOf);
    rowPlans.set(planner, rows);
    return rows;
  }

  function planPhase(key: string, head: number): PhasePlan {
    const phase = tree.phases.get(key);
    if (phase === undefined) return { key, width: 2 * PAD + STEP.width, height: PAD, cells: [], inside: [] };
    const isPlain = phase.nested.length === 0 && phase.replansOf.length === 0;
    const name = isPlain ? key : `${key} ${head}`;
    const made = known.get(name);
    if (made !== undefined) return made;
    const compounds = compoundsOf(tree, phase, needsOf);
    const { rows, lanes } =
      compounds.length === 0
        ? { rows: rowsOf(phase), lanes: [] }
        : planLanes(phase, compounds, needsOf, (inner) => frameOf(inner, head));
    const replans = phase.replansOf.map((replan) => ({
      plan: frameOf(replan, head),
      mends: tree.phases.get(replan)?.replans?.[0],
    }));
    const plan = stacked(key, rows, lanes, replans, head);
    known.set(name, plan);
    return plan;
  }

  return planPhase;
}

interface Replan {
  readonly plan: PhasePlan;
  readonly mends: string | undefined;
}

/** Puts the lanes below the rows, and the replans beside what they replace. */
function stacked(
  key: string,
  rows: RowPlan,
  lanes: readonly Lane[],
  replans: readonly Replan[],
  head: number,
): PhasePlan {
  const cells = [...rows.places].map(([id, { x, row }]) => ({ id, x: PAD + x, y: row * PITCH.y }));
  const inside: PlacedPlan[] = [];
  let width = rows.width;
  let free = 0;

  function putReplan({ plan, mends }: Replan, left: number): void {
    const failed = cells.find(({ id }) => id === mends);
    const whole = plan.height + head;
    const y = Math.max(0, free, failed === undefined ? 0 : failed.y + STEP.height / 2 - whole / 2);
    const x = Math.max(left, (failed?.x ?? 0) + (failed === undefined ? 0 : head * PILL));
    inside.push({ plan, x, y, ...defined({ mends }) });
    free = y + whole + GAP.y;
    width = Math.max(width, x - PAD + plan.width);
  }

  const isBeside = ({ mends }: Replan): boolean => mends === undefined || rows.places.has(mends);
  const left = PAD + rows.width + (rows.width > 0 ? REPLAN_GAP : 0);
  for (const replan of replans) if (isBeside(replan)) putReplan(replan, left);
  let y = Math.max(rows.rows * PITCH.y, free);
  for (const { frames, steps, right } of lanes) {
    const high = Math.max(STEP.height, ...frames.map(({ plan }) => plan.height + head));
    for (const { plan, x } of frames) inside.push({ plan, x: PAD + x, y: y + (high - plan.height - head) / 2 });
    for (const { id, x } of steps) cells.push({ id, x: PAD + x, y: y + (high - STEP.height) / 2 });
    width = Math.max(width, right);
    y += high + PAD;
  }
  const outside = PAD + width + REPLAN_GAP;
  for (const replan of replans) if (!isBeside(replan)) putReplan(replan, outside);
  y = Math.max(y, free);
  return { key, width: Math.max(width, STEP.width) + 2 * PAD, height: y + PAD - GAP.y, cells, inside };
}
