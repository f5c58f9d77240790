// What the telling of a trace remembers between events: which spans are open, and what was spent in them.
import type { Digest } from '../base/digest.ts';
import type { Failure } from '../base/failure.ts';
import { present } from '../base/fault.ts';
import type { Instant } from '../base/quantity.ts';
import { type Amount, type Limit, type Resource, resources } from '../budget/amount.ts';
import type { Kept } from '../engine/record/event-parts.schema.ts';
import type { StepSpec } from '../template/step-spec.ts';
import type { Template } from '../template/template.ts';
import type { AttributeName, Attributes } from './attributes.ts';
import { type SpanKind, type SpanLink, type SpanOperation, told } from './span-operation.ts';
import type { SpanIds, TraceContext } from './trace-ids.ts';

export type Sum = Partial<Record<Resource, number>>;

/** A step as its spans know it. */
export interface TracedStep {
  readonly id: string;
  readonly spec: StepSpec | undefined;
  /** The planning step that brought it. */
  readonly phase: string | undefined;
  /** The fan-out whose item it is. */
  readonly item: string | undefined;
  /** For a planning step: where its phase converges. */
  readonly target: string | undefined;
  /** Of what a planning step brings. */
  readonly depth: number;
  readonly links: readonly SpanLink[];
  /** For a repair. */
  readonly repairs: Attributes | undefined;
  /** The planning step whose phase it plans again. */
  readonly replaces: string | undefined;
  span: string | undefined;
  ended: boolean;
  attempt: string | undefined;
  /** The span of its last attempt. */
  tried: string | undefined;
  call: OpenCall | undefined;
  /** Of the attempt that is open. */
  bill: Sum;
  reserved: Amount | undefined;
  /** For a planning step: the attempt that brought its plan. */
  plan: string | undefined;
  /** Of what it brought. */
  steps: number;
  /** What it has used; of a planning step also what the steps of its phase have. */
  spent: Sum;
}

interface OpenCall {
  readonly span: string;
  readonly kind: SpanKind;
}

interface OpenGate {
  readonly span: string;
  readonly holds: Set<string>;
}

export interface Tracing {
  readonly template: Template;
  /** Large values by digest; absent: they are told nothing of. */
  readonly blob: (digest: Digest) => string | undefined;
  context: TraceContext;
  ids: SpanIds;
  /** The span of the run. */
  run: string;
  readonly authored: Map<string, StepSpec>;
  readonly steps: Map<string, TracedStep>;
  readonly gates: Map<string, OpenGate>;
  /** The gate that holds a step. */
  readonly held: Map<string, string>;
  /** Planning steps with an open phase, by the step where they converge. */
  readonly converging: Map<string, Set<string>>;
  readonly spent: Sum;
  limit: Limit;
  /** The event that is told, and how many spans it has started. */
  version: number;
  at: Instant;
  started: number;
  told: SpanOperation[];
}

export interface TracingOptions {
  readonly blob?: (digest: Digest) => string | undefined;
}

export function newTracing(template: Template, { blob = () => undefined }: TracingOptions = {}): Tracing {
  return {
    template,
    blob,
    context: { trace: '' },
    ids: () => '',
    run: '',
    authored: new Map(template.steps.map((spec) => [spec.name, spec])),
    steps: new Map(),
    gates: new Map(),
    held: new Map(),
    converging: new Map(),
    spent: {},
    limit: template.budget.limit,
    version: 0,
    at: 0,
    started: 0,
    told: [],
  };
}

/** An authored step is known before anything happens to it. */
export function tracedStep(tracing: Tracing, id: string): TracedStep {
  return tracing.steps.get(id) ?? addStep(tracing, id, tracing.authored.get(id), { depth: 1 });
}

const NO_LINKS: readonly SpanLink[] = [];

type Origin = Pick<TracedStep, 'depth'> &
  Partial<Pick<TracedStep, 'phase' | 'item' | 'target' | 'links' | 'repairs' | 'replaces'>>;

export function addStep(tracing: Tracing, id: string, spec: StepSpec | undefined, origin: Origin): TracedStep {
  const { phase, item, target = spec?.planning?.target, depth, links = NO_LINKS, repairs, replaces } = origin;
  const step: TracedStep = {
    ...{ id, spec, phase, item, target, depth, links, repairs, replaces },
    span: undefined,
    ended: false,
    attempt: undefined,
    tried: undefined,
    call: undefined,
    bill: {},
    reserved: undefined,
    plan: undefined,
    steps: 0,
    spent: {},
  };
  tracing.steps.set(id, step);
  return step;
}

interface Beginning {
  readonly kind: SpanKind;
  readonly name: string;
  readonly parent?: string | undefined;
  readonly attributes: Attributes;
  readonly links?: readonly SpanLink[];
}

export function startSpan(tracing: Tracing, { kind, name, parent, attributes, links = NO_LINKS }: Beginning): string {
  const { version, at, context } = tracing;
  const span = tracing.ids(version, tracing.started);
  tracing.started += 1;
  tracing.told.push({
    op: 'start',
    trace: context.trace,
    span,
    parent,
    kind,
    name,
    at,
    attributes,
    links,
  });
  return span;
}

export function endSpan(tracing: Tracing, span: string, attributes: Attributes, failure?: Failure): void {
  const message = failure === undefined ? {} : content(tracing, { 'reconverge.failure.message': failure.message });
  tracing.told.push({
    op: 'end',
    span,
    at: tracing.at,
    error: failure?.code,
    attributes: failure === undefined ? attributes : { ...attributes, ...message },
  });
}

export function spanEvent(tracing: Tracing, span: string, name: string, attributes: Attributes = {}): void {
  tracing.told.push({ op: 'event', span, name, at: tracing.at, attributes });
}

/** The longest value of an attribute that carries data. */
const LONGEST = 16_384;

/** Data of the run, where the template says that telemetry may carry it. */
export function content(
  { template }: Tracing,
  attributes: Readonly<Partial<Record<AttributeName, string | undefined>>>,
): Attributes {
  if (template.captureContent !== true) return {};
  const cut = Object.entries(attributes).map(([name, value]) => {
    const isLong = value !== undefined && value.length > LONGEST;
    return [name, isLong ? `${value.slice(0, LONGEST)}…` : value] as const;
  });
  return told(Object.fromEntries(cut));
}

/** A value as JSON; undefined when its blob is not at hand. */
export function textOf({ blob }: Tracing, kept: Kept | undefined): string | undefined {
  if (kept === undefined) return undefined;
  return 'value' in kept ? JSON.stringify(kept.value) : blob(kept.digest);
}

export function addTo(sum: Sum, amount: Amount): void {
  for (const resource of resources) {
    const more = amount[resource];
    if (more !== undefined) sum[resource] = (sum[resource] ?? 0) + more;
  }
}

/** What a step used counts in its attempt, in its phase and in the run. */
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

/** The span that a step hangs in. */
export function parentOf(tracing: Tracing, { phase, item, replaces }: TracedStep): string {
  const above = item ?? replaces ?? phase;
  return tracing.steps.get(above ?? '')?.span ?? present(tracing.run, 'span of the run');
}
