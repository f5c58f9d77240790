// What the shapes of events are made of.
import type { JsonObject } from '../../base/json.ts';

export const text = (description: string): JsonObject => ({ type: 'string', description });
export const count = (description: string): JsonObject => ({ type: 'integer', minimum: 0, description });
export const list = (description: string, items: JsonObject): JsonObject => ({ type: 'array', items, description });
export const marked = (description: string): JsonObject => ({ const: true, description });
export const named = (definition: string, description: string): JsonObject => ({
  $ref: `#/$defs/${definition}`,
  description,
});

export const step = text("The step's id.");
export const attempt = count('Counts from 1.');
export const gate = text('Its id: g1, g2, …');
export const expiry = (description: string): JsonObject => ({
  enum: ['approve', 'reject', 'fail', 'converge'],
  description,
});
export const bill = named('amount', 'What was used.');
export const failure = named('failure', 'Why.');
export const order = { by: text('Who ordered it.'), why: text('What they said about it.') };

export const exhaustion = {
  account: text('Whose.'),
  resource: text('Of what; time counts milliseconds, cost micro-dollars, planning_depth levels of nested planning.'),
  limit: count('The limit.'),
  spent: count('Used of it.'),
  reserved: count('Set aside of it.'),
  landing: count('Kept for the landing set.'),
  key: text('Where the limit is written.'),
};
export const exhaustionKeys = Object.keys(exhaustion);

/** A step that a plan brings. */
export const grafted: JsonObject = {
  type: 'object',
  required: ['id', 'spec', 'dependencies', 'depth'],
  properties: {
    id: step,
    spec: { type: 'object', description: 'The declaration, resolved.' },
    dependencies: list('Full ids.', { type: 'string' }),
    refs: { type: 'object', description: 'Full id of each name it uses.' },
    depth: count('Its place in the longest chain of the fragment.'),
    target: text('For a nested planning step.'),
  },
  additionalProperties: false,
};

export const intents: JsonObject = {
  type: 'object',
  description: 'What the goal came apart into, and how who does each part was found.',
  required: ['goal', 'strategy', 'shape', 'intents'],
};

/** Of another run. */
export const finishedWork: JsonObject = {
  type: 'object',
  required: ['run', 'step', 'capability', 'key', 'value'],
  properties: {
    run: text('The run that did it.'),
    step: text('Its step.'),
    capability: text('What was called.'),
    key: text('Digest of capability, input and contract.'),
    value: named('kept', 'What came of it.'),
  },
};

export interface EventShape {
  /** When it is written. */
  readonly says: string;
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, JsonObject>>;
}

/** The run whose step has started a run. */
export const parent: JsonObject = {
  type: 'object',
  description: 'The run whose step has started this one.',
  required: ['run', 'step', 'key'],
  properties: {
    run: text('Its id.'),
    step: text('The step.'),
    key: text('The idempotency key of that call; those of calls that change the world begin with it.'),
  },
  additionalProperties: false,
};
