// Keys of planners that read the words of a goal: kinds of tasks, their order, and the confidence that a plan needs.
import { attachments } from './attachment.ts';
import type { KeyValues } from './key.ts';
import { flag, map, mapByName, number, text, words } from './kinds.ts';

/** Kinds of tasks that need no declaration. */
export const builtInKinds = ['tool_call', 'processing', 'clarification'] as const;

/** The confidence from 0 to 1 below which a planner asks, when a template sets no `ask_below`. */
export const ASK_BELOW = 0.6;

/**
 * Ways to split a goal into tasks: `pattern` by its words, `intent_first` by a model that sees no tools, `grounded` by a
 * model that sees matching tools; with `direct` a model plans the steps themselves.
 */
export const strategies = ['pattern', 'intent_first', 'grounded', 'direct'] as const;

export type Strategy = (typeof strategies)[number];

/** The work patterns of docs/patterns. */
export const workPatterns = [
  'recon_execute',
  'iterative_refinement',
  'map_analyze_reduce',
  'progressive_disclosure',
] as const;

export type WorkPattern = (typeof workPatterns)[number];

const kindKeys = {
  agent: text('The agent that does tasks of this kind.', 'tester'),
  capability: text('The capability that does tasks of this kind.', 'web.search'),
  matches: words('Words that mark a task of this kind; when absent, the name of the kind.', ['unit test']),
};

export type TaskKind = KeyValues<typeof kindKeys>;

/** Kinds of tasks by name. */
export type TaskKinds = Readonly<Record<string, TaskKind>>;

const kind = map('A kind of task: who does it, and which words mark it.', kindKeys).orShort(
  { type: ['string', 'object'], 'x-expects': 'the name of an agent, or { agent, capability, matches }' },
  (written): TaskKind | undefined => (typeof written === 'string' ? { agent: written } : {}),
);

export const patternKeys = {
  kinds: mapByName(
    'Kinds of tasks, in addition to `tool_call`, `processing` and `clarification`; these three may be configured too.',
    kind,
    {
      unit_test: { agent: 'tester' },
      retrieval: { capability: 'web.search' },
    },
  ).orElse({}),
  sequential: flag(
    'Whether tasks run one at a time, each with a summary of the earlier results. A failed task does not stop the others.',
  ).or(false),
  ask_below: number(
    'The confidence that the tasks of a goal need. Below it, the next strategy splits the goal, or a person is asked. When absent, the `ask_below` of the template.',
    0,
    1,
  ).shows(ASK_BELOW),
  attachments: attachments(
    'Attachments of the goal. An attachment goes to the tasks that mention it, or else to all tasks.',
  ).orElse([]),
};

/** The settings of one planner; without `askBelow`, the template's `ask_below` applies. */
export type PatternSpec = KeyValues<typeof patternKeys>;

export type PatternSettings = PatternSpec & { readonly askBelow: number };

export const noPatternKeys: PatternSpec = { kinds: {}, sequential: false, attachments: [] };
