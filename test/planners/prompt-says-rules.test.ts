// No plan is refused for a rule that the prompt does not state: each issue code of the review, and where the prompt states it.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { planShape } from '../../src/planners/llm/answer-shape.ts';
import { requestText } from '../../src/planners/llm/planning-message.ts';
import { systemForBrief } from '../../src/planners/llm/planning-system.ts';
import type { Brief } from '../../src/planning/brief.ts';
import { stepProperties } from '../../src/template/keys/step.ts';
import { root } from '../sources.ts';
import { brief } from './given-brief.ts';

/** The modules that read and review a fragment; their imports hold all checks. */
const entries = ['src/planning/read-fragment.ts', 'src/planning/review.ts', 'src/planning/judge-reply.ts'];

/** All codes of issues in the modules that an entry imports. */
function codesOf(files: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const codes = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file) || !existsSync(file)) return;
    seen.add(file);
    const text = readFileSync(file, 'utf8');
    for (const [, code = ''] of text.matchAll(/'([A-Z]{2,}(?:_[A-Z]+)+)'/g)) codes.add(code);
    for (const [, path = ''] of text.matchAll(/(?:from|import) '(\.[^']+)'/g)) visit(join(dirname(file), path));
  };
  for (const file of files) visit(join(root, file));
  return codes;
}

/** The key of a step with which the prompt has nothing to do: "Use these keys only." forbids it. */
interface ByKey {
  readonly key: string;
}

/** A code that no fragment of a model gets, with the reason. */
interface Never {
  readonly never: string;
}

const SAYS = {
  json: 'Answer with one JSON object',
  shape: 'type Step = { name: string, description?: string',
  keys: 'Use these keys only.',
  listed: 'Name only listed capabilities and agents.',
  names: 'Step names are unique, in lower_snake_case.',
  signature: 'Signature: (path, take :int?) -> {rows [:map]}.',
  input: '"input" holds these parameters and no others.',
  reference: '"{{ results.step.field }}" is a result of your own step, or of an id in the packet',
  lisp: 'Lisp: one Clojure expression over data/input',
  changes: '"!" marks what changes something: call it only if the goal asks for it.',
  nesting: 'planning steps: none.',
  contract: 'contracts with their limits',
} as const;

const template = 'a check of templates, in a module that the review imports';
const written = 'capabilities": [{"name": "own.total"';

/** Where the prompt states the rule behind each code: its words, or a key that a fragment may not have. */
const where: Readonly<Record<string, string | ByKey | Never>> = {
  AGENT_AND_HANDLER: '| { agent: string, description: string, input?: object } & Check',
  AGENT_TOOLS_MISSING: 'An agent without tools only thinks and writes: it changes nothing',
  AGENT_UNKNOWN: SAYS.listed,
  APPROVAL_WITHOUT_CALL: { key: 'approval' },
  ARGUMENT_UNEXPECTED: 'input?: object',
  BRANCHES_MIXED: { key: 'branches' },
  BRANCH_NOT_DEPENDENT: { key: 'branches' },
  BRANCH_UNKNOWN: { key: 'branches' },
  BUDGET_BELOW_TEMPLATE: { never: template },
  BUDGET_EXCEEDED: 'A call uses a tool_call and what stands in [], an agent an llm_call; retries count.',
  BUDGET_OVER_PARENT: { key: 'budget' },
  CALL_NAME_UNKNOWN: SAYS.json,
  CALL_SYNTAX: SAYS.json,
  CAPABILITY_DUPLICATE: 'under a new name',
  CAPABILITY_UNKNOWN: { never: template },
  CONTRACT_ANNOTATION_INVALID: written,
  CONTRACT_DIALECT_UNSUPPORTED: written,
  CONTRACT_FORMAT_UNKNOWN: written,
  CONTRACT_KEYWORD_INVALID: written,
  CONTRACT_KEYWORD_UNSUPPORTED: written,
  CONTRACT_MISMATCH: SAYS.contract,
  CONTRACT_PATTERN_INVALID: written,
  CONTRACT_RANGE_EMPTY: written,
  CONTRACT_REFERENCE_LOOP: written,
  CONTRACT_REFERENCE_UNKNOWN: written,
  CONTRACT_TOO_DEEP: written,
  CONTRACT_UNREADABLE: 'output?: Signature',
  CONVERGENCE_TARGET_MISSING: { key: 'convergence_target' },
  CONVERGENCE_TARGET_NOT_DEPENDENT: { key: 'convergence_target' },
  CONVERGENCE_TARGET_UNKNOWN: { key: 'convergence_target' },
  CONVERGENCE_TARGET_UPSTREAM: { key: 'convergence_target' },
  CONVERGENCE_UNSATISFIABLE: 'The plan ends at finalize, with at least 2 last steps.',
  CRITIC_CALL_REPEATED: 'Make no call twice.',
  CRITIC_DESTRUCTIVE: SAYS.changes,
  CRITIC_DISCONNECTED_FLOW: 'Refer to data, never copy it.',
  CRITIC_GOAL_UNCOVERED: 'Say in the steps what the goal names.',
  CRITIC_MISSING_GATE: 'Gather three or more results that come at once in one synthesis_gate.',
  CRITIC_OPTIMISM_BIAS: 'Give network calls "on_failure": "retry".',
  CRITIC_PARALLEL_EXPLOSION: '10 at once or as max_width',
  CRITIC_QUESTION_VAGUE: '{ type: "human_review", prompt: string } // a whole question',
  CRITIC_RULED_OUT: SAYS.changes,
  CRITIC_WRITES_FOR_READ_GOAL: SAYS.changes,
  DECISION_UNDECIDED: { key: 'choose' },
  DEPENDENCY_SELF: 'never in a circle',
  DEPENDENCY_UNKNOWN: '"depends_on" takes the same names',
  EFFECT_DENIED: SAYS.listed,
  EFFECT_NOT_APPROVED: { key: 'planner' },
  FALLBACK_CIRCULAR: { never: template },
  FAN_OUT_STEP_INVALID: 'do: a call, agent or compute for each {{ item }}',
  FAN_OUT_TOO_WIDE: 'max_width is at least the number of items',
  FRAGMENT_CAPABILITY_DENIED: SAYS.listed,
  FRAGMENT_KEY_RESERVED: { key: 'replan' },
  FRAGMENT_TIMEOUT_TOO_LONG: { key: 'timeout' },
  FRAGMENT_TOO_DEEP: '3 in a row',
  FRAGMENT_TOO_MANY_ATTEMPTS: { key: 'retry' },
  FRAGMENT_TOO_MANY_STEPS: 'At most 12 steps',
  FRAGMENT_TOO_WIDE: '10 at once or as max_width',
  FRAGMENT_UNKNOWN_CAPABILITY: SAYS.listed,
  FRAGMENT_UNREADABLE: SAYS.json,
  GOAL_SENSITIVE: 'References stand only in input, for_each or prompt',
  GRAFT_CYCLE: 'never in a circle',
  HTTP_HOST_INVALID: { never: template },
  INPUT_MISSING_KEY: SAYS.input,
  INPUT_UNKNOWN_KEY: SAYS.input,
  ISOLATION_INVALID: { never: template },
  LISP_ARITHMETIC: SAYS.lisp,
  LISP_ARITY: SAYS.lisp,
  LISP_FAILED: { never: 'an error of a running program' },
  LISP_FORM: SAYS.lisp,
  LISP_LIMIT: SAYS.lisp,
  LISP_OUT_OF_FUEL: SAYS.lisp,
  LISP_PARSE: SAYS.lisp,
  LISP_PATH_UNKNOWN: 'reads only fields of the signature',
  LISP_PREDICATE_CERTAIN: 'A verification must be able to fail',
  LISP_PREDICATE_HARDCODED: 'repeats no value of the input',
  LISP_PREDICATE_TEXT: 'gives true or a text that says what is wrong',
  LISP_TYPE: SAYS.lisp,
  LISP_UNBOUND: SAYS.lisp,
  MCP_SERVER_DUPLICATE: { never: template },
  MODEL_KEY_UNUSED: { never: template },
  MODEL_MODULE_MISSING: { never: template },
  MODEL_MODULE_UNUSED: { never: template },
  MODEL_NOT_CONFIGURED: { never: 'the planner itself asks a model' },
  MODEL_OPTIONS_INVALID: { never: template },
  MODEL_UNKNOWN: 'type Agent = { prompt: string, tools?: string[], output?: Signature }',
  MODEL_UNPRICED: { never: template },
  NEEDS_SERVED: { key: 'needs' },
  NEED_NOT_BEFORE: { key: 'needs' },
  NEED_UNKNOWN: { key: 'needs' },
  NUMBER_INEXACT: SAYS.json,
  PLANNER_UNKNOWN: { key: 'planner' },
  PLANNING_DEPENDENT_NOT_TARGET: 'no step depends on them',
  PLANNING_KEY_IDLE: '| { type: "planning", goal: string } ) // plans later',
  PLANNING_TOO_DEEP: SAYS.nesting,
  PLANNING_WHILE_CONVERGING: SAYS.nesting,
  PLAN_NO_PROGRESS: 'Planning steps have a smaller goal',
  REFERENCE_FOREIGN: SAYS.reference,
  REFERENCE_MALFORMED: SAYS.reference,
  REFERENCE_NOT_ALLOWED: 'References stand only in input, for_each or prompt',
  REFERENCE_PATH_UNKNOWN: 'name fields of the signature',
  REFERENCE_UNKNOWN: SAYS.reference,
  REPLAN_REPEATS_FAILURE: '# What failed: plan it anew, in another way',
  RETRY_CONTRADICTED: { key: 'retry' },
  SHAPE_KEY_MISPLACED: SAYS.shape,
  SHAPE_KEY_REPEATED: SAYS.keys,
  SHAPE_MISSING_KEY: SAYS.shape,
  SHAPE_UNKNOWN_KEY: SAYS.keys,
  SHAPE_WRONG_TYPE: SAYS.shape,
  SHAPE_WRONG_VALUE: SAYS.names,
  SIGNATURE_SYNTAX: SAYS.signature,
  SOURCE_TOO_DEEP: SAYS.json,
  SOURCE_TOO_LARGE: SAYS.json,
  STEP_NAME_REPEATED: SAYS.names,
  SYNTHESIS_NAME_TAKEN: 'under a new name',
  SYNTHESIS_NOT_ALLOWED: SAYS.keys,
  SYNTHESIS_TOLERATED: '| { type: "synthesis_gate" }\n',
  TEMPLATE_FOREIGN: { never: template },
  VERIFICATION_FAILED: { never: template },
};

const repair = { scope: 'tail', trial: 1, failed: [], trials: [] } as unknown as NonNullable<Brief['repair']>;
const given: Brief = {
  ...brief,
  ...{ repair, ends: 2, budget: { steps: 12, llm_calls: 5 } },
  bounds: { ...brief.bounds, max_planning_depth: 0 },
};
const prompt = `${systemForBrief(given, true).prompt.text}\n${requestText(given, new Set())}`;

describe('each issue that a fragment of a model can get', () => {
  const codes = codesOf(entries);

  it('is one of the table below', () => {
    expect([...codes].filter((code) => !Object.hasOwn(where, code))).toEqual([]);
    expect(Object.keys(where).filter((code) => !codes.has(code))).toEqual([]);
    expect(codes.size).toBeGreaterThan(90);
  });

  it.each(Object.entries(where))('%s follows from a rule of the prompt', (_, place) => {
    if (typeof place === 'string') expect(prompt).toContain(place);
    else if ('never' in place) expect(place.never).not.toBe('');
    else {
      expect(stepProperties).toHaveProperty(place.key);
      expect(keysTold()).not.toContain(place.key);
    }
  });
});

describe('the type in the prompt', () => {
  it('has the same keys as the schema of the answer', () => {
    const { schema } = planShape(given);
    const step = at(schema, 'properties', 'steps', 'items', 'properties');
    const agent = at(schema, 'properties', 'agents', 'additionalProperties', 'properties');
    expect(keysTold()).toEqual(new Set([...Object.keys(step), ...Object.keys(agent)]));
  });

  it('has only keys that a step of a template has too', () => {
    const agent = new Set(['tools', 'prompt', 'output']);
    expect([...keysTold()].filter((key) => !Object.hasOwn(stepProperties, key) && !agent.has(key))).toEqual([]);
  });
});

/** The keys in the types `Step`, `Check` and `Agent`. */
function keysTold(): ReadonlySet<string> {
  const types = prompt.slice(prompt.indexOf('type Step'), prompt.indexOf('# Rules')).replace(/\/\/.*/g, '');
  return new Set([...types.matchAll(/([a-z_]+)\??:/g)].map(([, key = '']) => key));
}

function at(value: Json, ...keys: readonly string[]): Record<string, Json> {
  return keys.reduce((inner, key) => inner[key] as Record<string, Json>, value as Record<string, Json>);
}
