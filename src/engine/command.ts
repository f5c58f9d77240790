// Commands: orders to a run, from people and from the performers that bring outcomes.

import type { Failure } from '../base/failure.ts';
import type { Json } from '../base/json.ts';
import type { Instant } from '../base/quantity.ts';
import type { Amount } from '../budget/amount.ts';
import type { Template } from '../template/template.ts';
import type { Order } from './event.ts';

export type Outcome =
  | { readonly ok: true; readonly value: Json; readonly bill?: Amount }
  | { readonly ok: false; readonly failure: Failure; readonly bill?: Amount };

export type Command = { readonly at: Instant } & (
  | {
      readonly type: 'start-run';
      readonly run: string;
      readonly template: Template;
      readonly input: Json;
      readonly folder: string;
      readonly by: string;
    }
  /** A driver takes the run over: what was under way is handed out again. */
  | { readonly type: 'attach'; readonly by: string }
  | { readonly type: 'start-step'; readonly step: string }
  | {
      readonly type: 'settle';
      readonly step: string;
      readonly attempt: number;
      readonly delivery: number;
      /** What the attempt was given, as its effect carried it. */
      readonly input: Json;
      readonly outcome: Outcome;
      /** From 0 to 1, for the jitter of a retry's delay. */
      readonly chance: number;
    }
  /** The wall clock has reached the deadline. */
  | { readonly type: 'expire' }
  /** No step is live any more. */
  | { readonly type: 'finish' }
  | ({ readonly type: 'pause' | 'resume' | 'cancel' } & Order)
);

export type CommandOf<T extends Command['type']> = Extract<Command, { readonly type: T }>;
