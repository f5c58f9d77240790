// The state of a trace between events: open spans, and the usage of each.
import type { Digest } from '../base/digest.ts';
import type { Failure } from '../base/failure.ts';
import { present } from '../base/fault.ts';
import { defined } from '../base/json.ts';
import type { Instant } from '../base/quantity.ts';
import { type Amount, type Limit, plus, type Resource, resources } from '../budget/amount.ts';
import type { StoredValue } from '../engine/record/event-parts.schema.ts';
import type { StepSpec } from '../template/step-spec.ts';
import type { Template } from '../template/template.ts';
import type { AttributeName, Attributes } from './attributes.ts';
import { LONGEST } from './shown-messages.ts';
import type { SpanKind, SpanLink, SpanOperation } from './span-operation.ts';
import { OWN_SPAN, type SpanIds, type TraceContext } from './trace-ids.ts';

/** Grows with each event. */
export type UsageSum = Partial<Record<Resource, number>>;

/** A step in the trace. */
export interface TracedStep {
  readonly id: string;
  readonly spec: StepSpec | undefined;
  /** The planning step that planned it. */
  readonly phase: string | undefined;
  /** The fan-out that it is an item of. */
  readonly item: string | undefined;
  /** For a planning step: the convergence target of its phase. */
  readonly target: string | undefined;
  /** The nesting depth of the phase. */
  readonly depth: number;
  readonly links: readonly SpanLink[];
  /** For a repair: its attributes. */
  readonly repairs: Attributes | undefined;
  /** For a repair: the planning step of the replaced plan. */
  readonly replaces: string | undefined;
  span: string | undefined;
  ended: boolean;
  attempt: string | undefined;
  /** The span of its last attempt. */
  tried: string | undefined;
  /** The calls under way. */
  calls: readonly OpenCall[];
  /** The usage of the open attempt. */
  bill: UsageSum;
  reserved: Amount | undefined;
  /** For a planning step: the attempt with the accepted plan. */
  plan: string | undefined;
  /** The number of steps of its plan. */
  steps: number;
  /** Its usage, including the steps of its phase. */
  spent: UsageSum;
}

interface OpenCall {
  readonly call: number;
  readonly span: string;
  readonly kind: SpanKind;
  readonly reserved: Amount | undefined;
}

const NO_CALLS: readonly never[] = Object.freeze([]);

interface OpenGate {
  readonly span: string;
  readonly holds: Set<string>;
}

export interface Tracing {
  readonly template: Template;
  /** Large values by digest; when absent, they are left out. */
  readonly blob: (digest: Digest) => string | undefined;
  /** The trace context of a run that was started without one. */
  readonly under: string | undefined;
  context: TraceContext;
  ids: SpanIds;
  /** The span of the run. */
  run: string;
  readonly authored: Map<string, StepSpec>;
  /** Capabilities that plans have written. */
  readonly written: Set<string>;
  readonly steps: Map<string, TracedStep>;
  readonly gates: Map<string, OpenGate>;
  /** The gate that each held step waits for. */
  readonly held: Map<string, string>;
  /** Planning steps with an open phase, by convergence target. */
  readonly converging: Map<string, Set<string>>;
  readonly spent: UsageSum;
  limit: Limit;
  /** The version and the time of the current event, and the number of spans that it has started. */
  version: number;
  at: Instant;
  /** Microseconds after `at`, which keep events of one millisecond in order: backends take a span without duration for a fault. */
  micros: number;
  started: number;
  operations: SpanOperation[];
}

export interface TracingOptions {
  readonly blob?: (digest: Digest) => string | undefined;
  /** The W3C trace context of the caller, for a child run that was started without one. */
  readonly under?: string | undefined;
}

export function newTracing(template: Template, { blob = () => undefined, under }: TracingOptions = {}): Tracing {
  return {
    template,
    blob,
    under,
    context: { trace: '' },
    ids: () => '',
    run: '',
    authored: new Map(template.steps.map((spec) => [spec.name, spec])),
    written: new Set(),
    steps: new Map(),
    gates: new Map(),
    held: new Map(),
    converging: new Map(),
    spent: {},
    limit: template.budget.limit,
    version: 0,
    at: 0,
    micros: 0,
    started: 0,
    operations: [],
  };
}

/** The record of a step; template steps are added on first use. */
export function tracedStep(tracing: Tracing, id: string): TracedStep {
  return tracing.steps.get(id) ?? addStep(tracing, id, tracing.authored.get(id), { depth: 1 });
}

const NO_LINKS: readonly SpanLink[] = [];

type StepOrigin = Pick<TracedStep, 'depth'> &
  Partial<Pick<TracedStep, 'phase' | 'item' | 'target' | 'links' | 'repairs' | 'replaces'>>;

export function addStep(tracing: Tracing, id: string, spec: StepSpec | undefined, origin: StepOrigin): TracedStep {
  const { phase, item, target = spec?.planning?.target, depth, links = NO_LINKS, repairs, replaces } = origin;
  const step: TracedStep = {
    ...{ id, spec, phase, item, target, depth, links, repairs, replaces },
    span: undefined,
    ended: false,
    attempt: undefined,
    tried: undefined,
    calls: NO_CALLS,
    bill: {},
    reserved: undefined,
    plan: undefined,
    steps: 0,
    spent: {},
  };
  tracing.steps.set(id, step);
  return step;
}

interface NewSpan {
  readonly kind: SpanKind;
  /** The span of an attempt or of a call: at most one for each event. */
  readonly isOwn?: true;
  readonly name: string;
  readonly parent?: string | undefined;
  readonly attributes: Attributes;
  readonly links?: readonly SpanLink[];
}

export function startSpan(
  tracing: Tracing,
  { kind, isOwn, name, parent, attributes, links = NO_LINKS }: NewSpan,
): string {
  const { version, at, micros, context } = tracing;
  const span = tracing.ids(version, isOwn ? OWN_SPAN : tracing.started);
  if (isOwn !== true) tracing.started += 1;
  tracing.operations.push({
    op: 'start',
    trace: context.trace,
    span,
    parent,
    kind,
    name,
    at,
    micros,
    attributes: isKnownOperation(attributes) ? attributes : { ...attributes, 'openinference.span.kind': 'CHAIN' },
    links,
  });
  return span;
}

/** Phoenix knows the kinds of these operations, and shows other spans as unknown unless they name a kind. */
function isKnownOperation({ 'gen_ai.operation.name': name }: Attributes): boolean {
  return name !== undefined && name !== 'invoke_workflow' && name !== 'plan';
}

export function endSpan(tracing: Tracing, span: string, attributes: Attributes, failure?: Failure): void {
  const message = failure === undefined ? {} : content(tracing, { 'reconverge.failure.message': failure.message });
  tracing.operations.push({
    op: 'end',
    span,
    at: tracing.at,
    // Spans that start and end with the same event get a microsecond.
    micros: tracing.micros + 1,
    error: failure?.code,
    attributes: failure === undefined ? attributes : { ...attributes, ...message },
  });
}

export function spanEvent(tracing: Tracing, span: string, name: string, attributes: Attributes = {}): void {
  tracing.operations.push({ op: 'event', span, name, at: tracing.at, micros: tracing.micros, attributes });
}

/** Attributes with data of the run; empty unless the template allows content in telemetry. */
export function content(
  { template }: Tracing,
  attributes: Readonly<Partial<Record<AttributeName, string | undefined>>>,
): Attributes {
  if (template.captureContent !== true) return {};
  const cut = Object.entries(attributes).map(([name, value]) => {
    const isLong = value !== undefined && value.length > LONGEST;
    return [name, isLong ? `${value.slice(0, LONGEST)}…` : value] as const;
  });
  return defined(Object.fromEntries(cut));
}

/** A value as JSON; undefined when its blob is missing. */
export function textOf({ blob }: Tracing, kept: StoredValue | undefined): string | undefined {
  if (kept === undefined) return undefined;
  return 'value' in kept ? JSON.stringify(kept.value) : blob(kept.digest);
}

export function addTo(sum: UsageSum, amount: Amount): void {
  for (const resource of resources) {
    const more = amount[resource];
    if (more !== undefined) sum[resource] = (sum[resource] ?? 0) + more;
  }
}

/** Adds usage to the attempt, the phases and the run. */
export function charge(tracing: Tracing, step: TracedStep, amount: Amount | undefined): void {
  step.reserved = undefined;
  if (amount === undefined) return;
  const above = step.spec?.type === 'planning' ? undefined : tracing.steps.get(step.phase ?? '');
  for (const resource of resources) {
    const more = amount[resource];
    if (more === undefined) continue;
    for (const sum of [step.bill, tracing.spent, step.spent, above?.spent])
      if (sum !== undefined) sum[resource] = (sum[resource] ?? 0) + more;
  }
}

/** The amount that is set aside for an attempt or for its calls under way. */
export function reservedOf({ reserved, calls }: TracedStep): Amount | undefined {
  return calls.reduce((sum, call) => (call.reserved === undefined ? sum : plus(sum ?? {}, call.reserved)), reserved);
}

/** The parent span of a step. */
export function parentOf(tracing: Tracing, { phase, item, replaces }: TracedStep): string {
  const above = item ?? replaces ?? phase;
  return tracing.steps.get(above ?? '')?.span ?? present(tracing.run, 'span of the run');
}
