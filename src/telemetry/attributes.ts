// The table of span attributes, including the names of the GenAI conventions.
import type { LimitedResource } from '../budget/amount.ts';

interface AttributeSpec {
  /** The kinds of spans and span events that have the attribute. */
  readonly on: string;
  readonly says: string;
  /** The attribute holds data of the run, so it needs `capture_content: true`. */
  readonly content?: true;
}

/** The GenAI conventions still change, so their names are kept here and not taken from a package. */
export const attributes = {
  'reconverge.run.id': { on: 'run', says: 'Id of the run.' },
  'reconverge.run.parent': { on: 'run', says: 'The run whose step started this run.' },
  'reconverge.run.child': { on: 'attempt, call', says: 'The child run that it starts.' },
  'reconverge.run.forked_from': { on: 'run.forked', says: 'The run from which the earlier events were copied.' },
  'reconverge.template.name': { on: 'run', says: 'Name of the template.' },
  'reconverge.template.version': { on: 'run', says: 'Version of the template, if it has one.' },
  'reconverge.template.digest': { on: 'run', says: 'Digest of the resolved template.' },
  'reconverge.template.environment': { on: 'run', says: 'The environment of the template that the run uses.' },
  'reconverge.status': {
    on: 'all but calls',
    says: 'The end: `completed`, `failed`, `skipped`, `superseded`, `rejected`, `lost`, `decided`, …',
  },
  'reconverge.partial': {
    on: 'run, convergence.judged',
    says: 'A convergence went on although branches were missing.',
  },
  'reconverge.unfinished': { on: 'any', says: 'The span had not ended when the trace was exported.' },
  'reconverge.step.id': { on: 'phase, step, gate', says: 'Id of the step.' },
  'reconverge.step.type': { on: 'step', says: 'Type of the step.' },
  'reconverge.step.reason': { on: 'step', says: 'The reason why the step was skipped.' },
  'reconverge.step.root': { on: 'step', says: 'The step whose end is the root cause.' },
  'reconverge.step.verified': { on: 'step', says: 'The result passed its predicate.' },
  'reconverge.step.items': { on: 'step', says: 'The number of items of a fan-out.' },
  'reconverge.step.adopted_from': { on: 'step', says: 'The step whose finished work it took over.' },
  'reconverge.phase': { on: 'step, phase', says: 'The planning step that planned it.' },
  'reconverge.phase.depth': { on: 'phase', says: 'The nesting depth of planning: 1 for an authored planning step.' },
  'reconverge.phase.target': { on: 'phase', says: 'The step where the phase converges.' },
  'reconverge.phase.steps': { on: 'phase, fragment.grafted', says: 'The number of grafted steps.' },
  'reconverge.fragment.digest': { on: 'phase, fragment.grafted', says: 'Digest of the fragment.' },
  'reconverge.fragment.score': { on: 'fragment.grafted', says: "The critic's score of the plan, from 1 to 10." },
  'reconverge.replan.of': { on: 'phase, replan.started', says: 'The planning step whose phase is planned again.' },
  'reconverge.replan.step': { on: 'replan.started', says: 'The new planning step.' },
  'reconverge.replan.scope': { on: 'phase, replan.started', says: '`tail` or `phase`.' },
  'reconverge.replan.trial': {
    on: 'phase, replan.started',
    says: 'The number of repairs so far, with this one.',
  },
  'reconverge.replan.failing': { on: 'phase, replan.started', says: 'The failed steps that the repair mends.' },
  'reconverge.attempt.number': { on: 'attempt', says: 'The number of the attempt, from 1.' },
  'reconverge.attempt.delivery': {
    on: 'attempt',
    says: 'The number of times this attempt was handed to a worker, from 1.',
  },
  'reconverge.capability': { on: 'attempt, call, capability.registered', says: 'The capability that is called.' },
  'reconverge.context.tokens': { on: 'attempt', says: 'Tokens of the packet that the planner was shown.' },
  'reconverge.call': { on: 'call', says: 'The number of the call in its attempt, from 1.' },
  'reconverge.model.profile': { on: 'call', says: 'Name of the model under `models:`.' },
  'reconverge.model.purpose': { on: 'call', says: '`plan`, `turn`, `judge`, `summary` or `critic`.' },
  'reconverge.model.prompt': { on: 'call', says: 'Name, version and digest of the prompt.' },
  'reconverge.gate.id': { on: 'gate, step.held', says: 'Id of the gate.' },
  'reconverge.gate.kind': { on: 'gate', says: 'Kind of the gate.' },
  'reconverge.gate.verdict': { on: 'gate', says: 'The verdict, or the effect of the expiry.' },
  'reconverge.lock.message': {
    on: 'lock.differed',
    says: 'The tools or models that differ from the lock file.',
  },
  'reconverge.by': { on: 'run, gate, orders', says: 'The person who ordered or decided it.' },
  'reconverge.convergence.reason': { on: 'convergence.judged', says: 'The policy that was met, `budget` or `unmet`.' },
  'reconverge.convergence.satisfied': { on: 'convergence.judged', says: 'True if the target runs.' },
  'reconverge.convergence.expected': { on: 'convergence.judged', says: 'The number of branches that count.' },
  'reconverge.convergence.succeeded': { on: 'convergence.judged', says: 'The number of branches that succeeded.' },
  'reconverge.issue.code': { on: 'issue', says: 'Code of a validation issue.' },
  'reconverge.issue.severity': { on: 'issue', says: '`error`, `warning` or `info`.' },
  'reconverge.issue.path': { on: 'issue', says: 'The path in the fragment.' },
  'reconverge.issue.message': { on: 'issue', says: 'The message: names and types, no values.' },
  'reconverge.issue.hint': { on: 'issue', says: 'The hint: what to write instead.' },
  'reconverge.account': { on: 'budget events', says: 'The account: `run` or a planning step.' },
  'reconverge.resource': { on: 'budget events', says: 'The resource whose limit is near or reached.' },
  'reconverge.percent': { on: 'budget.warned', says: 'The spent part of the limit, in percent.' },
  'reconverge.cost_usd': {
    on: 'run, phase, step, attempt, call',
    says: 'The cost in dollars, with failed attempts.',
  },
  'reconverge.tokens.input': { on: 'run, phase, step, attempt', says: 'Tokens that models read for it.' },
  'reconverge.tokens.output': { on: 'run, phase, step, attempt', says: 'Tokens that models wrote for it.' },
  'reconverge.llm_calls': { on: 'run, phase, step, attempt', says: 'Calls of models.' },
  'reconverge.tool_calls': { on: 'run, phase, step, attempt', says: 'Calls of capabilities.' },
  'reconverge.failure.message': { on: 'any that failed', says: 'The failure in words.', content: true },
  'reconverge.rationale': { on: 'phase', says: "The plan's rationale.", content: true },
  'reconverge.diagnosis': { on: 'verification.failed', says: 'The reason why the result did not pass.', content: true },
  'reconverge.gate.prompt': { on: 'gate', says: 'The question.', content: true },
  'reconverge.step.result': { on: 'step', says: 'The result, as JSON.', content: true },
  'error.type': { on: 'any that failed', says: 'Code of the failure: a row of errors.md.' },
  'gen_ai.operation.name': {
    on: 'run, attempt, call',
    says: '`invoke_workflow`, `invoke_agent`, `execute_tool`, `chat`.',
  },
  'gen_ai.workflow.name': { on: 'run', says: 'Name of the template.' },
  'gen_ai.agent.name': { on: 'attempt', says: 'The agent that performs the step.' },
  'gen_ai.tool.name': { on: 'attempt, call', says: 'The capability.' },
  'gen_ai.provider.name': { on: 'call', says: 'The provider whose API the server offers.' },
  'gen_ai.request.model': { on: 'call', says: 'The model that was asked for.' },
  'gen_ai.request.max_tokens': { on: 'call', says: 'The most tokens of the answer.' },
  'gen_ai.request.temperature': { on: 'call', says: 'The temperature, if one is set.' },
  'gen_ai.response.model': { on: 'call', says: 'The model that answered.' },
  'gen_ai.response.id': { on: 'call', says: "The provider's id of the answer." },
  'gen_ai.response.finish_reasons': { on: 'call', says: 'The reasons why the answer ended.' },
  'gen_ai.usage.input_tokens': { on: 'call', says: 'Tokens that were read.' },
  'gen_ai.usage.cache_read.input_tokens': { on: 'call', says: "Tokens that came from the provider's cache." },
  'gen_ai.usage.output_tokens': { on: 'call', says: 'Tokens that were written.' },
  'gen_ai.input.messages': { on: 'call', says: 'The messages to the model, as JSON.', content: true },
  'gen_ai.output.messages': { on: 'call', says: 'The answer of the model, as JSON.', content: true },
  'gen_ai.tool.call.arguments': { on: 'call', says: 'The arguments of the call, as JSON.', content: true },
  'gen_ai.tool.call.result': { on: 'call', says: 'The answer of the capability, as JSON.', content: true },
} as const satisfies Readonly<Record<string, AttributeSpec>>;

/** For example `reconverge.budget.cost_usd.spent`, in dollars. */
type BudgetAttribute = `reconverge.budget.${LimitedResource}.${'spent' | 'limit'}`;

export type AttributeName = keyof typeof attributes | BudgetAttribute;

export type AttributeValue = string | number | boolean | string[];

export type Attributes = Readonly<Partial<Record<AttributeName, AttributeValue>>>;
