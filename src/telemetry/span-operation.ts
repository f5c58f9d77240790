// What a trace is told, one thing after the other: a span starts, something happens in it, it ends.
import type { Instant } from '../base/quantity.ts';
import type { AttributeName, Attributes } from './attributes.ts';

/** `model`, `embeddings`, `capability`, `look_up`, `files` and `discover` are calls of an attempt. */
export type SpanKind =
  | 'run'
  | 'phase'
  | 'step'
  | 'attempt'
  | 'gate'
  | 'model'
  | 'embeddings'
  | 'capability'
  | 'look_up'
  | 'files'
  | 'discover';

/** In the same trace. */
export interface SpanLink {
  readonly to: string;
  /** Why: `brought` (the planning attempt that brought the step), `replaces` (the plan that a repair replaces). */
  readonly relation: 'brought' | 'replaces';
}

export interface SpanStart {
  readonly op: 'start';
  /** 32 hexadecimal digits. */
  readonly trace: string;
  /** 16 hexadecimal digits. */
  readonly span: string;
  readonly parent: string | undefined;
  readonly kind: SpanKind;
  readonly name: string;
  readonly at: Instant;
  readonly attributes: Attributes;
  readonly links: readonly SpanLink[];
}

export type SpanOperation =
  | SpanStart
  | { readonly op: 'attributes'; readonly span: string; readonly attributes: Attributes }
  | { readonly op: 'link'; readonly span: string; readonly link: SpanLink }
  | {
      readonly op: 'event';
      readonly span: string;
      readonly name: string;
      readonly at: Instant;
      readonly attributes: Attributes;
    }
  | {
      readonly op: 'end';
      readonly span: string;
      readonly at: Instant;
      /** Code of the failure that it ended with. */
      readonly error: string | undefined;
      readonly attributes: Attributes;
    };

/** Attributes without those that have no value. */
export function told(
  attributes: Readonly<Partial<Record<AttributeName, Attributes[AttributeName] | undefined>>>,
): Attributes {
  const entries = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}
