// The contracts of the values that references may lead to.
import { defined, type JsonObject } from '../../base/json.ts';
import { around } from '../../contract/path.ts';
import type { Producer, Producers, Scope } from '../scope.ts';
import { defaultDecision } from '../step-defaults.ts';
import type { FanOutSpec, StepSpec } from '../step-spec.ts';

const planValue: JsonObject = {
  type: 'object',
  required: ['rationale', 'digest', 'steps'],
  properties: { rationale: { type: 'string' }, digest: { type: 'string' }, steps: {} },
  additionalProperties: false,
};

/** The failure of a fan-out's item. */
const failureValue: JsonObject = {
  type: 'object',
  required: ['code', 'message'],
  properties: { code: { type: 'string' }, message: { type: 'string' } },
  additionalProperties: false,
};

/** The contract of `convergence` in a convergence step. */
export const convergenceValue: JsonObject = {
  type: 'object',
  properties: {
    expected: { type: 'integer' },
    succeeded: { type: 'integer' },
    failed: { type: 'array' },
    tolerated: { type: 'array' },
    skipped: { type: 'array' },
    partial: { type: 'boolean' },
    reason: {},
    by_phase: {},
  },
  additionalProperties: false,
};

/** The contract of `run` in a step. */
export const runValue: JsonObject = {
  type: 'object',
  required: ['id', 'template', 'folder', 'started_at', 'elapsed', 'spent', 'budget'],
  properties: {
    id: { type: 'string' },
    template: { type: 'string' },
    folder: { type: 'string' },
    started_at: { type: 'string' },
    elapsed: { type: 'number', description: 'Seconds in which an attempt or a backoff was pending.' },
    spent: { type: 'object' },
    budget: { type: 'object' },
  },
  additionalProperties: false,
};

const remembered = new WeakMap<Scope, Producers>();

/** All steps with a result, by name; steps of the document hide steps outside it. */
export function producersOf(scope: Scope): Producers {
  const known = remembered.get(scope);
  if (known !== undefined) return known;
  const own = new Map(scope.steps.map((step) => [step.name, producerOf(step, scope)]));
  const found: Producers = {
    get: (name) => own.get(name) ?? scope.outside.get(name),
    names: () => [...new Set([...scope.outside.names(), ...own.keys()])],
  };
  remembered.set(scope, found);
  return found;
}

function producerOf(step: StepSpec, { declarations }: Scope): Producer {
  const schema = resultOf(step, declarations);
  return { id: step.name, optional: mayBeSkipped(step), ...defined({ schema }) };
}

/** The contract of a step's result: from its type, its `output` or its capability. */
export function resultOf(step: StepSpec, declarations: Scope['declarations']): JsonObject | undefined {
  const { output, planning, gate, fanOut, capability } = step;
  if (planning !== undefined) return planValue;
  if (gate !== undefined) return gate.decision ?? defaultDecision;
  if (output !== undefined) return output;
  if (fanOut !== undefined) return listOf(fanOut, declarations);
  return capability !== undefined && Object.hasOwn(declarations, capability)
    ? declarations[capability]?.output
    : undefined;
}

/** With `fail_fast`, a list of values; otherwise each entry has a status, and a value only if its item succeeded. */
function listOf({ do: item, failureStrategy }: FanOutSpec, declarations: Scope['declarations']): JsonObject {
  return around(resultOf(item, declarations) ?? {}, (result) => {
    const value = mayBeSkipped(item) ? { anyOf: [result, { type: 'null' }] } : result;
    return { type: 'array', items: failureStrategy === 'fail_fast' ? value : endOfItem(result) };
  });
}

function endOfItem(value: JsonObject): JsonObject {
  return {
    type: 'object',
    required: ['status'],
    properties: { status: { type: 'string' }, value, reason: { type: 'string' }, failure: failureValue },
    additionalProperties: false,
  };
}

/** Tells whether the step may be skipped, with null as its value. */
function mayBeSkipped(step: StepSpec): boolean {
  const tolerated = !step.critical || step.onFailure === 'skip' || step.onVerificationFailure === 'skip';
  return step.when !== undefined || tolerated || step.planning?.onPlanningFailure === 'tolerate';
}
