// The schema of attachments, and of what a planner is told that reads a goal's words.
import type { JsonObject } from '../../base/json.ts';
import { choice, flag, map, openMap, type Properties, text, words } from './build.ts';

const attachment: JsonObject = {
  ...map(
    'A link, a file or an image.',
    {
      kind: choice('What it is; by the looks of the reference when nothing is said.', ['link', 'file', 'image']),
      ref: text('An address, or a path under the granted roots.', 'https://example.com/spec.pdf', 'shots/login.png'),
      label: text('What it is called.'),
    },
    ['ref'],
  ),
  type: ['string', 'object'],
  'x-expects': 'a path, an address, or { kind, ref, label }',
};

export function attachments(description: string): JsonObject {
  return {
    type: ['array', 'string'],
    items: attachment,
    description,
    examples: [['https://example.com/spec.pdf', { kind: 'image', ref: 'shots/login.png', label: 'the login form' }]],
  };
}

const kind: JsonObject = {
  ...map('Who does tasks of a kind, and how they are known.', {
    agent: text('The agent that does them.', 'tester'),
    capability: text('The capability that does them.', 'web.search'),
    matches: words('The words by which such a task is known; its own name when nothing is said.', ['unit test']),
  }),
  type: ['string', 'object'],
  'x-expects': 'the name of an agent, or { agent, capability, matches }',
};

/** Of planners of kind `pattern` and `hybrid`. */
export const patternProperties: Properties = {
  kinds: openMap('Kinds of tasks beside `tool_call`, `processing` and `clarification`, or who does these.', kind, {
    unit_test: { agent: 'tester' },
    retrieval: { capability: 'web.search' },
  }),
  sequential: flag('One task at a time, each told in short what came before; one that fails holds up no other.', false),
  ask_below: {
    type: 'number',
    minimum: 0,
    maximum: 1,
    default: 0.6,
    description:
      'How sure it must be of the tasks; below, the next strategy takes the goal apart, or a person is asked. Unless said, what the template says.',
  },
  attachments: attachments('What comes with the goal; it goes to the tasks that speak of it, else to all.'),
};
