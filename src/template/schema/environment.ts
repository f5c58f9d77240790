// The schema of an environment, a named overlay of a template: it says how things are done otherwise, and never changes the graph.
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { map, openMap, type Properties, words } from './build.ts';
import { agentSchema, embeddingsSchema, modelsSchema } from './model.ts';
import { plannerSchema, repairSchema } from './planning.ts';
import { stepProperties } from './step.ts';

/** How a step is done. What it is called, what it waits for and where it leads is the graph. */
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

export const stepChangesSchema: JsonObject = map('What is otherwise on one step.', {
  ...Object.fromEntries(changeable.map((key) => [key, partly(stepProperties[key] ?? {})])),
  do: { $ref: '#/$defs/step_changes', description: 'What is otherwise on what a fan_out does for each item.' },
});

/** These are said as the template says them. */
export function environmentProperties(context: JsonObject, concurrency: JsonObject, critic: JsonObject): Properties {
  return {
    models: { ...modelsSchema, description: 'Model profiles, by name: what is otherwise of one, or one more.' },
    embeddings: partly(embeddingsSchema),
    planners: openMap('Planners, by name: what is otherwise of one, or one more.', partly(plannerSchema)),
    agents: openMap('Agents, by name: what is otherwise of one, or one more.', partly(agentSchema)),
    budget: { $ref: '#/$defs/budget' },
    context,
    constraints: words('Told to every planner, instead of what the template says.'),
    concurrency,
    critic,
    repair: { ...partly(repairSchema), description: "What is otherwise of the run's repair planner." },
    steps: openMap(
      `Steps, by name, each with what is otherwise on it: ${changeable.map((key) => `\`${key}\``).join(', ')}, and \`do\` with the same.`,
      { $ref: '#/$defs/step_changes' },
    ),
  };
}

/** Whatever is left out stays as the template says it; the two together are judged as a whole. */
function partly({ required: _, allOf: __, properties, ...schema }: JsonObject): JsonObject {
  if (!isJsonObject(properties)) return schema;
  const inside = Object.entries(properties).map(([key, each]) => [key, isJsonObject(each) ? partly(each) : each]);
  return { ...schema, properties: Object.fromEntries(inside) };
}
