// A rule that mends issues: what it gets, and what it returns.
import type { Issue } from '../../base/issue.ts';
import type { Json } from '../../base/json.ts';
import type { Outline, OutlineNode } from '../parse/outline.ts';
import type { SpanEdit } from './edits.ts';

/** A placed issue and its text. */
export interface MendingCase {
  readonly issue: Issue;
  readonly outline: Outline;
  /** The offset of the first character of the issue's place, and of the character after its last. */
  readonly from: number;
  readonly to: number;
  /** The node at the issue's path. */
  readonly node: OutlineNode | undefined;
  readonly document: Json;
}

export interface Correction {
  /** A sentence that begins with a verb. */
  readonly title: string;
  readonly edits: readonly (SpanEdit | undefined)[];
}

/** Undefined when the rule does not apply. */
export type MendingRule = (given: MendingCase) => Correction | undefined;
