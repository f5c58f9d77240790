// The JSON answers of the commands that drive runs or give them orders.

import {
  count,
  flag,
  json,
  jsonObject,
  list,
  map,
  number,
  oneOf,
  only,
  optional,
  record,
  type Static,
  text,
} from '../../base/builders.schema.ts';
import { failure, issue } from '../../base/issue.schema.ts';
import { limitable } from '../../budget/amount.ts';
import {
  amount,
  attachment,
  elapsed,
  eventLine,
  form,
  openGate,
  orders,
  partial,
  runStatus,
  shortfallKeys,
} from '../../view/shown.schema.ts';
import { intent } from './why.schema.ts';

export const report = map({
  report: map(
    {
      run: text('The id of the run.'),
      template: text('The name of its template.'),
      status: runStatus('completed', 'failed', 'cancelled', 'waiting', 'paused', 'interrupted'),
      partial,
      takenOver: optional(only(true, 'Another process has taken the run over, and drives it now.')),
      output: json("The template's output, or the results of the last steps by name; null while it has not ended."),
      failure: optional(failure('The failure that ended the run.')),
      orders,
      ...shortfallKeys,
      stop: optional(
        map(
          {
            account: text(),
            resource: oneOf([...limitable, 'time', 'planning_depth'], 'Money is in dollars, time in seconds.'),
            limit: number(),
            spent: number(),
            reserved: number(),
            landing: number('The part that only the landing set may use.'),
            key: text('The key that sets the limit.'),
          },
          'The limit that forced a convergence.',
        ),
      ),
      gates: optional(list(openGate(), 'The open questions, if the run waits for nothing else.')),
      spent: amount('The amount used; dollars.'),
      elapsed,
      reports: list(text(), 'The paths of the reports that it wrote.'),
    },
    'The end of the run.',
  ),
});
export type ReportAnswer = Static<typeof report>;

const driven = [form(eventLine, 'a line for each event:'), form(report, 'and as the last line:')];
export const drivenForms = driven;

export const elsewhere = map({
  ordered: map({ followed: flag('The other process has followed the order.') }, 'The order.'),
});
export type ElsewhereAnswer = Static<typeof elsewhere>;

export const orderedForms = [...driven, form(elsewhere, 'or, if another process drives the run, the one line:')];

const orderKeys = {
  run: text('The id of the run.'),
  driven: flag('Another process drives the run and will follow the order.'),
  status: text('The status of the run now.'),
};
export const posted = map({ ...orderKeys, order: oneOf(['cancel', 'pause'], 'The order.') });
export type PostedAnswer = Static<typeof posted>;

const parameters = map({
  named: optional(record(json())),
  quoted: optional(list(text())),
  code: optional(list(text())),
  links: optional(list(text())),
  paths: optional(list(text())),
  outputs: optional(list(text())),
  numbers: optional(list(number())),
});

export const pursuitPlan = map({
  tasks: list(
    map({
      description: text('The words of the goal.'),
      kind: text(),
      item: optional(text('The order for one item of a list.')),
      only: optional(text('The words that choose among the items.')),
      after: list(count(), 'The places of the tasks before it.'),
      names: list(text(), 'The capabilities that it names.'),
      parameters,
      attachments: list(attachment),
      name: optional(text('The name of its step.')),
      input: optional(record(json(), 'The input of its call.')),
      coarse: optional(only(true, 'More than one call can do.')),
    }),
    'The tasks that the words ask for.',
  ),
  confidence: number('From 0 to 1; 0 if it abstains.'),
  signals: list(
    map({
      kind: oneOf(['interaction', 'condition', 'repetition', 'sequence', 'alternative', 'conjunction']),
      words: text(),
      clause: text(),
    }),
    'The reasons why the words do not suffice.',
  ),
  notes: list(text(), 'The conclusions beyond the words.'),
  abstained: optional(text('The reason why a model or a person has to plan.')),
  steps: optional(list(record(json()), 'The steps that the tasks become.')),
  intents: optional(list(intent, 'The tasks, and the steps that serve each.')),
  findings: optional(list(text(), 'The arguments that went into other calls or through a list.')),
  issues: optional(list(issue(), 'Words that no call takes.')),
  questions: optional(
    list(map({ question: text(), answer: record(json(), 'JSON Schema of an answer.') }), 'The questions to a person.'),
  ),
  phased: optional(
    map(
      { pattern: text(), why: text(), phases: list(text()) },
      'The phases, for a goal that is not worked off task by task.',
    ),
  ),
  why: optional(text('The reason why the tasks cannot be planned.')),
  wanted: optional(
    map(
      {
        name: text(),
        description: text(),
        input: jsonObject('The input that it would be given.'),
        nearest: list(
          map({
            name: text(),
            shares: list(text(), 'The words that the goal and the capability share.'),
            veto: optional(text('The reason why it may not serve.')),
            score: optional(number()),
            alike: optional(number()),
            does: optional(flag()),
            isAbout: optional(flag()),
          }),
          'The nearest capabilities.',
        ),
      },
      'The capability that is missing.',
    ),
  ),
});
export type PursuitPlanAnswer = Static<typeof pursuitPlan>;

export const pursueForms = [...driven, form(pursuitPlan, 'with `--plan-only`:')];
