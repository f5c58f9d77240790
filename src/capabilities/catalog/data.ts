// data.transform, data.aggregate, data.validate and data.assert: compute with data that is already there.

import { pathText } from '../../base/issue.ts';
import { readContract } from '../../contract/contract.ts';
import { judgePredicate } from '../../lisp/judge-predicate.ts';
import { defineCapability } from '../capability.ts';
import { CapabilityError } from '../capability-error.ts';
import { errorOfLisp, lispOver, lispValue } from '../evaluate-lisp.ts';
import { aggregate, groupBySchema, groupsSchema, measuresSchema } from '../formats/aggregate.ts';

export const dataTransform = defineCapability({
  name: 'data.transform',
  description: 'Compute a value from data with a Lisp expression; data/input holds the data.',
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

export const dataAggregate = defineCapability({
  name: 'data.aggregate',
  description: 'Group a list of maps by fields and compute count, sum, avg, min or max per group.',
  input: {
    type: 'object',
    required: ['rows', 'measures'],
    additionalProperties: false,
    properties: {
      rows: { type: 'array', items: { type: 'object' } },
      group_by: groupBySchema,
      measures: measuresSchema,
    },
  },
  output: {
    type: 'object',
    required: ['groups', 'rows'],
    properties: { groups: groupsSchema, rows: { type: 'integer' } },
  },
  effects: ['pure'],
  tags: ['data'],
  cost: { seconds: 0.005 },
  repeat: 'safe',
  run({ rows, group_by = [], measures }) {
    return { groups: aggregate(rows, group_by, measures), rows: rows.length };
  },
});

const MOST_FINDINGS = 100;

export const dataValidate = defineCapability({
  name: 'data.validate',
  description: 'Check data against a JSON Schema or a signature, and list what does not fit.',
  input: {
    type: 'object',
    required: ['data', 'contract'],
    additionalProperties: false,
    properties: {
      data: { description: 'Any value.' },
      contract: {
        anyOf: [{ type: 'object' }, { type: 'string' }],
        description: 'A JSON Schema, or a signature: {total :float, tags [:string]}',
      },
    },
  },
  output: {
    type: 'object',
    required: ['valid', 'findings', 'count'],
    properties: {
      valid: { type: 'boolean' },
      findings: {
        type: 'array',
        description: `At most ${MOST_FINDINGS} findings.`,
        items: {
          type: 'object',
          required: ['path', 'message'],
          properties: { path: { type: 'string', description: 'orders[3].price' }, message: { type: 'string' } },
        },
      },
      count: { type: 'integer', description: 'Number of all findings.' },
    },
  },
  effects: ['pure'],
  tags: ['data'],
  cost: { seconds: 0.005 },
  repeat: 'safe',
  run({ data, contract }) {
    const read = readContract(contract);
    if (!read.ok) {
      const [first] = read.error;
      throw new CapabilityError(
        first?.code ?? 'CONTRACT_UNREADABLE',
        read.error.map(({ message }) => message).join('; '),
        {
          retry: 'never',
        },
      );
    }
    const checked = read.value.check(data);
    // A value that the contract would coerce does not fit it as it stands.
    const mended = checked.ok
      ? checked.coercions.map(({ path, from, to }) => ({ path, message: `is ${from}, not ${to}` }))
      : [];
    const findings = (checked.ok ? mended : checked.error).map(({ path, message }) => ({
      path: pathText(path),
      message,
    }));
    return { valid: findings.length === 0, findings: findings.slice(0, MOST_FINDINGS), count: findings.length };
  },
});

export const dataAssert = defineCapability({
  name: 'data.assert',
  description: 'Fail unless a Lisp expression is true for the data; data/input holds the data.',
  input: {
    type: 'object',
    required: ['that', 'data'],
    additionalProperties: false,
    properties: {
      that: {
        type: 'string',
        minLength: 1,
        description: '(pos? (:total data/input)); a text as its value is the reason for the failure.',
      },
      data: { description: 'Any value.' },
      message: { type: 'string', description: 'Message of the failure.' },
    },
  },
  output: { type: 'object', required: ['holds'], properties: { holds: { const: true } } },
  effects: ['pure'],
  tags: ['data'],
  cost: { seconds: 0.005 },
  repeat: 'safe',
  run({ that, data, message }) {
    const verdict = judgePredicate(lispOver(that, data));
    if ('error' in verdict) throw errorOfLisp(verdict.error);
    if (verdict.passed) return { holds: true };
    const why = message ?? verdict.diagnosis ?? `${that} does not hold`;
    throw new CapabilityError('ASSERTION_FAILED', why, { retry: 'never' });
  },
});
