// Reads the page's other orders: orders to a run, and forks of a run.
import { issue } from '../../base/issue.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { RunOrder } from '../../engine/record/order.schema.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import { readTextValue } from '../../goals/ask/read-text.ts';
import { readRaise } from '../../runtime/load/read-raise.ts';
import type { ForkWish, RunWish } from '../wire.schema.ts';
import { checked, signatureOf, signed, text } from './signed.ts';

const budget: JsonObject = { type: 'object', additionalProperties: text };

/** The keys of each order, besides the signature. */
const shapes: Readonly<Record<RunWish['order'], Readonly<Record<string, JsonObject>>>> = {
  pause: {},
  resume: {},
  cancel: {},
  'raise-budget': { account: text, budget },
  'retry-step': { step: text },
  'resolve-step': { step: text, text },
};

const names = Object.keys(shapes) as readonly RunWish['order'][];

/** Checks only the shape; the engine decides whether the run accepts the order. Issues: INPUT_INVALID, and the issues of budgets. */
export function readWish(state: RunView, said: Json, served: string): Result<RunOrder> {
  const named = isJsonObject(said) ? names.find((name) => name === said.order) : undefined;
  if (named === undefined)
    return bad([issue('INPUT_INVALID', `order is none of ${names.join(', ')}`, { path: ['order'] })]);
  const parts = shapes[named];
  const properties = { order: text, ...signed, ...parts };
  const required = ['order', ...Object.keys(parts)];
  const read = checked<RunWish>({ type: 'object', required, properties, additionalProperties: false }, said);
  return read.ok ? orderOf(state, read.value, served) : read;
}

function orderOf(state: RunView, wish: RunWish, served: string): Result<RunOrder> {
  const signature = signatureOf(wish, served);
  switch (wish.order) {
    case 'pause':
    case 'resume':
    case 'cancel':
      return good({ type: wish.order, ...signature });
    case 'raise-budget': {
      const raise = readRaise(wish.budget);
      return raise.ok ? good({ type: wish.order, account: wish.account, ...raise.value, ...signature }) : raise;
    }
    case 'retry-step':
      return good({ type: wish.order, step: wish.step, ...signature });
    case 'resolve-step': {
      const value = readTextValue(wish.text, state.steps.get(wish.step)?.spec.output ?? {});
      if (value !== undefined) return good({ type: wish.order, step: wish.step, value, ...signature });
      return bad([issue('INPUT_INVALID', 'the result begins as JSON, and is none', { path: ['text'] })]);
    }
  }
}

const fork: JsonObject = {
  type: 'object',
  required: ['at'],
  properties: { ...signed, at: { type: 'integer' }, budget },
  additionalProperties: false,
};

/** Issues: INPUT_INVALID. */
export function readFork(said: Json): Result<ForkWish> {
  return checked<ForkWish>(fork, said);
}
