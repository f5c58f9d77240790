// How a goal is planned by its words alone: kinds of tasks and who does them, whether one at a time, and how sure is sure enough.
import type { Attachment } from './attachment.ts';

/** Kinds of tasks, by name. */
export type Kinds = Readonly<Record<string, KindSpec>>;

export interface KindSpec {
  /** Who does tasks of this kind: an agent or a capability. */
  readonly agent?: string;
  readonly capability?: string;
  /** The words by which it is known; absent: what it is usually known by, else its own name. */
  readonly matches?: readonly string[];
}

export interface PatternSettings {
  readonly kinds: Kinds;
  /** One task at a time, each told in short what came before; one that fails holds up no other. */
  readonly sequential: boolean;
  /** Below this confidence, 0 to 1, others are asked. */
  readonly askBelow: number;
  /** What came with the goal. */
  readonly attachments: readonly Attachment[];
}

/** The kinds that are always there. */
export const basicKinds = ['tool_call', 'processing', 'clarification'] as const;

export const ASK_BELOW = 0.6;

/**
 * How a goal is taken apart: `pattern` by its words, `intent_first` by a model that sees no tools, `grounded` by one that
 * sees those that may serve; `direct`: a model plans the steps themselves.
 */
export const strategies = ['pattern', 'intent_first', 'grounded', 'direct'] as const;

export type Strategy = (typeof strategies)[number];

/** As written: what is not said of `ask_below` the template says. */
export type PatternSpec = Omit<PatternSettings, 'askBelow'> & { readonly askBelow?: number };

export const wordless: PatternSpec = { kinds: {}, sequential: false, attachments: [] };

/** The frames of work towards a goal: docs/patterns. */
export const workPatterns = [
  'recon_execute',
  'iterative_refinement',
  'map_analyze_reduce',
  'progressive_disclosure',
] as const;

export type WorkPattern = (typeof workPatterns)[number];
