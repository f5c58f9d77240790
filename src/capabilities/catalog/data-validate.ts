// data.validate: whether data fits a contract, and where it does not.
import { pathText } from '../../base/issue.ts';
import { readContract } from '../../contract/contract.ts';
import { defineCapability } from '../capability.ts';
import { CapabilityError } from '../capability-error.ts';

const MOST_FINDINGS = 100;

export const dataValidate = defineCapability({
  name: 'data.validate',
  description: 'Check data against a JSON Schema or a signature, and tell where it does not fit.',
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
        description: `At most ${MOST_FINDINGS}.`,
        items: {
          type: 'object',
          required: ['path', 'message'],
          properties: { path: { type: 'string', description: 'orders[3].price' }, message: { type: 'string' } },
        },
      },
      count: { type: 'integer', description: 'Findings in all.' },
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
    // What a contract would mend on its way in is not what was asked to be valid.
    const mended = checked.ok
      ? checked.coercions.map(({ path, from, to }) => ({ path, message: `is ${from}, not ${to}` }))
      : [];
    const findings = (checked.ok ? mended : checked.findings).map(({ path, message }) => ({
      path: pathText(path),
      message,
    }));
    return { valid: findings.length === 0, findings: findings.slice(0, MOST_FINDINGS), count: findings.length };
  },
});
