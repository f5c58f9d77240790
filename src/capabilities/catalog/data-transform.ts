// data.transform: computes a value from data with a Lisp expression.
import { toJson } from '../../lisp/to-json.ts';
import { defineCapability } from '../capability.ts';
import { CapabilityError } from '../capability-error.ts';
import { lispOver, lispTrouble } from '../lisp-over.ts';

export const dataTransform = defineCapability({
  name: 'data.transform',
  description: 'Compute a value from data with a Lisp expression, in which data/input is the data.',
  input: {
    type: 'object',
    required: ['expr', 'data'],
    additionalProperties: false,
    properties: {
      expr: { type: 'string', minLength: 1, description: '(sum-by :total data/input)' },
      data: { description: 'Any value.' },
    },
  },
  effects: ['pure'],
  tags: ['data'],
  cost: { seconds: 0.005 },
  repeat: 'safe',
  run({ expr, data }) {
    const outcome = lispOver(expr, data);
    if (!outcome.ok) throw lispTrouble(outcome.error);
    const answer = toJson(outcome.value);
    if (!answer.ok) throw new CapabilityError(answer.code, answer.message, { retry: 'never' });
    return answer.value;
  },
});
