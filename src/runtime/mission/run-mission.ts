// Runs a mission, or a plan for it, with functions as tools, until the run has ended or only people can move it.
import { defined, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { good, type Result } from '../../base/result.ts';
import type { Capability } from '../../capabilities/capability.ts';
import type { DriveOptions, Engine, Listener, MissionOptions } from '../api/engine.ts';
import { withLimits } from '../api/mission-limits.ts';
import { type PlanOutcome, planOutcome } from '../api/plan-outcome.ts';
import type { Pursuit } from '../api/pursuit.ts';
import { type Tools, toolCapabilities } from '../api/tools.ts';
import { answerGates, answerIn } from '../order/answer-gates.ts';
import { caught } from '../ports/listeners.ts';
import { startPlan } from './execute-plan.ts';

/** `own`: the engine's capabilities besides the catalog. `plan`: a plan for the mission; absent: the mission is planned. */
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
    maxTotalReplans,
    maxReplanAttempts,
    replanCooldown,
    maxTurns,
    timeout,
    maxConcurrency,
    ...options
  }: MissionOptions = {},
  plan?: Json | object,
): Promise<Result<PlanOutcome>> {
  const {
    initialResults: given = {},
    frame,
    planning,
    budget,
    attachments,
    kinds,
    sequential,
    askBelow,
    ...rest
  } = options;
  const tools = defined({ availableTools, baseTools, registry });
  const granted = await grantedTo(tools, own);
  if (!granted.ok) return granted;
  const limits = defined({ maxTotalReplans, maxReplanAttempts, replanCooldown, maxTurns, timeout, maxConcurrency });
  const limited = withLimits(defined({ frame, planning, budget }), limits);
  const laid: JsonObject = {
    ...(Object.keys(tools).length === 0 ? {} : { capabilities: granted.value.catalog }),
    ...defined({ context_tags: contextTags, constraints }),
    ...limited.frame,
  };
  const driven: DriveOptions = {
    ...rest,
    ...defined({ onEvents: onEvent === undefined ? undefined : eachEvent(onEvent) }),
  };
  const start = { ...rest, ...driven, given, capabilities: granted.value.capabilities };
  const pursuit = defined({ attachments, kinds, sequential, askBelow });
  const begun =
    plan === undefined
      ? await engine.pursue(mission, { ...start, ...pursuit, ...limited, frame: laid })
      : await startPlan(engine, plan, {
          ...start,
          mission,
          planning: limited.planning,
          frame: { ...laid, budget: budgetOf(laid, limited.budget) },
        });
  if (!begun.ok) return begun;
  const report = await answerGates(engine, begun.value, ({ step }) => answerIn(reviews, step), driven);
  if (!report.ok) return report;
  const record = engine.read(report.value.run);
  return record.ok ? good(planOutcome(report.value, record.value), begun.warnings) : record;
}

interface GrantedTools {
  readonly capabilities: readonly Capability[];
  /** The names of described tools that are in the catalog. */
  readonly catalog: readonly string[];
}

async function grantedTo(tools: Tools, own: readonly Capability[]): Promise<Result<GrantedTools>> {
  const ownNames = own.map(({ declaration }) => declaration.name);
  const { catalog, byNameOnly } = await import('../../capabilities/catalog/catalog.ts');
  const listed = [...catalog, ...byNameOnly].map(({ declaration }) => declaration.name);
  const made = toolCapabilities(tools, [...ownNames, ...listed]);
  if (!made.ok) return made;
  const told = Object.keys(tools.availableTools ?? {});
  return good({ capabilities: made.value, catalog: told.filter((name) => listed.includes(name)) });
}

/** Calls the listener once for each event, so that an error at one event does not skip the others. */
function eachEvent(onEvent: NonNullable<MissionOptions['onEvent']>): Listener {
  let listener: typeof onEvent | undefined;
  return (events, { id }) => {
    listener ??= caught('onEvent', id, onEvent);
    for (const event of events) listener(event);
  };
}

function budgetOf(frame: JsonObject, budget: Pursuit['budget']): JsonObject {
  const own = ownProperty(frame, 'budget');
  return { ...(isJsonObject(own) ? own : {}), ...budget };
}
