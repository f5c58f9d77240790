// The schema of a run's events, held to what runs write by test.
import type { JsonObject } from '../../base/json.ts';
import { eventShapes } from './event-shapes.ts';
import { count, exhaustion, exhaustionKeys, list, text } from './shape-words.ts';

const kept: JsonObject = {
  description: 'A value: in place when it is small, by digest of its JSON when it is large.',
  oneOf: [
    { type: 'object', required: ['value'], properties: { value: {} }, additionalProperties: false },
    {
      type: 'object',
      required: ['digest', 'bytes'],
      properties: { digest: { type: 'string' }, bytes: { type: 'integer' } },
      additionalProperties: false,
    },
  ],
};

const resources = ['phases', 'steps', 'llm_calls', 'tokens_in', 'tokens_out', 'cost_usd', 'tool_calls', 'replans'];

/** JSON Schema 2020-12 of one event with its type. */
export const eventSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Reconverge event',
  description: 'A fact in the journal of a run.',
  oneOf: Object.entries(eventShapes).map(([type, { says, required, properties }]) => ({
    type: 'object',
    description: says,
    required: ['type', ...required],
    properties: { type: { const: type }, ...properties },
    additionalProperties: false,
  })),
  $defs: {
    kept,
    amount: {
      type: 'object',
      description: 'Whole numbers by resource; cost in micro-dollars.',
      properties: Object.fromEntries(resources.map((resource) => [resource, { type: 'integer', minimum: 0 }])),
      additionalProperties: false,
    },
    failure: {
      type: 'object',
      required: ['code', 'message', 'retry'],
      properties: {
        code: text('A row of docs/errors.md.'),
        message: text('One sentence.'),
        retry: { enum: ['may', 'never'] },
        retryAfter: count('Milliseconds.'),
        fate: { enum: ['refused', 'unknown'], description: 'Whether the call was carried out; absent: it was tried.' },
        cause: { $ref: '#/$defs/failure' },
        issues: { type: 'array', items: { $ref: '#/$defs/issue' } },
      },
      additionalProperties: false,
    },
    issue: {
      type: 'object',
      required: ['code', 'severity', 'message', 'path'],
      properties: {
        code: text('A row of docs/errors.md.'),
        severity: { enum: ['error', 'warning', 'info'] },
        message: text('One sentence.'),
        path: { type: 'array', items: { type: ['string', 'integer'] } },
        place: { type: 'object' },
        hint: text('How to mend it.'),
      },
      additionalProperties: false,
    },
    exhaustion: { type: 'object', required: exhaustionKeys, properties: exhaustion, additionalProperties: false },
    convergence: {
      type: 'object',
      required: ['expected', 'succeeded', 'failed', 'skipped', 'partial', 'reason', 'by_phase'],
      properties: {
        expected: count('Branches that count.'),
        succeeded: count('Of them.'),
        failed: list('Each with its root cause; items of fan-outs with the name of their fan-out under `of`.', {
          type: 'object',
          required: ['step', 'root', 'code', 'message'],
        }),
        tolerated: list('Each with its code and message; absent in journals of earlier versions.', {
          type: 'object',
          required: ['step', 'code', 'message'],
        }),
        skipped: list('Each with its reason.', { type: 'object', required: ['step', 'reason'] }),
        partial: { type: 'boolean' },
        reason: { enum: ['empty', 'all_success', 'all_settled', 'quorum', 'budget', 'unmet'] },
        by_phase: { type: 'object' },
      },
      additionalProperties: false,
    },
  },
};
