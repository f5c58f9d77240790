// data.assert: fails unless an expression holds of data.
import { judgePredicate } from '../../lisp/judge-predicate.ts';
import { defineCapability } from '../capability.ts';
import { CapabilityError } from '../capability-error.ts';
import { lispOver, lispTrouble } from '../lisp-over.ts';

export const dataAssert = defineCapability({
  name: 'data.assert',
  description: 'Fail unless a Lisp expression holds of data, in which data/input is the data.',
  input: {
    type: 'object',
    required: ['that', 'data'],
    additionalProperties: false,
    properties: {
      that: {
        type: 'string',
        minLength: 1,
        description: '(pos? (:total data/input)); a text it answers says why not.',
      },
      data: { description: 'Any value.' },
      message: { type: 'string', description: 'Why it has to hold: what the failure says.' },
    },
  },
  output: { type: 'object', required: ['holds'], properties: { holds: { const: true } } },
  effects: ['pure'],
  tags: ['data'],
  cost: { seconds: 0.005 },
  repeat: 'safe',
  run({ that, data, message }) {
    const verdict = judgePredicate(lispOver(that, data));
    if ('error' in verdict) throw lispTrouble(verdict.error);
    if (verdict.passed) return { holds: true };
    const why = message ?? verdict.diagnosis ?? `${that} does not hold`;
    throw new CapabilityError('ASSERTION_FAILED', why, { retry: 'never' });
  },
});
