// The events in which people are asked, and in which they answer.

import {
  called,
  count,
  jsonObject,
  list,
  map,
  marked,
  oneOf,
  optional,
  type Static,
  text,
} from '../../base/builders.schema.ts';
import type { Expiry } from '../../template/step-spec.ts';
import { bill, event, exhaustion, gate, kept, orderKeys, step, steps } from './event-parts.schema.ts';

export const gateKind = oneOf(
  [
    'review',
    'clarification',
    'approval',
    'plan_review',
    'replan',
    'exhaustion',
    'synthesis',
    'llm_prompt',
    // Nobody knows whether a call was carried out that must not be made twice.
    'outcome',
    // Tools or models differ from reconverge.lock.
    'lock',
    // A child run waits for people itself.
    'child',
  ],
  'The reason for asking.',
);
export type GateKind = Static<typeof gateKind>;

export const verdict = oneOf(
  ['approve', 'reject', 'answer', 'edit'],
  'The answer; `edit` brings another plan, `answer` a value that the contract of the gate allows.',
);
export type Verdict = Static<typeof verdict>;

export const grant = oneOf(
  ['step', 'capability'],
  'How far an approval reaches: this capability in this step, or in the run; absent: this call alone.',
);
export type Grant = Static<typeof grant>;

export const callFacts = map(
  {
    capability: text('The capability that is called.'),
    input: text("Digest of the call's input."),
    each: optional(marked('The approval covers this call alone.')),
  },
  'The call that an approval is asked for.',
);
export type CallFacts = Static<typeof callFacts>;

const expiry = (description: string) =>
  called<Expiry>('Expiry', oneOf(['approve', 'reject', 'fail', 'converge'], description));
const onExpiry = optional(expiry('What happens when the gate expires; absent: the step fails.'));

export const askedInChild = map(
  {
    gate: text('The id of the gate in the child run; of a grandchild with the way to it: `g1/g2`.'),
    kind: gateKind,
    run: text('The child run that asks.'),
    step: text('The step of the child run.'),
    prompt: text('The question.'),
    decision: jsonObject('JSON Schema of an answer.'),
    since: count('When the gate was opened; milliseconds since 1970.'),
    until: optional(count('When the gate expires; milliseconds since 1970.')),
    onExpiry,
  },
  'A gate that is open in a child run.',
);
export type AskedInChild = Static<typeof askedInChild>;

export const gateEvents = [
  event('gate.opened', 'A person is asked; the step is held until they have answered.', {
    gate,
    step,
    kind: gateKind,
    prompt: text('The question.'),
    decision: jsonObject('JSON Schema of an answer.'),
    context: optional(kept('The facts to see before deciding; of an approval the call as it will be made.')),
    call: optional(callFacts),
    child: optional(
      map(
        {
          run: text("The child run's id."),
          asks: list(askedInChild, 'Each gate that is open in the child run, as `gates` lists it.'),
        },
        'The child run that is waited for, and its open gates; without any the child run is paused.',
      ),
    ),
    as: optional(text("The key of the step's input under which an answer goes that is no object.")),
    expiresAt: optional(count('When the gate expires; milliseconds since 1970.')),
    onExpiry,
    bill,
    exhaustion: optional(exhaustion('The limit that was met.')),
    accepts: optional(list(text(), 'The differences to the lock file that an approval accepts, by their keys.')),
  }),
  event('gate.decided', 'A person has answered; the answer is final.', {
    gate,
    verdict,
    value: optional(kept('The answer, or the edited plan.')),
    grant: optional(grant),
    ...orderKeys,
  }),
  event('gate.expired', 'Nobody has answered in time.', { gate, outcome: expiry('What happens.') }),
  event('step.held', 'A step waits for a gate that was opened for another step.', { step, gate, bill }),
  event('steps.released', 'Held steps may start.', { steps }),
] as const;
