// The convergence record: how the branches that end at a step ended.
import {
  count,
  flag,
  list,
  map,
  oneOf,
  optional,
  record,
  reference,
  type Static,
  text,
} from '../../base/builders.schema.ts';

export const failedFeeder = map(
  {
    step: text('The step at the end of the branch, or the item of a fan-out.'),
    of: optional(text('The fan-out of an item.')),
    root: text('The step that failed first.'),
    code: text("The failure's code; `reconverge docs CODE` explains it."),
    message: text("The failure's message."),
  },
  'A branch that failed, or an item of a fan-out that failed in a branch.',
);
export type FailedFeeder = Static<typeof failedFeeder>;

export const toleratedStep = map(
  {
    step: text('The step.'),
    of: optional(text('The fan-out of an item.')),
    code: text("The failure's code; `reconverge docs CODE` explains it."),
    message: text("The failure's message."),
  },
  'A step whose failure its template or its plan tolerates.',
);
export type ToleratedStep = Static<typeof toleratedStep>;

export const tally = map({
  expected: count('Branches that count.'),
  succeeded: count('Branches that succeeded.'),
  failed: count('Branches that failed.'),
});
export type Tally = Static<typeof tally>;

export const convergenceSchema = map(
  {
    expected: count('Branches that count.'),
    succeeded: count('Branches that succeeded.'),
    failed: list(
      failedFeeder,
      'Branches that failed; and items of fan-outs that failed, which leave their branch a success for the policy.',
    ),
    tolerated: optional(
      list(toleratedStep, 'Steps of the branches whose failure was tolerated. Absent in journals of earlier versions.'),
    ),
    skipped: list(
      map({ step: text('The step at the end of the branch.'), reason: text('The reason.') }),
      'Branches that did not run, because nobody needed them.',
    ),
    partial: flag('An expected branch did not succeed, or only in part.'),
    reason: oneOf(
      ['empty', 'all_success', 'all_settled', 'quorum', 'budget', 'unmet'],
      'The policy that was met, or the reason why none was.',
    ),
    by_phase: record(tally, 'The branches by the planning step that brought them; `frame` for authored steps.'),
  },
  'How the branches that end at a step ended.',
);
export type Convergence = Static<typeof convergenceSchema>;
export const convergence = reference<Convergence>('Convergence', 'convergence');
