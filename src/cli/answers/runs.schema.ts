// The JSON answers of the commands that read a store: runs, show, stats, graph, budget, trace, gates, diff, replay.

import {
  count,
  flag,
  json,
  jsonObject,
  list,
  map,
  marked,
  number,
  oneOf,
  optional,
  record,
  reference,
  type Schema,
  type Static,
  text,
} from '../../base/builders.schema.ts';
import { failure } from '../../base/issue.schema.ts';
import { limitable } from '../../budget/amount.ts';
import { gateKind } from '../../engine/record/gate-events.schema.ts';
import type { BudgetAccount } from '../../view/budget/budget-tree.ts';
import { runSummary } from '../../view/runs/run-summary.schema.ts';
import {
  amount,
  causeKeys,
  elapsed,
  eventLine,
  expiry,
  form,
  logLine,
  openGate,
  openGateKeys,
  orders,
  partial,
  runStatus,
  shortfallKeys,
  skippedStep,
  stepStatus,
  stepType,
  tree,
} from '../../view/shown.schema.ts';
import { planDiff } from './why.schema.ts';

const run = text('The id of the run.');
const template = text('The name of its template.');

export const runs = map({
  runs: list(runSummary, 'The runs in the order of `--sort`, by default the newest first.'),
  more: optional(count('The number of further runs that match; absent: none.')),
});
export type RunsAnswer = Static<typeof runs>;

const parent = map({ run: text(), step: text() }, 'The run whose step started this one.');

/** The summary of a run: these keys are in the answer of `show` and in the replies of MCP tools. */
export const summaryKeys = {
  run,
  template,
  environment: optional(text('The environment of the template that was chosen.')),
  status: runStatus('completed', 'failed', 'cancelled', 'paused', 'waiting', 'interrupted', 'running'),
  partial,
  parent: optional(parent),
  forked: optional(
    map({ from: text(), at: count('The last event that both runs have.') }, 'The run that it was forked from.'),
  ),
  failure: optional(failure('The failure that ended the run.')),
  steps: record(count(), 'The number of steps by status.'),
  orders,
  ...shortfallKeys,
  gates: list(openGate(), 'The open questions to people.'),
  stop: optional(text('The limit that stopped it, in words.')),
  differed: optional(list(text(), 'Tools and models that differ from the lock file.')),
  budget: text('The budget in one line.'),
  elapsed,
};

export const show = map({
  ...summaryKeys,
  input: json('The input of the run.'),
  output: json('The output; null while the run has not ended.'),
  reports: list(text(), 'The paths of the reports that it wrote.'),
  tree: tree('The steps of the template, each with the steps that it brought in.'),
});
export type ShowAnswer = Static<typeof show>;

export const showFailed = map({
  run,
  template,
  status: summaryKeys.status,
  failure: optional(failure('The failure that ended the run.')),
  failures: list(
    map({
      ...causeKeys,
      attempts: count('The number of attempts.'),
      tolerated: optional(marked('The steps that depend on it ran all the same.')),
      notRun: list(text(), 'The steps that did not run because of it.'),
    }),
    'The steps that failed, or that a spent budget cut off.',
  ),
  groups: list(
    map({
      cause: text('The words that their messages share.'),
      repaired: flag('Repairs have succeeded.'),
      steps: list(text(), 'The steps, in the order of the run.'),
    }),
    'The failures by cause; while there are few, each is a group of its own.',
  ),
  others: list(skippedStep, 'Steps that did not run for another reason, such as a spent budget.'),
});
export type ShowFailedAnswer = Static<typeof showFailed>;

export const showForms = [
  form(show),
  form(showFailed, 'with `--failed`:'),
  form(eventLine, 'with `--events`, a line for each event:'),
  form(logLine, 'with `--logs`, a line for each log line:'),
  form(json(), "with `--result`, the step's result itself."),
];

const statKeys = {
  of: oneOf(['capability', 'agent', 'strategy']),
  name: text('Its name.'),
  tries: count('The number of tries.'),
  succeeded: count('The number of tries that succeeded.'),
  attempts: count('The number of attempts.'),
  invalid: count('Plans that were refused.'),
  seconds: number('Seconds from first attempts to ends, in all.'),
  cost_usd: number('Dollars, in all.'),
  codes: record(count(), 'The number of failures by code.'),
  shape: optional(text('The shape of the goal or intent.')),
};
export const stats = map({
  runs: count('The number of runs that taught something.'),
  capabilities: list(map(statKeys), 'Capabilities and agents.'),
  strategies: list(map(statKeys), 'Strategies, by shape of the goal.'),
  intents: list(map(statKeys), 'Capabilities and agents, by shape of the intent that they served.'),
});
export type StatsAnswer = Static<typeof stats>;

export const graph = map({
  title: text('The name of the template.'),
  nodes: list(
    map({
      id: text(),
      name: text('The last part of the id.'),
      type: stepType,
      capability: optional(text()),
      agent: optional(text()),
      child: optional(text('The last run that it started.')),
      status: stepStatus,
      text: text('The status in words.'),
      phase: optional(text('The planning step that brought it.')),
      fanOut: optional(text('The fan-out that it is an item of.')),
      repairs: optional(list(text(), 'Of a repair: the steps whose failure it mends.')),
      level: count('0 for a step that waits for nothing, else one more than the latest step that it waits for.'),
    }),
    'The steps.',
  ),
  edges: list(
    map({
      from: text(),
      to: text(),
      kind: oneOf(['waits', 'converges']),
      untravelled: flag('One of its ends never ran.'),
    }),
    'The dependencies.',
  ),
  phases: list(
    map({ planner: text(), target: text(), within: optional(text('The phase that its planning step is in.')) }),
    'The plans.',
  ),
  fanOuts: list(
    map({ step: text(), items: count(), within: optional(text('The phase that it is in.')) }),
    'The fan-outs.',
  ),
});
export type GraphAnswer = Static<typeof graph>;

const account = reference<BudgetAccount>('BudgetAccount', 'account');
const accountSchema: Schema<BudgetAccount> = map(
  {
    account: text('`run`, or the id of a planning step.'),
    overdrawn: flag('More was used than the limit.'),
    exhausted: optional(text('The limit that was met, in words.')),
    asked: optional(text('The gate where people are asked about it.')),
    rows: list(
      map({
        resource: oneOf([...limitable, 'time'], 'Money is in dollars, time in seconds.'),
        limit: optional(number()),
        before: optional(number('The limit that the template set.')),
        spent: number(),
        reserved: number(),
        remaining: optional(number()),
        within: optional(text('The account above that leaves less.')),
        landing: number('The part that only the landing set may use.'),
      }),
    ),
    accounts: list(account(), 'The accounts below.'),
  },
  'An account of the budget.',
);

export const budget = map({
  line: text('The budget in one line.'),
  run: account('The account of the run.'),
  phases: list(map({ planner: text(), steps: count(), spent: amount('Dollars.') }), 'The plans and what each used.'),
  models: list(
    map({ model: text(), asks: count(), spent: amount('Dollars.') }),
    'The models and what each used, failed requests included.',
  ),
  failed: amount('The cost of attempts without a result; dollars.'),
  assumed: amount('The assumed cost of lost attempts; dollars.'),
});
export type BudgetAnswer = Static<typeof budget>;

const attributes = jsonObject('Attributes; `reconverge docs telemetry` lists them.');
export const spans = map({
  run,
  trace: optional(text('The id of the trace.')),
  spans: list(
    map({
      trace: text(),
      span: text(),
      parent: optional(text()),
      kind: text(),
      name: text(),
      startedAt: number('Milliseconds since 1970.'),
      endedAt: number('Milliseconds since 1970.'),
      error: optional(text("The failure's code.")),
      attributes,
      links: list(jsonObject('`to` and `relation`.')),
      events: list(map({ name: text(), at: number(), attributes })),
    }),
    'The spans.',
  ),
});

export const exported = map({
  run,
  trace: optional(text('The id of the trace.')),
  exported: map({ spans: count(), to: text('The file or address.') }, 'The export.'),
});
export type ExportedAnswer = Static<typeof exported>;

export const traceForms = [form(spans), form(exported, 'with `--otlp`:')];

export const gates = map({
  gates: list(
    map({
      run,
      template,
      ...openGateKeys,
      asks: optional(text('The child run that asks.')),
      input: optional(json('Of an approval: the input of the call.')),
    }),
    'The open gates.',
  ),
});
export type GatesAnswer = Static<typeof gates>;

export const oneGate = map({
  run,
  template,
  gate: text("The gate's id."),
  kind: gateKind,
  step: text('The step that the gate was opened for.'),
  holds: list(text(), 'All steps that wait for it.'),
  prompt: text('The question.'),
  decision: jsonObject('JSON Schema of an answer.'),
  context: optional(json('The facts that a person needs.')),
  since: count('Milliseconds since 1970.'),
  until: optional(count('The deadline, in milliseconds since 1970.')),
  onExpiry: optional(expiry),
  end: optional(oneOf(['decided', 'expired', 'closed'], 'Absent: the gate is open.')),
  answers: list(text(), 'The command lines that answer it.'),
});
export type OneGateAnswer = Static<typeof oneGate>;

export const gatesForms = [form(gates), form(oneGate, 'with a GATE:')];

const sides = <T>(each: Schema<T>, description?: string) =>
  map({ left: optional(each), right: optional(each) }, description);
const values = (description: string) =>
  list(map({ path: text(), left: optional(json()), right: optional(json()) }), description);
const plan = map({ rationale: text(), steps: list(text()) });

export const diff = map({
  left: text('The id of the first run.'),
  right: text('The id of the other run.'),
  common: optional(count('Of a fork: the last event that both runs have.')),
  template: optional(sides(text(), 'The digests, if they differ.')),
  status: optional(sides(text(), 'The statuses, if they differ.')),
  input: values('The differences of the inputs.'),
  plans: list(
    map({ planner: text(), left: optional(plan), right: optional(plan), steps: optional(planDiff) }),
    'The plans that differ.',
  ),
  steps: list(
    map({
      step: text(),
      left: optional(stepStatus),
      right: optional(stepStatus),
      result: optional(values('The differences of the results.')),
      input: optional(marked('The inputs differ.')),
      attempts: optional(sides(count())),
    }),
    'The steps that differ; a side is absent if only the other run has the step.',
  ),
  output: values('The differences of the outputs.'),
  spent: list(map({ resource: text(), left: number(), right: number() }), 'The amounts that differ; dollars.'),
});
export type DiffAnswer = Static<typeof diff>;

export const replay = map({
  run,
  events: count('The number of events.'),
  checked: count('The number of events after which the invariants were checked.'),
  values: count('The number of values beside the events.'),
  snapshot: optional(count('The last event in the snapshot that was compared.')),
  broken: list(text(), 'The violations; empty if the run is sound.'),
});
export type ReplayAnswer = Static<typeof replay>;

export const runDefinitions = { account: accountSchema } as const;
