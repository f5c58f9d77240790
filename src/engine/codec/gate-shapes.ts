// The shapes of the events in which people are asked, and in which they answer.
import type { EventType } from '../record/event.ts';
import { bill, count, type EventShape, expiry, gate, list, named, order, step, text } from './shape-words.ts';

type GateEvent = Extract<EventType, `gate.${string}` | 'step.held' | 'steps.released'>;

export const gateShapes: Readonly<Record<GateEvent, EventShape>> = {
  'gate.opened': {
    says: 'A person is asked; the step is held until they have answered.',
    required: ['gate', 'step', 'kind', 'prompt', 'decision'],
    properties: {
      gate,
      step,
      kind: {
        enum: [
          'review',
          'clarification',
          'approval',
          'plan_review',
          'replan',
          'exhaustion',
          'synthesis',
          'llm_prompt',
          'outcome',
          'lock',
          'child',
        ],
        description: 'What for.',
      },
      prompt: text('What is asked.'),
      decision: { type: 'object', description: 'JSON Schema of an answer.' },
      context: named('kept', 'What to see before deciding; of an approval the call as it will be made.'),
      call: {
        type: 'object',
        required: ['capability', 'input'],
        properties: {
          capability: text('What is called.'),
          input: text('Digest of what it is called with.'),
          each: { const: true, description: 'Agreeing covers this call alone.' },
        },
        description: 'What is approved of.',
      },
      child: {
        type: 'object',
        description: 'The run that is waited for, and what people are asked there; nothing: it is paused.',
        required: ['run', 'asks'],
        properties: {
          run: text('Its id.'),
          asks: list('Each gate that is open there, as `gates` lists it.', { type: 'object' }),
        },
        additionalProperties: false,
      },
      as: text("Under which key of the step's input an answer goes that is no object."),
      expiresAt: count('Until when; milliseconds since 1970.'),
      onExpiry: expiry('What happens then; fail unless said.'),
      bill,
      exhaustion: named('exhaustion', 'The limit that was met.'),
      accepts: list('What an approval accepts: keys of differences to the lock file.', { type: 'string' }),
    },
  },
  'gate.decided': {
    says: 'A person has answered; that is final.',
    required: ['gate', 'verdict', 'by'],
    properties: {
      gate,
      verdict: { enum: ['approve', 'reject', 'answer', 'edit'], description: 'What they said.' },
      value: named('kept', 'The answer, or the edited plan.'),
      grant: {
        enum: ['step', 'capability'],
        description: 'What else the approval is for: this capability in this step, or in the run.',
      },
      ...order,
    },
  },
  'gate.expired': {
    says: 'Nobody has answered in time.',
    required: ['gate', 'outcome'],
    properties: { gate, outcome: expiry('What happens.') },
  },
  'step.held': {
    says: 'A step waits for a gate that was opened for another.',
    required: ['step', 'gate'],
    properties: { step, gate, bill },
  },
  'steps.released': {
    says: 'Held steps may start.',
    required: ['steps'],
    properties: { steps: list('Their ids.', { type: 'string' }) },
  },
};
