// The tree of a run: authored steps in order, and below each its planned steps and repairs.
import { defined } from '../base/json.ts';
import type { Duration, Instant } from '../base/quantity.ts';
import { secondsOf } from '../budget/display-figures.ts';
import type { GateKind } from '../engine/record/gate-events.schema.ts';
import type { SkipReason } from '../engine/record/step-events.schema.ts';
import { FRAME_REPAIR } from '../engine/state/add-steps.ts';
import type { RunView } from '../engine/state/run-view.ts';
import { type Step, type StepStatus, stepOf } from '../engine/state/state.ts';
import type { Attachment } from '../template/keys/attachment.ts';
import type { StepType } from '../template/step-spec.ts';
import { durationOf, type History, type StepHistory } from './history.ts';
import { type RepairOutcome, repairOutcomeOf } from './repair-outcome.ts';
import { localName, standingText } from './status.ts';

export interface TreeStep {
  readonly id: string;
  /** The last part of the id. */
  readonly name: string;
  readonly type: StepType;
  readonly capability?: string;
  /** The attachments that the step declares. */
  readonly attachments?: readonly Attachment[];
  /** The agent that does the work. */
  readonly agent?: string;
  /** The last child run. */
  readonly child?: string;
  /** The model or the tool that the running attempt waits for. */
  readonly asks?: string;
  readonly status: StepStatus;
  /** `skipped (budget)`, `held: g1 approval` */
  readonly text: string;
  readonly skipped?: SkipReason;
  /** The open gate that holds the step. */
  readonly held?: { readonly gate: string; readonly kind: GateKind };
  /** The repair that supersedes the step. */
  readonly supersededBy?: string;
  /** From the first attempt to the end, or to now. */
  readonly duration?: Duration;
  readonly attempts: number;
  readonly verified?: true;
  readonly failure?: { readonly code: string; readonly message: string };
  readonly takenUp?: RepairOutcome;
  /** The step whose end kept this step from running. */
  readonly root?: string;
  /** The step whose result was adopted; `run`: in another run. */
  readonly adopted?: { readonly from: string; readonly run?: string };
  /** The operator who supplied its result. */
  readonly resolvedBy?: string;
  /** The branches of a judged convergence step. */
  readonly converged?: { readonly succeeded: number; readonly expected: number; readonly partial: boolean };
  /** The rationale of a planning step's plan. */
  readonly rationale?: string;
  /** The failed steps that a repair mends; empty if the whole phase failed. */
  readonly failing?: readonly string[];
  /** The steps of a plan, or the items of a fan-out, in order. */
  readonly steps: readonly TreeStep[];
  /** The repairs of the plan. */
  readonly repairs: readonly TreeStep[];
}

/** `now`: the end of the durations of running steps. */
export function runTree(state: RunView, history: History, now: Instant): readonly TreeStep[] {
  const ids = [...state.template.steps.map(({ name }) => name), ...repairsOf(state, FRAME_REPAIR, undefined)];
  return ids.map((id) => treeStep(state, history, now, id));
}

/** For machines: durations in seconds. */
export function shownTree(tree: readonly TreeStep[]): readonly TreeStep[] {
  return tree.map((step) => ({
    ...step,
    ...defined({ duration: step.duration === undefined ? undefined : secondsOf(step.duration) }),
    steps: shownTree(step.steps),
    repairs: shownTree(step.repairs),
  }));
}

function treeStep(state: RunView, history: History, now: Instant, id: string): TreeStep {
  const step = stepOf(state, id);
  const past = history.get(id);
  const duration = durationOf(past, now);
  const phase = state.phases.get(id);
  const under = (ids: readonly string[]): TreeStep[] => ids.map((each) => treeStep(state, history, now, each));
  return {
    id,
    name: localName(id),
    type: step.spec.type,
    ...defined({
      capability: step.spec.capability,
      attachments: step.spec.attachments,
      agent: step.spec.agent?.name,
      child: step.child,
    }),
    status: step.status,
    text: standingText(state, step),
    ...standingOf(state, step),
    ...defined({ duration }),
    attempts: step.attempt,
    ...askedBy(step),
    ...pastOf(past),
    ...endOf(state, step),
    ...convergedOf(step),
    ...defined({
      rationale: phase?.rationale,
      failing: step.repairs?.failing,
    }),
    steps: under(step.expanded ?? phase?.steps ?? []),
    repairs: under(repairsOf(state, step.repairs?.lineage ?? id, id)),
  };
}

/** The call under way. */
function askedBy({ status, calls }: Step): Pick<TreeStep, 'asks'> {
  const last = calls.at(-1);
  if (status !== 'running' || last === undefined || last.outcome !== undefined) return {};
  return { asks: `${last.name}${last.purpose === undefined ? '' : ` (${last.purpose})`}` };
}

function standingOf(state: RunView, step: Step): Pick<TreeStep, 'skipped' | 'held' | 'supersededBy'> {
  const { status, skipped, people, root } = step;
  const gate = state.gates.get(people?.gate ?? '');
  return {
    ...defined({
      skipped,
      held: gate === undefined ? undefined : { gate: gate.id, kind: gate.kind },
      supersededBy: status !== 'superseded' || root === undefined ? undefined : root,
    }),
  };
}

function pastOf(past: StepHistory | undefined): Pick<TreeStep, 'verified' | 'adopted' | 'resolvedBy'> {
  const resolved = past?.orders.findLast(({ order }) => order === 'resolved');
  return {
    ...(past?.verified ? { verified: true } : {}),
    ...defined({
      adopted: past?.adopted,
      resolvedBy: resolved?.by,
    }),
  };
}

function endOf(state: RunView, step: Step): Pick<TreeStep, 'failure' | 'takenUp' | 'root'> {
  const { id, failure, root } = step;
  const takenUp = repairOutcomeOf(state, step);
  return {
    ...defined({
      failure: failure === undefined ? undefined : { code: failure.code, message: failure.message },
      takenUp,
      root: root === id ? undefined : root,
    }),
  };
}

function convergedOf({ convergence }: Step): Pick<TreeStep, 'converged'> {
  if (convergence === undefined) return {};
  const { succeeded, expected, partial } = convergence.convergence;
  return { converged: { succeeded, expected, partial } };
}

/** The repairs of one plan; a repair's plan may be repaired in turn. */
function repairsOf(state: RunView, lineage: string, planner: string | undefined): readonly string[] {
  const { repairs = [] } = state.lineages.get(lineage) ?? {};
  return repairs.filter((id) => stepOf(state, id).repairs?.planner === planner);
}
