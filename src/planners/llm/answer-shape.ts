// The answer schema of a planning model: a subset of the fragment schema that is small enough for any provider.
import type { AnswerShape } from '../../model/request.ts';
import type { Brief } from '../../planning/brief.ts';
import { narrowPlanSchema } from './narrow-shape.ts';

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const recovery = { enum: ['stop', 'skip', 'retry', 'replan'] };
const open = { type: 'object' };

const step = {
  type: 'object',
  required: ['name'],
  properties: {
    name: text,
    type: {
      enum: ['task', 'compute', 'planning', 'decision', 'fan_out', 'synthesis_gate', 'human_review', 'deferred'],
    },
    description: text,
    capability: text,
    agent: text,
    input: open,
    depends_on: texts,
    output: open,
    when: text,
    expr: text,
    verification: text,
    on_verification_failure: recovery,
    on_failure: recovery,
    critical: { type: 'boolean' },
    goal: text,
    convergence_target: text,
    for_each: {},
    max_width: { type: 'integer' },
    batch_size: { type: 'integer' },
    do: open,
    branches: texts,
    choose: text,
    prompt: text,
    decision: open,
  },
};

const properties = {
  rationale: text,
  steps: { type: 'array', items: step },
  agents: { type: 'object', additionalProperties: { type: 'object', required: ['prompt'] } },
  needs: {
    type: 'array',
    items: { type: 'object', required: ['step'], properties: { step: text, path: text, as: text } },
  },
  impossible: text,
  needs_clarification: { type: 'object', required: ['question'], properties: { question: text } },
};

const own = {
  type: 'object',
  required: ['name', 'input', 'output', 'lisp'],
  properties: { name: text, description: text, input: open, output: open, lisp: text },
};

const plain = { type: 'object', properties };
const writing = { type: 'object', properties: { ...properties, capabilities: { type: 'array', items: own } } };

/** With `writesCapabilities`, plans may contain pure capabilities of their own. */
export function planShape(brief: Brief, writesCapabilities = false): AnswerShape {
  return {
    name: 'fragment',
    schema: writesCapabilities ? writing : plain,
    narrow: narrowPlanSchema(brief, writesCapabilities),
  };
}
