// The tools that each of our MCP servers has: a run's status, its result, and answers to its gates.
import type { JsonObject } from '../../base/json.ts';

export interface ServedTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations: JsonObject;
}

const run = { type: 'string', description: "The run's id, or latest." };
const wait = { type: 'integer', minimum: 0, maximum: 600, description: 'Seconds to wait for it; none unless given.' };
const readOnly = { readOnlyHint: true };

function tool(
  name: string,
  description: string,
  properties: JsonObject,
  required: readonly string[],
  annotations: JsonObject,
): ServedTool {
  const inputSchema = { type: 'object', required, properties, additionalProperties: false };
  return { name, description, inputSchema, annotations };
}

export const runTools: readonly ServedTool[] = [
  tool(
    'run_status',
    'How a run stands: its steps, what failed and why, what it has spent, and what people are asked.',
    { run },
    ['run'],
    readOnly,
  ),
  tool(
    'run_result',
    'What a run came to, once it has: its output or its failure, or what people are asked.',
    { run, wait_seconds: wait },
    ['run'],
    readOnly,
  ),
  tool(
    'review_gate',
    'Answer what a run asks people, and go on with it. Only for a person who has seen the question and decided.',
    {
      run,
      gate: { type: 'string', description: "The gate's id, as run_result tells it." },
      verdict: {
        enum: ['approve', 'reject', 'answer', 'edit'],
        description: 'answer and edit carry a value: what is asked for, or a plan in place of the one shown.',
      },
      value: { description: "What the gate's decision takes." },
      why: { type: 'string', description: 'The reason, kept with the run.' },
    },
    ['run', 'gate', 'verdict'],
    { readOnlyHint: false, destructiveHint: true },
  ),
];
