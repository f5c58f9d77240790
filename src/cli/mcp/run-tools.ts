// The tools that each of our MCP servers has: a run's status, its result, and answers to its gates.
import type { JsonObject } from '../../base/json.ts';

export interface RunTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations: JsonObject;
}

const run = { type: 'string', description: "The run's id, or latest." };
const wait = { type: 'integer', minimum: 0, maximum: 600, description: 'Seconds to wait for its end; by default 0.' };
const readOnly = { readOnlyHint: true };

function tool(
  name: string,
  description: string,
  properties: JsonObject,
  required: readonly string[],
  annotations: JsonObject,
): RunTool {
  const inputSchema = { type: 'object', required, properties, additionalProperties: false };
  return { name, description, inputSchema, annotations };
}

export const runTools: readonly RunTool[] = [
  tool(
    'run_status',
    'Show the state of a run: its steps, its failures, its spending, and its open questions.',
    { run },
    ['run'],
    readOnly,
  ),
  tool(
    'run_result',
    'Show the result of a run: its output or its failure, or its open questions.',
    { run, wait_seconds: wait },
    ['run'],
    readOnly,
  ),
  tool(
    'review_gate',
    'Answer a question of a run, and continue it. Use it only for a person who has seen the question and decided.',
    {
      run,
      gate: { type: 'string', description: "The gate's id, from run_result." },
      verdict: {
        enum: ['approve', 'reject', 'answer', 'edit'],
        description: 'answer and edit need a value: the answer, or the edited plan.',
      },
      value: { description: "The answer, by the gate's contract, or the edited plan." },
      why: { type: 'string', description: 'The reason, kept with the run.' },
    },
    ['run', 'gate', 'verdict'],
    { readOnlyHint: false, destructiveHint: true },
  ),
];
