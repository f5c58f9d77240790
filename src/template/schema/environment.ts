// The schema of an environment, a named overlay of a template: it says how things are done otherwise, and never changes the graph.
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { agent } from '../keys/agent.ts';
import { type Key, unread } from '../keys/key.ts';
import { mapByName, words } from '../keys/kinds.ts';
import { embeddings, models } from '../keys/model.ts';
import { planner, repair } from '../keys/planning.ts';
import { stepProperties } from '../keys/step.ts';

/** Keys that change how a step is done; its name, dependencies and targets are the graph, which stays. */
const changeable = [
  'handler',
  'capability',
  'tool',
  'agent',
  'input',
  'verification',
  'on_verification_failure',
  'judge',
  'on_failure',
  'retry',
  'max_retries',
  'critical',
  'timeout',
  'approval',
  'concurrency_key',
  'budget',
  'fresh',
  'max_deliveries',
  'max_clarifications',
  'context',
  'batch_size',
  'max_width',
  'failure_strategy',
  'prompt',
  'expires_in',
  'on_expiry',
  'planner',
  'goal',
  'allow',
  'deny',
  'constraints',
  'max_attempts',
  'replan',
  'needs',
  'plan_review',
];

/** Schemas of an environment and of its changes to a step; it takes `repeated` keys as the template does. */
export function environmentSchemas(repeated: Readonly<Record<'context' | 'concurrency' | 'critic', Key>>): {
  readonly environment: JsonObject;
  readonly step_changes: JsonObject;
} {
  const changes = Object.entries(stepProperties).filter(([key]) => changeable.includes(key));
  const step_changes = mapOf('What is otherwise on one step.', {
    ...Object.fromEntries(changes.map(([key, schema]) => [key, partly(schema)])),
    do: { $ref: '#/$defs/step_changes', description: 'What is otherwise on what a fan_out does for each item.' },
  });
  const environment = mapOf('How things are done otherwise, for runs that name this environment.', {
    models: { ...models.schema, description: 'Model profiles, by name: what is otherwise of one, or one more.' },
    embeddings: partly(embeddings.schema),
    planners: byName('Planners, by name: what is otherwise of one, or one more.', partly(planner.schema)),
    agents: byName('Agents, by name: what is otherwise of one, or one more.', partly(agent.schema)),
    budget: { $ref: '#/$defs/budget' },
    context: repeated.context.schema,
    constraints: words('Told to every planner, instead of what the template says.').schema,
    concurrency: repeated.concurrency.schema,
    critic: repeated.critic.schema,
    repair: { ...partly(repair.schema), description: "What is otherwise of the run's repair planner." },
    steps: byName(
      `Steps, by name, each with what is otherwise on it: ${changeable.map((key) => `\`${key}\``).join(', ')}, and \`do\` with the same.`,
      { $ref: '#/$defs/step_changes' },
    ),
  });
  return { environment, step_changes };
}

function mapOf(description: string, properties: JsonObject): JsonObject {
  return { type: 'object', description, properties, additionalProperties: false };
}

function byName(description: string, each: JsonObject): JsonObject {
  return mapByName(description, unread(each)).schema;
}

/** Drops demands on missing keys: an overlay may be partial, and only the merged document is checked as a whole. */
function partly({ required: _, allOf: __, properties, ...schema }: JsonObject): JsonObject {
  if (!isJsonObject(properties)) return schema;
  const inside = Object.entries(properties).map(([key, each]) => [key, isJsonObject(each) ? partly(each) : each]);
  return { ...schema, properties: Object.fromEntries(inside) };
}
