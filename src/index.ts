// The public door of the engine, in the order in which the README meets things.

export type { Failure } from './base/failure.ts';
export type { Issue, Mend, MendEdit } from './base/issue.ts';
export type { Json, JsonObject } from './base/json.ts';
export { OptionsRefused } from './base/options.ts';
export { bad, good, type Result } from './base/result.ts';
export { type CallContext, type Capability, type CapabilitySpec, defineCapability } from './capabilities/capability.ts';
export { CapabilityError } from './capabilities/capability-error.ts';
export { type Log, logTo, type WrittenLine } from './capabilities/log.ts';
export type { Declaration, Effect } from './contract/declaration.ts';
export type { BoundRow } from './engine/bound/bound.ts';
export type { Event, Recorded } from './engine/record/event.schema.ts';
export type { KeptLogLine, LogLevel, LogLine } from './engine/record/log-line.ts';
export type { ModelDelta } from './engine/record/model-delta.ts';
export type { RunOrder } from './engine/record/order.schema.ts';
export type { GateView, RunView, StepView } from './engine/state/run-view.ts';
export type { AiSdkModel } from './llm/ai-sdk-model.ts';
export type { AiSdkSettings } from './llm/ai-sdk-settings.ts';
export { fromAiSdk } from './llm/from-ai-sdk.ts';
export type { Model } from './llm/model.ts';
export { type Definition, defineTemplate, type TypedTemplate } from './runtime/api/define-template.ts';
export type {
  DriveOptions,
  Engine,
  ForkChanges,
  ForkOptions,
  ForkPoint,
  Listener,
  ListRunsOptions,
  LoadOptions,
  MissionOptions,
  OrderReply,
  PlanOptions,
  PursueOptions,
  RunHandle,
  RunId,
  StartOptions,
  StepGraph,
} from './runtime/api/engine.ts';
export type { EngineOptions } from './runtime/api/engine-options.ts';
export type { MissionLimits } from './runtime/api/mission-limits.ts';
export { IssuesError, orThrow } from './runtime/api/or-throw.ts';
export { type PlanOutcome, planOutcome, type Replan } from './runtime/api/plan-outcome.ts';
export type { PrunedRuns, PruneOptions } from './runtime/api/pruning.ts';
export type { Pursuit } from './runtime/api/pursuit.ts';
export { type ImportedPlan, readPlan } from './runtime/api/read-plan.ts';
export type { RunRecord } from './runtime/api/run-record.ts';
export type { RestStatus, RunReport } from './runtime/api/run-report.ts';
export { type Tool, type Tools, toolCapabilities } from './runtime/api/tools.ts';
export { createEngine } from './runtime/create-engine.ts';
export { boundOf } from './runtime/dry/bound-of.ts';
export type { LogQuery } from './runtime/logs/read-logs.ts';
export type { OnLogs } from './runtime/logs/run-log.ts';
export { executeGoal } from './runtime/mission/execute-goal.ts';
export { executePlan, startPlan } from './runtime/mission/execute-plan.ts';
export type { OnDelta } from './runtime/ports/live-answer.ts';
export type { Journal } from './store/journal.ts';
export { openMemoryJournal } from './store/memory-journal.ts';
export { openSqliteJournal } from './store/sqlite-journal.ts';
export { StoreRefused } from './store/store-refused.ts';
export { type Mission, missionTemplate } from './template/mission.ts';
export type { AnyStepDocument, TemplateDocument } from './template/schema/generated-document.ts';
export type { Template } from './template/template.ts';
export type { OpenGate } from './view/open-gates.ts';
export type { RunSummary } from './view/runs/run-summary.ts';
