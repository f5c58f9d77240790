// The messages between the inspector's server and its page.

import {
  anyOf,
  count,
  eitherOf,
  flag,
  json,
  list,
  loosely,
  map,
  oneOf,
  only,
  optional,
  record,
  type Schema,
  type Static,
  text,
} from '../base/builders.schema.ts';
import { issue } from '../base/issue.schema.ts';
import type { Recorded } from '../engine/record/event.schema.ts';
import { gateKind, grant, verdict } from '../engine/record/gate-events.schema.ts';
import { purpose } from '../engine/record/step-events.schema.ts';
import type { Line } from '../view/line.ts';
import { runSummary } from '../view/runs/run-summary.schema.ts';
import { definitions, eventLine, logLine } from '../view/shown.schema.ts';

export { definitions };

/** Messages of the stream `api/stream?run=ID&after=VERSION&runs=COUNT`, by name. */
export const streamMessages = map({
  runs: list(runSummary, 'The newest runs, the newest first, as many as the query `runs` names; sent once.'),
  changes: list(runSummary, 'New and changed runs, the newest first.'),
  total: count('The number of runs in the store; sent when it changes.'),
  template: json('The template of the run; sent once, before its first event.'),
  events: list(loosely<Recorded>('Recorded', eventLine), 'New events; the id of the message is the last version.'),
  reached: count('The version of the last event that the store had; sent once, after the events that led to it.'),
  readonly: only(true, 'Sent first if the store cannot be written: no order is taken.'),
  damage: issue('The reason why the run cannot be read any further.'),
  live: list(
    map({
      step: text("The step's id."),
      attempt: count('The attempt.'),
      call: count("The call's number within the attempt."),
      model: text('The model profile.'),
      purpose,
      text: optional(text('The end of the text that the model has written so far; absent: it has not changed.')),
      isCut: flag('The text is the end of a longer one.'),
    }),
    'The calls of models that the process of the inspector makes for this run at this moment.',
  ),
  logs: count('The number of the last log line of the run; sent when it grows.'),
});
export type StreamMessages = Static<typeof streamMessages>;

/** `api/runs/ID/logs?step=STEP`, with `attempt`, `level`, `after`, `before`, `until`, `first` and `last` as in `Engine.logs`. */
export const logsAnswer = map({ lines: list(logLine, 'The lines in their order.') });
export type LogsAnswer = Static<typeof logsAnswer>;

export const formField = map({
  name: text('The key of the answer.'),
  question: text('The question in plain words: "How many items per page?"'),
  required: flag('The answer needs it.'),
  choices: optional(list(text(), 'The possible answers, if they are listed.')),
});
export type FormField = Static<typeof formField>;

/** `api/runs/ID/gates/GATE`: the ways to answer a gate. */
export const gateForm = map({
  gate: text("The gate's id."),
  kind: gateKind,
  step: text('The step that the gate was opened for.'),
  prompt: text('The question.'),
  open: flag('The gate waits for an answer.'),
  verdicts: list(verdict, 'The possible verdicts.'),
  wider: flag('One approval may cover all such calls.'),
  consent: flag('Only a yes is needed to go on.'),
  fields: list(formField, 'The keys of the answer; empty: the answer is one value.'),
  wanted: optional(text('The form of an answer, in words; absent: no answer is taken.')),
  context: list(map({ name: text(), text: text() }), 'The facts that a person needs, as YAML, without the plan.'),
  plan: optional(text('The plan that the gate is about, as YAML.')),
});
export type GateForm = Static<typeof gateForm>;

const lines: Schema<readonly Line[]> = list(
  list(
    map({
      text: text(),
      tone: optional(oneOf(['good', 'bad', 'warn', 'busy', 'dim', 'strong'])),
      hangs: optional(only(true)),
      whole: optional(only(true)),
      cell: optional(map({ width: count(), least: count(), align: optional(only('right')) })),
    }),
  ),
);

/** `api/runs/ID/diff/OTHER`: the lines of `reconverge diff`. */
export const comparison = lines;

const signatureKeys = {
  key: optional(text('Idempotency key: a repeated request gets the same answer, and nothing is done twice.')),
  by: optional(text('The author of the order; absent: the user who serves the page.')),
  why: optional(text('The reason.')),
};
export const signature = map(signatureKeys);
export type Signature = Static<typeof signature>;

/** Posted to `api/runs/ID/gates/GATE`. */
export const gateAnswer = anyOf([
  map({ ...signatureKeys, verdict: only('approve'), grant: optional(grant) }),
  map({ ...signatureKeys, verdict: only('reject') }),
  map({
    ...signatureKeys,
    verdict: only('answer'),
    fields: optional(record(text(), "The typed text by key, read by the gate's contract.")),
    text: optional(text("The typed text of the whole answer, read by the gate's contract.")),
  }),
  map({ ...signatureKeys, verdict: only('edit'), plan: text('The plan, in YAML or JSON.') }),
]);
export type GateAnswer = Static<typeof gateAnswer>;

const limits = record(text(), 'Limits by key, as on a command line.');
const step = text("The step's id.");

/** Posted to `api/runs/ID/orders`. */
export const orderRequest = anyOf([
  map({ ...signatureKeys, order: oneOf(['pause', 'resume', 'cancel']) }),
  map({ ...signatureKeys, order: only('raise-budget'), account: text('`run`, or a planning step.'), budget: limits }),
  map({ ...signatureKeys, order: only('retry-step'), step }),
  map({
    ...signatureKeys,
    order: only('resolve-step'),
    step,
    text: text("The result as typed, read by the step's contract."),
  }),
]);
export type OrderRequest = Static<typeof orderRequest>;

/** Posted to `api/runs/ID/forks`. */
export const forkRequest = map({
  ...signatureKeys,
  at: count('The last event that both runs have.'),
  budget: optional(limits),
});
export type ForkRequest = Static<typeof forkRequest>;

/** `api/templates`: the templates of the project, which can be started. */
export const templateList = map({
  templates: list(
    map({
      file: text('The path in the project.'),
      name: optional(text('Its name; absent: the file cannot be read.')),
      description: optional(text()),
    }),
  ),
});
export type TemplateList = Static<typeof templateList>;

export const inputField = map({
  name: text('The key of the input.'),
  question: text('The question in plain words.'),
  wanted: text('The form of the value, in words.'),
  required: flag('The input needs it.'),
  choices: optional(list(text(), 'The possible values, if they are listed.')),
  isLong: flag('The value is a list, a map or a long text.'),
  default: optional(text('The value that is used when it is left out.')),
  value: optional(text('The value of the run that is run again.')),
});
export type InputField = Static<typeof inputField>;

/** `api/start?file=FILE`, or `api/start?run=ID` to run a run again: the settings of a start. */
export const startForm = map({
  file: text('The path of the template in the project.'),
  name: text('The name of the template.'),
  description: optional(text()),
  environments: list(text(), 'The environments of the template.'),
  environment: optional(text('The chosen environment.')),
  fields: list(inputField, 'The keys of the input; empty: the input is one value.'),
  wanted: optional(text('The form of the whole input, in words; absent: the template declares none.')),
  value: optional(text('The whole input of the run that is run again, as JSON.')),
  limits: list(map({ key: text('The budget key.'), limit: text('The limit of the template.') }), 'The limits.'),
  models: list(map({ profile: text(), model: text('The model of the profile.') }), 'The model profiles.'),
  planners: list(map({ step: text('The planning step.'), kind: text('The kind of its planner.') }), 'The planners.'),
});
export type StartForm = Static<typeof startForm>;

const choiceKeys = {
  file: text('The path of the template in the project.'),
  environment: optional(text()),
  fields: optional(record(text(), "The typed text by key, read by the template's contract of its input.")),
  text: optional(text('The whole input, as typed.')),
  budget: optional(limits),
  models: optional(record(text(), 'The model by profile.')),
  planners: optional(record(text(), 'The profile of the model that plans, by planning step.')),
};

/** Posted to `api/bound`: what a start with these settings may use, without starting it. */
export const boundRequest = map(choiceKeys);
export type BoundRequest = Static<typeof boundRequest>;

/** The reply to `api/bound`. */
export const boundReply = eitherOf([
  map({
    ok: only(true),
    lines,
    issues: list(issue(), 'The findings about the input, which the bound does not depend on.'),
  }),
  map({ ok: only(false), issues: list(issue(), 'The findings.') }),
]);

export type BoundReply = Static<typeof boundReply>;

/** Posted to `api/starts`. */
export const startRequest = map({ ...signatureKeys, ...choiceKeys });
export type StartRequest = Static<typeof startRequest>;

/** The reply to an order. */
export const postReply = eitherOf([
  map({
    ok: only(true),
    pending: flag('The driver of the run is busy and will follow the order.'),
    run: optional(text('The id of the new run.')),
  }),
  map({ ok: only(false), issues: list(issue(), 'The reasons for the refusal.') }),
]);
export type PostReply = Static<typeof postReply>;

/** The reply to a request for an unknown gate or run. */
export const refusal = map({ issues: list(issue()) });
