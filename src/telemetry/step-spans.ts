// Starts and ends the spans of steps, phases and attempts.
import type { Failure } from '../base/failure.ts';
import { type Issue, pathText } from '../base/issue.ts';
import { defined } from '../base/json.ts';
import type { Amount } from '../budget/amount.ts';
import type { EventOf } from '../engine/record/event.schema.ts';
import type { StepSpec } from '../template/step-spec.ts';
import type { Attributes } from './attributes.ts';
import { releaseStep } from './gate-spans.ts';
import { agentSpan, toolSpan } from './span-names.ts';
import type { SpanStart } from './span-operation.ts';
import {
  charge,
  endSpan,
  parentOf,
  spanEvent,
  startSpan,
  type TracedStep,
  type Tracing,
  tracedStep,
} from './tracing.ts';
import { budgetAttributes, usageAttributes } from './usage-attributes.ts';

/** The span of a step, started on first use; a planning step's span covers its phase. */
export function spanOf(tracing: Tracing, step: TracedStep): string {
  step.span ??= step.spec?.type === 'planning' ? startPhase(tracing, step) : startStep(tracing, step);
  return step.span;
}

function startStep(tracing: Tracing, step: TracedStep): string {
  const { id, spec, phase, links } = step;
  const type = spec?.type ?? 'task';
  return startSpan(tracing, {
    kind: 'step',
    name: 'step',
    parent: parentOf(tracing, step),
    attributes:
      phase === undefined
        ? { 'reconverge.step.id': id, 'reconverge.step.type': type }
        : { 'reconverge.step.id': id, 'reconverge.step.type': type, 'reconverge.phase': phase },
    links,
  });
}

function startPhase(tracing: Tracing, step: TracedStep): string {
  const { id, phase, target, depth, links, repairs } = step;
  if (target !== undefined) {
    const converging = tracing.converging.get(target) ?? new Set();
    tracing.converging.set(target, converging.add(id));
  }
  return startSpan(tracing, {
    kind: 'phase',
    name: repairs === undefined ? 'phase' : 'replan',
    parent: parentOf(tracing, step),
    attributes: {
      ...defined({
        'reconverge.step.id': id,
        'reconverge.phase': phase,
        'reconverge.phase.depth': depth,
        'reconverge.phase.target': target,
      }),
      ...repairs,
    },
    links,
  });
}

/**
 * Starts the span of an attempt. Its calls have spans of their own, unless the attempt is one call of a capability. Names
 * have few values: the ids of steps are attributes.
 */
export function startAttempt(
  tracing: Tracing,
  step: TracedStep,
  { attempt, delivery = 1, child }: Pick<EventOf<'attempt.started'>, 'attempt' | 'delivery' | 'child'>,
): void {
  const parent = spanOf(tracing, step);
  endAttempt(tracing, step, 'lost');
  const { id, spec } = step;
  const numbers = { id, attempt, delivery };
  const { name, attributes } =
    spec?.planning === undefined ? workOf(tracing, spec, numbers) : planOf(spec.planning.planner?.kind, numbers);
  step.bill = {};
  step.attempt = startSpan(tracing, {
    kind: 'attempt',
    isOwn: true,
    name,
    parent,
    attributes: child === undefined ? attributes : { ...attributes, 'reconverge.run.child': child },
  });
  step.tried = step.attempt;
}

interface AttemptNumbers {
  readonly id: string;
  readonly attempt: number;
  readonly delivery: number;
}

type NamedAttempt = Pick<SpanStart, 'name' | 'attributes'>;

function planOf(kind: string | undefined, { id, attempt, delivery }: AttemptNumbers): NamedAttempt {
  return {
    name: kind === undefined ? 'plan' : `plan ${kind}`,
    attributes: {
      'reconverge.step.id': id,
      'reconverge.attempt.number': attempt,
      'reconverge.attempt.delivery': delivery,
      'gen_ai.operation.name': 'plan',
      ...defined({ 'gen_ai.agent.name': kind }),
    },
  };
}

/** Full literals for each case, because merging objects for every step costs too much time. */
function workOf(tracing: Tracing, spec: StepSpec | undefined, { id, attempt, delivery }: AttemptNumbers): NamedAttempt {
  if (spec?.agent !== undefined)
    return {
      name: agentSpan(tracing, spec.agent),
      attributes: {
        'reconverge.step.id': id,
        'reconverge.attempt.number': attempt,
        'reconverge.attempt.delivery': delivery,
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.name': spec.agent.name,
      },
    };
  if (spec?.capability === undefined)
    return {
      name: 'attempt',
      attributes: {
        'reconverge.step.id': id,
        'reconverge.attempt.number': attempt,
        'reconverge.attempt.delivery': delivery,
      },
    };
  return {
    name: toolSpan(tracing, spec.capability),
    attributes: {
      'reconverge.step.id': id,
      'reconverge.attempt.number': attempt,
      'reconverge.attempt.delivery': delivery,
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': spec.capability,
      'reconverge.capability': spec.capability,
    },
  };
}

/** Ends an attempt and its open calls. */
export function endAttempt(
  tracing: Tracing,
  step: TracedStep,
  status: string,
  failure: Failure | undefined = undefined,
): void {
  for (const { span } of step.calls) endSpan(tracing, span, {}, failure);
  if (step.calls.length > 0) step.calls = [];
  if (step.attempt === undefined) return;
  endSpan(tracing, step.attempt, usageAttributes(step.bill, { status }), failure);
  step.attempt = undefined;
}

interface StepEnd {
  readonly status: string;
  readonly failure?: Failure | undefined;
  readonly bill?: Amount | undefined;
  readonly attributes?: Attributes | undefined;
}

/** Ends a step. The span of a planning step with a grafted plan stays open until its phase converges. */
export function endStep(tracing: Tracing, step: TracedStep, { status, failure, bill, attributes }: StepEnd): void {
  const span = spanOf(tracing, step);
  charge(tracing, step, bill);
  if (failure?.issues !== undefined) addIssueEvents(tracing, step.attempt ?? span, failure.issues);
  endAttempt(tracing, step, status, failure);
  releaseStep(tracing, step.id);
  const isPlanning = step.spec?.type === 'planning';
  if (!isPlanning || step.plan === undefined) closeStep(tracing, step, span, { status, failure, attributes });
  converge(tracing, step.id, 'target ended');
}

function closeStep(
  tracing: Tracing,
  step: TracedStep,
  span: string,
  { status, failure, attributes }: Omit<StepEnd, 'bill'>,
): void {
  if (step.ended) return;
  step.ended = true;
  const isPhase = step.spec?.type === 'planning';
  const figures = isPhase
    ? { 'reconverge.status': status, ...figuresOf(tracing, step) }
    : usageAttributes(step.spent, { status });
  endSpan(tracing, span, attributes === undefined ? figures : { ...figures, ...attributes }, failure);
}

function figuresOf(tracing: Tracing, { steps, spent }: TracedStep): Attributes {
  return { 'reconverge.phase.steps': steps, ...usageAttributes(spent), ...budgetAttributes(tracing) };
}

/** Ends the phases that converge at a step, when the step was judged or has ended. */
export function converge(tracing: Tracing, target: string, status: string): void {
  const planners = tracing.converging.get(target);
  if (planners === undefined) return;
  // A nested phase ends before the phase around it.
  for (const id of [...planners].reverse()) {
    const step = tracing.steps.get(id);
    if (step?.plan === undefined || step.span === undefined) continue;
    closeStep(tracing, step, step.span, { status });
    planners.delete(id);
  }
}

/** Ends all open spans at the end of the run. */
export function closeAll(tracing: Tracing, status: string): void {
  for (const step of [...tracing.steps.values()].reverse()) {
    if (step.span === undefined) continue;
    endAttempt(tracing, step, status);
    closeStep(tracing, step, step.span, { status });
  }
}

export function addIssueEvents(tracing: Tracing, span: string, issues: readonly Issue[]): void {
  for (const { code, severity, path, message, hint } of issues) {
    const where = path.length === 0 ? undefined : pathText(path);
    spanEvent(
      tracing,
      span,
      'issue',
      defined({
        'reconverge.issue.code': code,
        'reconverge.issue.severity': severity,
        'reconverge.issue.path': where,
        'reconverge.issue.message': message,
        'reconverge.issue.hint': hint,
      }),
    );
  }
}

/** Adds a span event to the open attempt, or else to the step. */
export function addStepEvent(tracing: Tracing, id: string, name: string, attributes: Attributes = {}): void {
  const step = tracedStep(tracing, id);
  spanEvent(tracing, step.attempt ?? spanOf(tracing, step), name, attributes);
}
