// Runs a mission, or a plan for it, with tools that a program hands over: to its end, or until only people can move it.
import { isJsonObject, type Json, type JsonObject, ownProperty } from '../base/json.ts';
import { bad, good, type Result } from '../base/result.ts';
import type { Capability } from '../capabilities/capability.ts';
import { gateAnswers } from '../engine/gate/gate-answers.ts';
import { defined } from '../template/resolve/readers.ts';
import type { OpenGate } from '../view/open-gates.ts';
import { localName } from '../view/status.ts';
import type { DriveOptions, Engine, Listener, MissionOptions, RunHandle } from './engine.ts';
import { startPlan } from './execute-plan.ts';
import type { RunOrder } from './inbox.ts';
import { type PlanOutcome, planOutcome } from './plan-outcome.ts';
import type { Pursuit } from './pursuit.ts';
import type { RunReport } from './run-report.ts';
import { type Tools, toolCapabilities } from './tools.ts';

/** `own`: what the engine has beside the catalog. `plan`: as it is written; without one the mission is planned. */
export async function runMission(
  engine: Engine,
  own: readonly Capability[],
  mission: string,
  {
    availableTools,
    baseTools,
    registry,
    contextTags,
    constraints,
    reviews = {},
    onEvent,
    ...options
  }: MissionOptions = {},
  plan?: Json,
): Promise<Result<PlanOutcome>> {
  const { initialResults: given = {}, frame = {}, budget, attachments, kinds, sequential, askBelow, ...rest } = options;
  const tools = defined<Tools>({ availableTools, baseTools, registry });
  const granted = await grantedTo(tools, own);
  if (!granted.ok) return granted;
  const laid: JsonObject = {
    ...(Object.keys(tools).length === 0 ? {} : { capabilities: granted.value.catalog }),
    ...defined<JsonObject>({ context_tags: contextTags, constraints }),
    ...frame,
  };
  const driven: DriveOptions = { ...rest, ...(onEvent === undefined ? {} : { onEvents: each(onEvent) }) };
  const start = { ...rest, ...driven, given, capabilities: granted.value.capabilities };
  const pursuit = defined<Pursuit>({ attachments, kinds, sequential, askBelow, budget });
  const begun =
    plan === undefined
      ? await engine.pursue(mission, { ...start, ...pursuit, frame: laid })
      : await startPlan(engine, plan, { ...start, mission, frame: { ...laid, budget: budgetOf(laid, budget) } });
  if (!begun.ok) return begun;
  const report = await answered(engine, begun.value, reviews, driven);
  if (!report.ok) return report;
  const record = engine.read(report.value.run);
  return record.ok ? good(planOutcome(report.value, record.value), begun.warnings) : record;
}

interface Granted {
  readonly capabilities: readonly Capability[];
  /** What is told of and of the catalog, by name. */
  readonly catalog: readonly string[];
}

async function grantedTo(tools: Tools, own: readonly Capability[]): Promise<Result<Granted>> {
  const ownNames = own.map(({ declaration }) => declaration.name);
  const { catalog, byNameOnly } = await import('../capabilities/catalog/catalog.ts');
  const listed = [...catalog, ...byNameOnly].map(({ declaration }) => declaration.name);
  const made = toolCapabilities(tools, [...ownNames, ...listed]);
  if (!made.ok) return made;
  const told = Object.keys(tools.availableTools ?? {});
  return good({ capabilities: made.value, catalog: told.filter((name) => listed.includes(name)) });
}

function each(onEvent: NonNullable<MissionOptions['onEvent']>): Listener {
  return (events) => {
    for (const event of events) onEvent(event);
  };
}

function budgetOf(frame: JsonObject, budget: Pursuit['budget']): JsonObject {
  const own = ownProperty(frame, 'budget');
  return { ...(isJsonObject(own) ? own : {}), ...budget };
}

/** Answers what is asked as `reviews` say, until the run has ended or asks something else. */
async function answered(
  engine: Engine,
  handle: RunHandle,
  reviews: Readonly<Record<string, Json>>,
  options: DriveOptions,
): Promise<Result<RunReport>> {
  const { by = 'api', record: _, replay: __, ...driven } = options;
  const seen = new Set<string>();
  let report = await handle.done;
  for (;;) {
    const gate = report.gates?.find((open) => !seen.has(open.gate) && reviewOf(open, reviews) !== undefined);
    const review = gate === undefined ? undefined : reviewOf(gate, reviews);
    if (gate === undefined || review === undefined) return good(report);
    seen.add(gate.gate);
    const ordered = await engine.order(report.run, decisionAt(gate, review, by), driven);
    if (!ordered.ok) return bad(ordered.issues);
    if (ordered.value.handle !== undefined) report = await ordered.value.handle.done;
  }
}

function reviewOf({ step }: OpenGate, reviews: Readonly<Record<string, Json>>): Json | undefined {
  return ownProperty(reviews, step) ?? ownProperty(reviews, localName(step));
}

function decisionAt(gate: OpenGate, review: Json, by: string): RunOrder {
  const order = { type: 'review', gate: gate.gate, by } as const;
  const { verdicts } = gateAnswers(gate);
  const approved = review === true || ownProperty(review, 'approved') === true;
  if (verdicts.includes('answer')) return { ...order, verdict: 'answer', value: review };
  const notes = ownProperty(review, 'notes');
  return {
    ...order,
    verdict: approved ? 'approve' : 'reject',
    ...(typeof notes === 'string' && notes !== '' ? { why: notes } : {}),
  };
}
