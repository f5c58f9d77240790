// The narrow answer schema of a planning call: the granted names, and the arguments of each capability by its contract.
import type { JsonObject } from '../../base/json.ts';
import { grammarSchema } from '../../contract/grammar-schema.ts';
import type { CapabilityLine } from '../../goals/capability-lines.ts';
import { nearestToAny, partsOfGoal } from '../../goals/match/nearest-capabilities.ts';
import type { Brief } from '../../planning/brief.ts';

/** The characters for calls of capabilities with their arguments; further capabilities take any object. */
const ALLOWANCE = 8_000;
/** Grammars repeat the rule of a step this often. */
const MOST_COUNTED = 50;

const name = { $ref: '#/$defs/name' };
const reference = { $ref: '#/$defs/reference' };
/** Any granted capability. */
const capability = { $ref: '#/$defs/capability' };
/** Small models repeat themselves without an end, which would cost the whole plan. */
const sentence = { type: 'string', maxLength: 500 };
const text = { type: 'string' };
const open: JsonObject = { type: 'object' };
/** The output of an agent; choices of texts are left out. */
const signature = { type: 'string', pattern: '^(:|\\[|\\{[a-z*])[A-Za-z0-9_ :,.?*|{}\\[\\]-]*$' };
const agentKeys = { input: open, output: signature };

/** Keys that any step may have after its own. Each is a reference, because every variant of a step repeats them. */
const common = Object.fromEntries(
  ['description', 'depends_on', 'verification', 'on_verification_failure', 'on_failure'].map((key) => [
    key,
    { $ref: `#/$defs/${key}` },
  ]),
);

const shared = {
  // Letters, digits and the marks of step ids and paths, so that a grammar cannot lose itself in a reference.
  reference: { type: 'string', pattern: '^\\{\\{ [A-Za-z0-9_.#/-]+ \\}\\}$' },
  name: { type: 'string', pattern: '^[a-z][a-z0-9_]*$' },
  description: sentence,
  depends_on: { type: 'array', items: name },
  verification: text,
  on_verification_failure: { enum: ['stop', 'retry', 'replan'] },
  on_failure: { enum: ['stop', 'skip', 'retry', 'replan'] },
};

/**
 * A schema for servers that generate under a grammar: a plan that fits names only what is granted, and calls it with
 * arguments of its contract. Keys stand in the order in which models should write them.
 */
export function narrowPlanSchema(brief: Brief, writesCapabilities: boolean): JsonObject {
  const { capabilities, agents = [], bounds } = brief;
  const all = capabilities.map((each) => each.name);
  const agentNames = [...new Set(['default', ...agents.map((each) => each.name)])];
  const known = { $ref: '#/$defs/step' };
  const stepsOf = (...variants: readonly JsonObject[]): JsonObject => ({
    type: 'array',
    items: { anyOf: [known, ...variants] },
    ...(bounds.max_fragment_steps <= MOST_COUNTED ? { maxItems: bounds.max_fragment_steps } : {}),
  });
  // A plan names its own agents and capabilities before its steps, whose names may then be any.
  const withOwn = stepsOf(
    agentStep(name),
    ...(writesCapabilities ? [step({ name, capability: text }, { input: open })] : []),
  );
  const forms = [
    form({ rationale: sentence, steps: stepsOf(agentStep(oneOf(agentNames))) }),
    form(
      { rationale: sentence, agents: ownAgents(all.length > 0), steps: withOwn },
      writesCapabilities ? { capabilities: ownCapabilities } : {},
    ),
    ...(writesCapabilities ? [form({ rationale: sentence, capabilities: ownCapabilities, steps: withOwn })] : []),
    form({ look }),
    form({ impossible: sentence }),
    form({ needs_clarification: form({ question: sentence }) }),
  ];
  const steps = { anyOf: [...callSteps(brief), ...typedSteps(all.length > 0, agentNames, bounds)] };
  return { anyOf: forms, $defs: { ...shared, step: steps, ...(all.length === 0 ? {} : { capability: oneOf(all) }) } };
}

const look = {
  type: 'array',
  minItems: 1,
  items: { anyOf: [form({ result: text }, { path: text }), form({ capability: text })] },
};

const ownCapabilities = {
  type: 'array',
  minItems: 1,
  items: form({ name: sentence, description: sentence, input: open, output: open, lisp: text }),
};

function ownAgents(hasCapabilities: boolean): JsonObject {
  const tools = { type: 'array', items: capability };
  const agent = form({ prompt: text }, { ...(hasCapabilities ? { tools } : {}), output: signature });
  return { type: 'object', additionalProperties: agent };
}

function agentStep(agent: JsonObject): JsonObject {
  return step({ name, agent, description: text }, agentKeys);
}

function typedSteps(
  hasCapabilities: boolean,
  agents: readonly string[],
  bounds: Brief['bounds'],
): readonly JsonObject[] {
  const works = [
    ...(hasCapabilities ? [form({ capability }, { input: open })] : []),
    form({ agent: oneOf(agents), description: text }, agentKeys),
    form({ type: oneOf(['compute']), expr: text }),
  ];
  const items = { anyOf: [text, { type: 'array' }] };
  const width = { type: 'integer', minimum: 1, maximum: bounds.max_fan_out };
  const typed = (type: string, own: JsonObject = {}): JsonObject => step({ name, type: oneOf([type]), ...own });
  return [
    typed('compute', { expr: text }),
    ...(bounds.max_fan_out > 0 ? [typed('fan_out', { for_each: items, max_width: width, do: { anyOf: works } })] : []),
    typed('synthesis_gate'),
    typed('human_review', { prompt: text }),
    ...(bounds.max_planning_depth > 0 ? [typed('planning', { goal: text })] : []),
  ];
}

function step(own: JsonObject, optional: JsonObject = {}): JsonObject {
  return form(own, { ...optional, ...common, ...own });
}

/** A closed object; its required keys come first. */
function form(required: JsonObject, optional: JsonObject = {}): JsonObject {
  const properties = { ...required, ...optional };
  return { type: 'object', properties, required: Object.keys(required), additionalProperties: false };
}

function oneOf(values: readonly string[]): JsonObject {
  return { enum: values };
}

/** Calls with the arguments of the capabilities that are nearest to the goal, within the allowance; one call of the others. */
function callSteps({ capabilities, goal = '' }: Brief): readonly JsonObject[] {
  const steps = new Map(capabilities.map((each) => [each.name, callStep(each)]));
  const sizes = new Map([...steps].map(([each, schema]) => [each, JSON.stringify(schema).length]));
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const nearest = total <= ALLOWANCE ? [] : nearestToAny(partsOfGoal(goal), capabilities);
  const kept = new Map<string, JsonObject>();
  let left = ALLOWANCE;
  for (const each of new Set([...nearest, ...steps.keys()])) {
    const [schema, size = 0] = [steps.get(each), sizes.get(each)];
    if (schema === undefined || size > left) continue;
    left -= size;
    kept.set(each, schema);
  }
  const rest = [...steps.keys()].filter((each) => !kept.has(each));
  return [...kept.values(), ...(rest.length === 0 ? [] : [step({ name, capability: oneOf(rest) }, { input: open })])];
}

function callStep({ name: called, input: contract }: CapabilityLine): JsonObject {
  const input = contract === undefined ? open : grammarSchema(contract, reference);
  const own = { name, capability: oneOf([called]) };
  const isRequired = Array.isArray(input.required) && input.required.length > 0;
  return isRequired ? step({ ...own, input }) : step(own, { input });
}
