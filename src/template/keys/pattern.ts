// Keys of planners that read a goal's words: kinds of tasks and who does them, whether one at a time, and how sure is sure enough.
import { attachments } from './attachment.ts';
import type { KeyValues } from './key.ts';
import { flag, map, mapByName, number, text, words } from './kinds.ts';

/** The kinds of tasks that need no declaration. */
export const builtInKinds = ['tool_call', 'processing', 'clarification'] as const;

export const ASK_BELOW = 0.6;

/**
 * Ways to take a goal apart: `pattern` by its words, `intent_first` by a model that sees no tools, `grounded` by a model
 * that sees the tools that may serve; with `direct` a model plans the steps themselves.
 */
export const strategies = ['pattern', 'intent_first', 'grounded', 'direct'] as const;

export type Strategy = (typeof strategies)[number];

/** The frames of work towards a goal: docs/patterns. */
export const workPatterns = [
  'recon_execute',
  'iterative_refinement',
  'map_analyze_reduce',
  'progressive_disclosure',
] as const;

export type WorkPattern = (typeof workPatterns)[number];

const kindKeys = {
  agent: text('The agent that does them.', 'tester'),
  capability: text('The capability that does them.', 'web.search'),
  matches: words('The words by which such a task is known; its own name when nothing is said.', ['unit test']),
};

export type TaskKind = KeyValues<typeof kindKeys>;

/** Kinds of tasks, by name. */
export type TaskKinds = Readonly<Record<string, TaskKind>>;

const kind = map('Who does tasks of a kind, and how they are known.', kindKeys).orShort(
  { type: ['string', 'object'], 'x-expects': 'the name of an agent, or { agent, capability, matches }' },
  (written): TaskKind | undefined => (typeof written === 'string' ? { agent: written } : {}),
);

export const patternKeys = {
  kinds: mapByName('Kinds of tasks beside `tool_call`, `processing` and `clarification`, or who does these.', kind, {
    unit_test: { agent: 'tester' },
    retrieval: { capability: 'web.search' },
  }).orElse({}),
  sequential: flag('One task at a time, each told in short what came before; one that fails holds up no other.').or(
    false,
  ),
  ask_below: number(
    'How sure it must be of the tasks; below, the next strategy takes the goal apart, or a person is asked. Unless said, what the template says.',
    0,
    1,
  ).shows(ASK_BELOW),
  attachments: attachments('What comes with the goal; it goes to the tasks that speak of it, else to all.').orElse([]),
};

/** The settings of one planner; the template's `ask_below` applies where the planner has none. */
export type PatternSpec = KeyValues<typeof patternKeys>;

export type PatternSettings = PatternSpec & { readonly askBelow: number };

export const noPatternKeys: PatternSpec = { kinds: {}, sequential: false, attachments: [] };
