// The messages between the inspector's server and its page.

import {
  anyOf,
  count,
  eitherOf,
  flag,
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
  events: list(loosely<Recorded>('Recorded', eventLine), 'New events; the id of the message is the last version.'),
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

/** `api/runs/ID/diff/OTHER`: the lines of `reconverge diff`. */
export const comparison: Schema<readonly Line[]> = list(
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

/** The reply to an order. */
export const postReply = eitherOf([
  map({
    ok: only(true),
    pending: flag('The driver of the run is busy and will follow the order.'),
    run: optional(text('The id of the fork.')),
  }),
  map({ ok: only(false), issues: list(issue(), 'The reasons for the refusal.') }),
]);
export type PostReply = Static<typeof postReply>;

/** The reply to a request for an unknown gate or run. */
export const refusal = map({ issues: list(issue()) });
