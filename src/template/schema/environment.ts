// The schema of an environment: a named overlay that changes settings of a template, but never its graph.
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { agent } from '../keys/agent.ts';
import { type Key, unread } from '../keys/key.ts';
import { mapByName, words } from '../keys/kinds.ts';
import { embeddings, models } from '../keys/model.ts';
import { planner, repair } from '../keys/planning.ts';
import { stepProperties } from '../keys/step.ts';

/** Keys of a step that an environment may change. Names, dependencies and targets form the graph, which stays. */
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

/** The schemas of an environment and of its changes to a step. The `repeated` keys have the same schema as in the template. */
export function environmentSchemas(repeated: Readonly<Record<'context' | 'concurrency' | 'critic', Key>>): {
  readonly environment: JsonObject;
  readonly step_changes: JsonObject;
} {
  const changes = Object.entries(stepProperties).filter(([key]) => changeable.includes(key));
  const step_changes = mapOf('Changes to one step.', {
    ...Object.fromEntries(changes.map(([key, schema]) => [key, partly(schema)])),
    do: { $ref: '#/$defs/step_changes', description: 'Changes to the step that a fan_out runs for each item.' },
  });
  const environment = mapOf('Changes to the template, for runs in this environment.', {
    models: { ...models.schema, description: 'Model profiles by name: changes to a profile, or a new profile.' },
    embeddings: partly(embeddings.schema),
    planners: byName('Planners by name: changes to a planner, or a new planner.', partly(planner.schema)),
    agents: byName('Agents by name: changes to an agent, or a new agent.', partly(agent.schema)),
    budget: { $ref: '#/$defs/budget' },
    context: repeated.context.schema,
    constraints: words('Constraints for every planner, which replace those of the template.').schema,
    concurrency: repeated.concurrency.schema,
    critic: repeated.critic.schema,
    repair: { ...partly(repair.schema), description: 'Changes to the repair planner.' },
    steps: byName(
      `Steps by name, with changes to these keys: ${changeable.map((key) => `\`${key}\``).join(', ')}, and \`do\` with the same keys.`,
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

/** Removes required keys and conditions: an overlay may be partial, and only the merged document is checked as a whole. */
function partly({ required: _, allOf: __, properties, ...schema }: JsonObject): JsonObject {
  if (!isJsonObject(properties)) return schema;
  const inside = Object.entries(properties).map(([key, each]) => [key, isJsonObject(each) ? partly(each) : each]);
  return { ...schema, properties: Object.fromEntries(inside) };
}
