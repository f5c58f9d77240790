// Reads the orders that the page posts: answers at gates, orders to a run, and forks.
import { hasErrors, type Issue, issue } from '../../base/issue.ts';
import { defined, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { contractOf } from '../../contract/contract.ts';
import { fieldsOf } from '../../contract/describe-contract.ts';
import type { Order } from '../../engine/record/event-parts.schema.ts';
import type { RunOrder } from '../../engine/record/order.schema.ts';
import type { GateView, RunView } from '../../engine/state/run-view.ts';
import { readAnswer } from '../../goals/ask/read-answer.ts';
import { readTextValue } from '../../goals/ask/read-text.ts';
import { readRaise } from '../../runtime/load/read-raise.ts';
import { placeIssue } from '../../template/place-in-file.ts';
import type { ForkRequest, GateAnswer, OrderRequest, Signature } from '../wire.schema.ts';

const text: JsonObject = { type: 'string' };

/** The keys of every order: the author, the reason, and the key that makes retries safe. */
export const signatureShape: Readonly<Record<keyof Signature, JsonObject>> = {
  key: { type: 'string', minLength: 1, maxLength: 100 },
  by: { type: 'string', maxLength: 100 },
  why: { type: 'string', maxLength: 10_000 },
};

interface PlacedOrder {
  readonly order: RunOrder;
  /** Maps an issue to its place in the typed text. */
  readonly place: (found: Issue) => Issue;
}

const gateAnswer: JsonObject = {
  type: 'object',
  required: ['verdict'],
  properties: {
    verdict: { enum: ['approve', 'reject', 'answer', 'edit'] },
    ...signatureShape,
    grant: { enum: ['step', 'capability'] },
    fields: { type: 'object', additionalProperties: text },
    text,
    plan: text,
  },
  additionalProperties: false,
};

const unplaced = (found: Issue): Issue => found;

/** Reads an answer by the gate's contract. */
export async function readGateAnswer(gate: GateView, posted: Json, by: string): Promise<Result<PlacedOrder>> {
  const read = checkedOrder<GateAnswer>(gateAnswer, posted);
  if (!read.ok) return read;
  const answer = read.value;
  const order = { type: 'review', gate: gate.id, ...signatureOf(answer, by) } as const;
  switch (answer.verdict) {
    case 'approve': {
      const { grant } = answer;
      return good({ order: { ...order, verdict: 'approve', ...defined({ grant }) }, place: unplaced });
    }
    case 'reject':
      return good({ order: { ...order, verdict: 'reject' }, place: unplaced });
    case 'answer': {
      const value = readValue(gate, answer);
      return value.ok ? good({ order: { ...order, verdict: 'answer', value: value.value }, place: unplaced }) : value;
    }
    case 'edit': {
      const { parseYaml } = await import('../../template/parse/parse-yaml.ts');
      const { tree, issues } = parseYaml(answer.plan, 'plan');
      if (tree === undefined || hasErrors(issues)) return bad(issues);
      return good({
        order: { ...order, verdict: 'edit', value: tree.value },
        place: (found) => (found.code === 'PLAN_EDIT_INVALID' ? placeIssue(found, tree) : found),
      });
    }
  }
}

function readValue(
  { decision }: GateView,
  { fields, text: whole }: { fields?: Readonly<Record<string, string>>; text?: string },
): Result<Json> {
  if (fields === undefined) {
    const read = readAnswer(whole ?? '', decision);
    return read.ok ? good(read.value) : bad([unreadable([], read.error)]);
  }
  const value: Record<string, Json> = {};
  const issues: Issue[] = [];
  for (const { name, schema, required } of fieldsOf(decision)) {
    const typed = fields[name]?.trim() ?? '';
    if (typed === '' && !required) continue;
    const read = readAnswer(typed, schema);
    if (read.ok) value[name] = read.value;
    else issues.push(unreadable([name], read.error));
  }
  return issues.length === 0 ? good(value) : bad(issues);
}

function unreadable(path: readonly string[], why: string): Issue {
  return issue('GATE_ANSWER_INVALID', path.length === 0 ? why : `${path.join('.')}: ${why}`, { path });
}

const budget: JsonObject = { type: 'object', additionalProperties: text };

/** The keys of each order, besides the signature. */
const orderKeys: Readonly<Record<OrderRequest['order'], Readonly<Record<string, JsonObject>>>> = {
  pause: {},
  resume: {},
  cancel: {},
  'raise-budget': { account: text, budget },
  'retry-step': { step: text },
  'resolve-step': { step: text, text },
};

const names = Object.keys(orderKeys) as readonly OrderRequest['order'][];

/** Checks only the shape; the engine decides whether the run accepts the order. Issues: INPUT_INVALID, and the issues of budgets. */
export function readOrder(state: RunView, posted: Json, by: string): Result<RunOrder> {
  const named = isJsonObject(posted) ? names.find((name) => name === posted.order) : undefined;
  if (named === undefined)
    return bad([issue('INPUT_INVALID', `order is none of ${names.join(', ')}`, { path: ['order'] })]);
  const parts = orderKeys[named];
  const properties = { order: text, ...signatureShape, ...parts };
  const required = ['order', ...Object.keys(parts)];
  const read = checkedOrder<OrderRequest>(
    { type: 'object', required, properties, additionalProperties: false },
    posted,
  );
  return read.ok ? orderOf(state, read.value, by) : read;
}

function orderOf(state: RunView, request: OrderRequest, by: string): Result<RunOrder> {
  const signed = signatureOf(request, by);
  switch (request.order) {
    case 'pause':
    case 'resume':
    case 'cancel':
      return good({ type: request.order, ...signed });
    case 'raise-budget': {
      const raise = readRaise(request.budget);
      return raise.ok ? good({ type: request.order, account: request.account, ...raise.value, ...signed }) : raise;
    }
    case 'retry-step':
      return good({ type: request.order, step: request.step, ...signed });
    case 'resolve-step': {
      const value = readTextValue(request.text, state.steps.get(request.step)?.spec.output ?? {});
      if (value !== undefined) return good({ type: request.order, step: request.step, value, ...signed });
      return bad([issue('INPUT_INVALID', 'the result begins as JSON, and is none', { path: ['text'] })]);
    }
  }
}

const fork: JsonObject = {
  type: 'object',
  required: ['at'],
  properties: { ...signatureShape, at: { type: 'integer' }, budget },
  additionalProperties: false,
};

/** Issues: INPUT_INVALID. */
export function readFork(posted: Json): Result<ForkRequest> {
  return checkedOrder<ForkRequest>(fork, posted);
}

/** `T` must be the type that `shape` describes. Issues: INPUT_INVALID. */
export function checkedOrder<T>(shape: JsonObject, posted: Json): Result<T> {
  const read = contractOf(shape).check(posted);
  if (read.ok) return good(read.value as T);
  return bad(read.error.map(({ path, message }) => issue('INPUT_INVALID', message, { path })));
}

/** `served` is the name of the person who serves the page; it signs orders without a signature. */
export function signatureOf({ by = '', why = '' }: Signature, served: string): Order {
  const [name, reason] = [by.trim(), why.trim()];
  return { by: name === '' ? served : name, ...(reason === '' ? {} : { why: reason }) };
}

export function keyOf(posted: Json): string | undefined {
  const key = ownProperty(posted, 'key');
  return typeof key === 'string' ? key : undefined;
}
