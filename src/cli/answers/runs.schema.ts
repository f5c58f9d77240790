// The JSON answers of the commands that read a store: runs, show, stats, why, graph, budget, trace, gates, diff, replay.
import {
  anyOf,
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
} from '../../base/words.schema.ts';
import { limitable } from '../../budget/amount.ts';
import type { CallRecord } from '../../engine/state/state.ts';
import type { Chosen } from '../../goals/intent.ts';
import { runSummary } from '../../runtime/api/run-record.schema.ts';
import type { BudgetAccount } from '../../view/budget/budget-tree.ts';
import {
  amount,
  elapsed,
  eventLine,
  expiry,
  failure,
  form,
  gateKind,
  issue,
  kept,
  openGate,
  openGateKeys,
  partial,
  runStatus,
  shortfallKeys,
  stepStatus,
  stepType,
  takenUp,
  tree,
} from '../../view/shown.schema.ts';
import type { Goal } from '../../view/why/intent-tree.ts';

const run = text('The id of the run.');
const template = text('The name of its template.');

export const runs = map({ runs: list(runSummary, 'The runs, the newest first.') });
export type RunsAnswer = Static<typeof runs>;

const parent = map({ run: text(), step: text() }, 'The run whose step started this one.');

/** How a run stands: the keys of `show`, and of the tools of the MCP server. */
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

export const showForms = [
  form(show),
  form(eventLine, 'with `--events`, a line for each event:'),
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

const chosen: Schema<Chosen> = map(
  {
    by: oneOf(['named', 'kind', 'proven', 'model', 'words', 'person', 'nested', 'missing', 'folded', 'ranked']),
    capability: optional(text()),
    agent: optional(text()),
    margin: optional(number('The lead of the best candidate, in journals of earlier versions.')),
    candidates: optional(
      list(
        map({ name: text(), score: number(), alike: optional(number()), veto: optional(text()) }),
        'The best candidates, best first.',
      ),
    ),
    learned: optional(text('The lessons that counted.')),
  },
  'The performer, and the reason for the choice.',
);

export const intent = map({
  says: text('The words of the goal.'),
  shape: text(),
  steps: list(text(), 'The steps of the plan that serve it.'),
  after: list(count(), 'The places of the intents that it depends on.'),
  chosen: optional(chosen),
  issues: optional(list(issue(), 'Words that no call takes.')),
});

const failing = list(map({ step: text(), code: text(), message: text() }));
const planDiff = map({
  added: list(text(), 'Steps that only the new plan has.'),
  removed: list(text(), 'Steps that only the old plan has.'),
  changed: list(map({ step: text(), keys: list(text()) }), 'Steps that both have, with the keys that differ.'),
  same: list(text(), 'Steps that did not change.'),
});

const repair = map(
  {
    planner: optional(text('The planning step whose plan is repaired; absent: a step of the template failed.')),
    scope: oneOf(['tail', 'phase']),
    trial: count('The number of repairs so far.'),
    failing,
    trials: list(map({ planner: text(), rationale: text(), failed: failing }), 'Earlier plans, oldest first.'),
    fragment: optional(text('The digest of the plan that failed.')),
    diff: optional(planDiff),
  },
  'The plan that a repair plans again.',
);

const billKeys = { bill: optional(amount('The amount used; dollars.')) };
const callKeys = {
  call: count('Counts from 1.'),
  kind: oneOf<CallRecord['kind']>(['model', 'embeddings', 'capability', 'look_up', 'files', 'discover']),
  name: text('The model profile or the capability.'),
  purpose: optional(oneOf(['plan', 'turn', 'judge', 'summary', 'critic'])),
  prompt: optional(text('The prompt: its name, version and digest.')),
  child: optional(text('The run that it started.')),
  startedAt: count('Milliseconds since 1970.'),
  endedAt: optional(count('Milliseconds since 1970.')),
  failure: optional(failure()),
  ...billKeys,
};
const call = map({
  ...callKeys,
  request: text('The digest of the request.'),
  value: optional(kept('The reply.')),
});

const attempt = map({
  attempt: count('Counts from 1.'),
  delivery: count('How often the attempt was handed out.'),
  child: optional(text('The run that it started.')),
  startedAt: count('Milliseconds since 1970.'),
  endedAt: optional(count('Milliseconds since 1970.')),
  end: optional(text('The end: completed, failed, lost, rejected, …')),
  failure: optional(failure()),
  diagnosis: optional(text('The reason why the result was refused.')),
  issues: optional(list(issue(), 'The findings about its plan.')),
  calls: list(call, 'Its calls of models and tools.'),
  ...billKeys,
  assumed: optional(amount('The part of the bill that is assumed, since the delivery was lost.')),
});

const whyGate = map({
  gate: text("The gate's id."),
  kind: gateKind,
  prompt: text('The question.'),
  openedFor: optional(text('The step that the gate was opened for, if not this one.')),
  since: count('Milliseconds since 1970.'),
  proposed: optional(count('The event that proposed the plan.')),
  end: oneOf(['open', 'decided', 'expired', 'closed']),
  at: optional(count('Milliseconds since 1970.')),
  verdict: optional(oneOf(['approve', 'reject', 'answer', 'edit'])),
  value: optional(kept('The answer, or the edited plan.')),
  grant: optional(oneOf(['step', 'capability'], 'The other calls that the approval covers.')),
  by: optional(text('The person who decided.')),
  why: optional(text('The reason.')),
  outcome: optional(expiry),
  decided: optional(count('The event that decided it.')),
});

const feeder = { step: text(), of: optional(text('The fan-out of an item.')), code: text(), message: text() };
const convergence = map(
  {
    satisfied: flag('The policy was met.'),
    expected: count(),
    succeeded: count(),
    failed: list(map({ ...feeder, root: text('The step that failed first.') })),
    tolerated: optional(list(map(feeder))),
    skipped: list(map({ step: text(), reason: text() })),
    partial,
    reason: oneOf(['empty', 'all_success', 'all_settled', 'quorum', 'budget', 'unmet']),
    by_phase: record(map({ expected: count(), succeeded: count(), failed: count() })),
  },
  'The branches that ended at the step, and the verdict on them.',
);

export const why = map({
  run,
  template,
  purpose: optional(text("The template's description.")),
  step: text("The step's id."),
  type: stepType,
  description: optional(text('The description of the step.')),
  capability: optional(text('The capability that it calls.')),
  agent: optional(text('The agent that performs it.')),
  status: text('The status, in words.'),
  origins: list(
    map({
      planner: text('The planning step.'),
      goal: optional(text('The goal as the planner was given it.')),
      rationale: text("The planner's reason."),
      fragment: text('The digest of the plan.'),
      target: text('The step where the plan comes together.'),
      depth: count('The level of nested planning.'),
      repair: optional(repair),
      strategy: optional(text('The strategy that took the goal apart.')),
      order: optional(text('The reason why strategies were tried in this order.')),
      tried: optional(list(map({ strategy: text(), why: text() }), 'Strategies that were not sure enough.')),
      intent: optional(intent),
    }),
    'The plans that brought the step, outermost first; empty for an authored step.',
  ),
  item: optional(map({ of: text('The fan-out.'), index: count(), size: text() }, 'The place in a fan-out.')),
  repair: optional(repair),
  supersededBy: optional(text('The repair that plans it again.')),
  dependencies: list(
    map({ step: text(), status: text(), implied: flag('Only a reference to its result brought it.') }),
    'The steps that it waits for.',
  ),
  references: record(text(), 'The names in its references, and the ids that they mean.'),
  neededBy: list(text(), 'The steps that wait for it.'),
  attempts: list(attempt, 'Its attempts.'),
  gates: list(whyGate, 'The questions to people about it.'),
  orders: list(
    map({ order: oneOf(['resolved', 'retried']), at: count(), by: text(), why: optional(text()) }),
    'The orders of operators.',
  ),
  adopted: optional(
    map({ from: text(), run: optional(text()), input: text() }, 'The step whose finished work it took over.'),
  ),
  failure: optional(failure('The failure of the step.')),
  takenUp: optional(takenUp),
  root: optional(
    map(
      { step: text(), status: text(), failure: optional(failure()) },
      'The step whose end is the reason why it did not run.',
    ),
  ),
  verified: flag('The result passed its predicate.'),
  coerced: list(text(), 'The paths where the result was mended to fit its contract.'),
  warnings: list(issue(), "The review's findings about the plan that it brought."),
  score: optional(number("The critic's score of that plan, from 1 to 10.")),
  understood: list(text(), "The corrections of the plan's notation."),
  grew: optional(list(text(), 'The steps that it brought in.')),
  rationale: optional(text("The planner's reason for the plan.")),
  items: optional(text('Of a fan-out: its items by status, in words.')),
  convergence: optional(convergence),
});
export type WhyAnswer = Static<typeof why>;

const goalSchema: Schema<Goal> = map(
  {
    planner: text('The planning step.'),
    status: text('Its status, in words.'),
    goal: optional(text('The goal.')),
    strategy: optional(text('The strategy that took it apart.')),
    rationale: optional(text("The planner's reason.")),
    intents: list(
      map({
        says: text('The words of the goal.'),
        after: list(count(), 'The places of the intents that it depends on.'),
        chosen: optional(chosen),
        steps: list(map({ step: text(), status: text() })),
        goals: list(reference<Goal>('Goal', 'goal')(), 'The goals that were planned for it.'),
      }),
      'The parts of the goal.',
    ),
  },
  'A goal that was planned, and its parts.',
);
const goal = reference<Goal>('Goal', 'goal');

export const intents = map({ run, template, goals: list(goal(), 'The goals that no other goal brought in.') });
export type IntentsAnswer = Static<typeof intents>;

const change = map({ before: count(), after: count() });
export const receipts = list(
  map({
    attempt: count('Counts from 1.'),
    tokens: count('The tokens of the whole packet.'),
    items: list(
      map({
        ref: map({ step: text(), attempt: count(), digest: optional(text()) }),
        need: optional(text('The need that it is shown for.')),
        shown: oneOf(['included', 'shrunk', 'outlined', 'left out']),
        inferred: flag('Nobody declared the shape of the result.'),
        bytes: change,
        tokens: change,
      }),
      'The results before the step, and how much of each was shown.',
    ),
    missing: list(map({ need: text(), why: text() }), 'Needs of which nothing was shown.'),
    full: optional(map({ results: count(), bytes: count() }, 'For a planner that reads every result.')),
    summary: optional(
      anyOf(
        [map({ tokens: count() }), map({ why: text() })],
        'The summary by a model, or the reason why there is none.',
      ),
    ),
  }),
);
export type ReceiptsAnswer = Static<typeof receipts>;

export const callAnswer = map({
  ...callKeys,
  request: json('The request.'),
  reply: optional(json('The reply.')),
});
export type CallAnswer = Static<typeof callAnswer>;

export const whyForms = [
  form(why),
  form(intents, 'without STEP:'),
  form(receipts, 'with `--receipts`, a list of:'),
  form(callAnswer, 'with `--call`:'),
];

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

const attributes = jsonObject('Attributes; docs/telemetry.md lists them.');
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

export const runDefinitions = { goal: goalSchema, account: accountSchema } as const;
