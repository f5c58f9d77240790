// data.transform: computes a value from data with a Lisp expression.
import { defineCapability } from '../capability.ts';
import { lispValue } from '../lisp-over.ts';

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
    return lispValue(expr, data);
  },
});
