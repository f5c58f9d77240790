// The table of span attributes, including the names of the GenAI conventions.
import type { LimitedResource } from '../budget/amount.ts';

/** Values of an attribute have the same type in every span, because backends keep one type for each name. */
export type AttributeType = 'string' | 'int' | 'double' | 'boolean' | 'string[]';

interface AttributeSpec {
  readonly type: AttributeType;
  /** The kinds of spans and span events that have the attribute. */
  readonly on: string;
  readonly says: string;
  /** The attribute holds data of the run, so it needs `capture_content: true`. */
  readonly content?: true;
}

/** A test compares the names of the GenAI conventions with the published lists. */
export const attributes = {
  'reconverge.run.id': { type: 'string', on: 'run', says: 'Id of the run.' },
  'reconverge.run.parent': { type: 'string', on: 'run', says: 'The run whose step started this run.' },
  'reconverge.run.child': { type: 'string', on: 'attempt, call', says: 'The child run that it starts.' },
  'reconverge.run.forked_from': {
    type: 'string',
    on: 'run.forked',
    says: 'The run from which the earlier events were copied.',
  },
  'reconverge.template.name': { type: 'string', on: 'run', says: 'Name of the template.' },
  'reconverge.template.version': { type: 'string', on: 'run', says: 'Version of the template, if it has one.' },
  'reconverge.template.digest': { type: 'string', on: 'run', says: 'Digest of the resolved template.' },
  'reconverge.template.environment': {
    type: 'string',
    on: 'run',
    says: 'The environment of the template that the run uses.',
  },
  'reconverge.status': {
    type: 'string',
    on: 'all but calls',
    says: 'The end: `completed`, `failed`, `skipped`, `superseded`, `rejected`, `lost`, `decided`, …',
  },
  'reconverge.partial': {
    type: 'boolean',
    on: 'run, convergence.judged',
    says: 'A convergence went on although branches were missing.',
  },
  'reconverge.unfinished': { type: 'boolean', on: 'any', says: 'The span had not ended when the trace was exported.' },
  'reconverge.step.id': { type: 'string', on: 'phase, step, attempt, call, gate', says: 'Id of the step.' },
  'reconverge.step.type': { type: 'string', on: 'step', says: 'Type of the step.' },
  'reconverge.step.reason': { type: 'string', on: 'step', says: 'The reason why the step was skipped.' },
  'reconverge.step.root': { type: 'string', on: 'step', says: 'The step whose end is the root cause.' },
  'reconverge.step.verified': { type: 'boolean', on: 'step', says: 'The result passed its predicate.' },
  'reconverge.step.items': { type: 'int', on: 'step', says: 'The number of items of a fan-out.' },
  'reconverge.step.adopted_from': { type: 'string', on: 'step', says: 'The step whose finished work it took over.' },
  'reconverge.phase': { type: 'string', on: 'step, phase', says: 'The planning step that planned it.' },
  'reconverge.phase.depth': {
    type: 'int',
    on: 'phase',
    says: 'The nesting depth of planning: 1 for an authored planning step.',
  },
  'reconverge.phase.target': { type: 'string', on: 'phase', says: 'The step where the phase converges.' },
  'reconverge.phase.steps': { type: 'int', on: 'phase, fragment.grafted', says: 'The number of grafted steps.' },
  'reconverge.fragment.digest': { type: 'string', on: 'phase, fragment.grafted', says: 'Digest of the fragment.' },
  'reconverge.fragment.score': {
    type: 'double',
    on: 'fragment.grafted',
    says: "The critic's score of the plan, from 1 to 10.",
  },
  'reconverge.replan.of': {
    type: 'string',
    on: 'phase, replan.started',
    says: 'The planning step whose phase is planned again.',
  },
  'reconverge.replan.step': { type: 'string', on: 'replan.started', says: 'The new planning step.' },
  'reconverge.replan.scope': { type: 'string', on: 'phase, replan.started', says: '`tail` or `phase`.' },
  'reconverge.replan.trial': {
    type: 'int',
    on: 'phase, replan.started',
    says: 'The number of repairs so far, with this one.',
  },
  'reconverge.replan.failing': {
    type: 'string[]',
    on: 'phase, replan.started',
    says: 'The failed steps that the repair mends.',
  },
  'reconverge.attempt.number': { type: 'int', on: 'attempt', says: 'The number of the attempt, from 1.' },
  'reconverge.attempt.delivery': {
    type: 'int',
    on: 'attempt',
    says: 'The number of times this attempt was handed to a worker, from 1.',
  },
  'reconverge.capability': {
    type: 'string',
    on: 'attempt, call, capability.registered',
    says: 'The capability that is called.',
  },
  'reconverge.context.tokens': { type: 'int', on: 'attempt', says: 'Tokens of the packet that the planner was shown.' },
  'reconverge.log.source': {
    type: 'string',
    on: 'log record',
    says: 'The writer, if it is not the capability itself: an MCP server, `stderr`, a model, `reconverge`.',
  },
  'reconverge.call': { type: 'int', on: 'call', says: 'The number of the call in its attempt, from 1.' },
  'reconverge.model.profile': { type: 'string', on: 'call', says: 'Name of the model under `models:`.' },
  'reconverge.model.purpose': { type: 'string', on: 'call', says: '`plan`, `turn`, `judge`, `summary` or `critic`.' },
  'reconverge.model.prompt': { type: 'string', on: 'call', says: 'Name, version and digest of the prompt.' },
  'reconverge.gate.id': { type: 'string', on: 'gate, step.held', says: 'Id of the gate.' },
  'reconverge.gate.kind': { type: 'string', on: 'gate', says: 'Kind of the gate.' },
  'reconverge.gate.verdict': { type: 'string', on: 'gate', says: 'The verdict, or the effect of the expiry.' },
  'reconverge.lock.message': {
    type: 'string',
    on: 'lock.differed',
    says: 'The tools or models that differ from the lock file.',
  },
  'reconverge.by': { type: 'string', on: 'run, gate, orders', says: 'The person who ordered or decided it.' },
  'reconverge.convergence.reason': {
    type: 'string',
    on: 'convergence.judged',
    says: 'The policy that was met, `budget` or `unmet`.',
  },
  'reconverge.convergence.satisfied': { type: 'boolean', on: 'convergence.judged', says: 'True if the target runs.' },
  'reconverge.convergence.expected': {
    type: 'int',
    on: 'convergence.judged',
    says: 'The number of branches that count.',
  },
  'reconverge.convergence.succeeded': {
    type: 'int',
    on: 'convergence.judged',
    says: 'The number of branches that succeeded.',
  },
  'reconverge.issue.code': { type: 'string', on: 'issue', says: 'Code of a validation issue.' },
  'reconverge.issue.severity': { type: 'string', on: 'issue', says: '`error`, `warning` or `info`.' },
  'reconverge.issue.path': { type: 'string', on: 'issue', says: 'The path in the fragment.' },
  'reconverge.issue.message': { type: 'string', on: 'issue', says: 'The message: names and types, no values.' },
  'reconverge.issue.hint': { type: 'string', on: 'issue', says: 'The hint: what to write instead.' },
  'reconverge.account': { type: 'string', on: 'budget events', says: 'The account: `run` or a planning step.' },
  'reconverge.resource': { type: 'string', on: 'budget events', says: 'The resource whose limit is near or reached.' },
  'reconverge.percent': { type: 'int', on: 'budget.warned', says: 'The spent part of the limit, in percent.' },
  'reconverge.cost_usd': {
    type: 'double',
    on: 'run, phase, step, attempt, call',
    says: 'The cost in dollars, with failed attempts.',
  },
  'reconverge.tokens.input': { type: 'int', on: 'run, phase, step, attempt', says: 'Tokens that models read for it.' },
  'reconverge.tokens.output': {
    type: 'int',
    on: 'run, phase, step, attempt',
    says: 'Tokens that models wrote for it.',
  },
  'reconverge.llm_calls': { type: 'int', on: 'run, phase, step, attempt', says: 'Calls of models.' },
  'reconverge.tool_calls': { type: 'int', on: 'run, phase, step, attempt', says: 'Calls of capabilities.' },
  'reconverge.failure.message': { type: 'string', on: 'any that failed', says: 'The failure in words.', content: true },
  'reconverge.rationale': { type: 'string', on: 'phase', says: "The plan's rationale.", content: true },
  'reconverge.diagnosis': {
    type: 'string',
    on: 'verification.failed',
    says: 'The reason why the result did not pass.',
    content: true,
  },
  'reconverge.gate.prompt': { type: 'string', on: 'gate', says: 'The question.', content: true },
  'reconverge.step.result': { type: 'string', on: 'step', says: 'The result, as JSON.', content: true },
  'error.type': {
    type: 'string',
    on: 'any that failed',
    says: 'Code of the failure; `reconverge docs CODE` explains it.',
  },
  'server.address': { type: 'string', on: 'call', says: 'The host of the model server.' },
  'server.port': { type: 'int', on: 'call', says: 'The port of the model server.' },
  'openinference.span.kind': {
    type: 'string',
    on: 'run, phase, step, planning attempt, gate',
    says: '`CHAIN`, for Arize Phoenix: it derives the kinds of calls and agents from `gen_ai.operation.name`.',
  },
  'gen_ai.operation.name': {
    type: 'string',
    on: 'run, attempt, call',
    says: '`invoke_workflow`, `plan`, `invoke_agent`, `execute_tool`, `chat`, `embeddings`.',
  },
  'gen_ai.workflow.name': { type: 'string', on: 'run', says: 'Name of the template.' },
  'gen_ai.agent.name': {
    type: 'string',
    on: 'attempt',
    says: "The agent that performs the step; of a planning attempt the planner's kind.",
  },
  'gen_ai.tool.name': { type: 'string', on: 'attempt, call', says: 'The capability.' },
  'gen_ai.provider.name': {
    type: 'string',
    on: 'call',
    says: 'The provider of the model, as far as it is known; else the provider whose API the server offers.',
  },
  'gen_ai.request.model': { type: 'string', on: 'call', says: 'The model that was asked for.' },
  'gen_ai.request.max_tokens': { type: 'int', on: 'call', says: 'The most tokens of the answer.' },
  'gen_ai.request.temperature': { type: 'double', on: 'call', says: 'The temperature, if one is set.' },
  'gen_ai.request.top_p': {
    type: 'double',
    on: 'call',
    says: 'The part of the probability mass to choose from, if set.',
  },
  'gen_ai.request.seed': { type: 'int', on: 'call', says: 'The seed, if one is set.' },
  'gen_ai.output.type': { type: 'string', on: 'call', says: '`json` when the request asks for JSON, else `text`.' },
  'gen_ai.response.model': { type: 'string', on: 'call', says: 'The model that answered.' },
  'gen_ai.response.id': { type: 'string', on: 'call', says: "The provider's id of the answer." },
  'gen_ai.response.finish_reasons': { type: 'string[]', on: 'call', says: 'The reasons why the answer ended.' },
  'gen_ai.usage.input_tokens': { type: 'int', on: 'call', says: 'Tokens that were read.' },
  'gen_ai.usage.cache_read.input_tokens': {
    type: 'int',
    on: 'call',
    says: "Tokens that came from the provider's cache.",
  },
  'gen_ai.usage.cache_creation.input_tokens': {
    type: 'int',
    on: 'call',
    says: 'Tokens that the provider wrote to its cache.',
  },
  'gen_ai.usage.output_tokens': { type: 'int', on: 'call', says: 'Tokens that were written.' },
  'gen_ai.usage.reasoning.output_tokens': {
    type: 'int',
    on: 'call',
    says: 'The part of the written tokens that the model spent on reasoning.',
  },
  'gen_ai.input.messages': {
    type: 'string',
    on: 'call',
    says: 'The messages to the model, as JSON: `[{role, parts}]`.',
    content: true,
  },
  'gen_ai.output.messages': {
    type: 'string',
    on: 'call',
    says: 'The answer of the model, as JSON: `[{role, parts}]`.',
    content: true,
  },
  'gen_ai.tool.call.arguments': {
    type: 'string',
    on: 'call',
    says: 'The arguments of the call, as JSON.',
    content: true,
  },
  'gen_ai.tool.call.result': {
    type: 'string',
    on: 'call',
    says: 'The answer of the capability, as JSON.',
    content: true,
  },
} as const satisfies Readonly<Record<string, AttributeSpec>>;

/** For example `reconverge.budget.cost_usd.spent`, in dollars. */
type BudgetAttribute = `reconverge.budget.${LimitedResource}.${'spent' | 'limit'}`;

export type AttributeName = keyof typeof attributes | BudgetAttribute;

export type AttributeValue = string | number | boolean | string[];

export type Attributes = Readonly<Partial<Record<AttributeName, AttributeValue>>>;

/** The type of any attribute; figures of budgets are integers, but for dollars. */
export function attributeType(name: string): AttributeType {
  if (Object.hasOwn(attributes, name)) return attributes[name as keyof typeof attributes].type;
  return name.includes('cost_usd') ? 'double' : 'int';
}
