// The answer schema of a planning model: a subset of the fragment schema that is small enough for any provider.
import type { AnswerShape } from '../../model/request.ts';
import type { Brief } from '../../planning/brief.ts';
import { narrowPlanSchema } from './narrow-shape.ts';

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const open = { type: 'object' };

/** The keys that the prompt tells of a step, and no others. */
const step = {
  type: 'object',
  required: ['name'],
  properties: {
    name: text,
    type: { enum: ['task', 'compute', 'fan_out', 'synthesis_gate', 'human_review', 'planning'] },
    description: text,
    capability: text,
    agent: text,
    input: open,
    depends_on: texts,
    output: text,
    verification: text,
    on_verification_failure: { enum: ['stop', 'retry', 'replan'] },
    on_failure: { enum: ['stop', 'skip', 'retry', 'replan'] },
    expr: text,
    for_each: {},
    max_width: { type: 'integer' },
    do: open,
    prompt: text,
    goal: text,
  },
};

const agent = {
  type: 'object',
  required: ['prompt'],
  properties: { prompt: text, tools: texts, output: text },
};

const look = {
  type: 'array',
  items: { type: 'object', properties: { result: text, path: text, capability: text } },
};

const properties = {
  rationale: text,
  steps: { type: 'array', items: step },
  agents: { type: 'object', additionalProperties: agent },
  look,
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
