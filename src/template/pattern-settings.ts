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
