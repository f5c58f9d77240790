// What a scripted model answers, and to what: plain JSON, the same for the port and for the test server.
import type { Json } from '../base/json.ts';

/** In order: an ask gets the first rule that fits it and is not used up. */
export type Script = readonly ScriptRule[];

export interface ScriptRule {
  /** All of it must hold; absent: any ask. */
  readonly when?: ScriptCondition;
  readonly reply: ScriptReply;
  /** How often the rule answers; absent: once. */
  readonly times?: number | 'always';
}

export interface ScriptCondition {
  /** Words of any message. */
  readonly contains?: string;
  /** Words of no message. */
  readonly notContains?: string;
  /** Words of a system message. */
  readonly system?: string;
  /** Words of the last message. */
  readonly last?: string;
  /** 1 when the model has not spoken yet. */
  readonly turn?: number;
  /** As it is asked for: of the port a profile's name, of a server the provider's. */
  readonly model?: string;
  /** A tool that is offered. */
  readonly tool?: string;
}

export type ScriptReply = SpokenReply | { readonly fail: ScriptedFailure };

export type SpokenReply =
  | (Said & { readonly text: string })
  | (Said & { readonly json: Json })
  | (Said & { readonly toolCalls: readonly ScriptedCall[]; readonly text?: string })
  | (Said & { readonly refusal: string });

interface Said {
  /** `length`: cut off at the most it may write. `filter`: the provider stopped it. */
  readonly finish?: 'length' | 'filter';
  /** Absent: counted. `untold`: nobody says. */
  readonly usage?: { readonly input: number; readonly cached?: number; readonly output: number } | 'untold';
}

export interface ScriptedCall {
  /** Absent: numbered. */
  readonly id?: string;
  readonly name: string;
  /** A text is sent as it stands, so that it need not be JSON. */
  readonly arguments: Json;
}

export type ScriptedFailure =
  /** What HTTP answers instead; `retryAfter` in milliseconds. */
  | { readonly status: number; readonly message?: string; readonly code?: string; readonly retryAfter?: number }
  /** The connection ends after so much of the answer. */
  | { readonly cut: string }
  /** Nothing more comes after so much of the answer, until the asker gives up. */
  | { readonly stall: string }
  /** All is said to be well, and what comes is a page. */
  | { readonly garbage: true };

/** What a rule is held against. */
export interface ScriptedAsk {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  /** Names of those offered. */
  readonly tools: readonly string[];
  /** How many tools were called so far. */
  readonly called: number;
}

export interface ScriptPlayer {
  /** Undefined when no rule fits, or none is left that does. */
  next(ask: ScriptedAsk): ScriptReply | undefined;
  /** Rules that should have answered more often. */
  unused(): Script;
}

export function playScript(script: Script): ScriptPlayer {
  const used = script.map(() => 0);
  const timesLeft = (index: number): number => {
    const times = script[index]?.times ?? 1;
    return (times === 'always' ? Number.POSITIVE_INFINITY : times) - (used[index] ?? 0);
  };
  return {
    next(ask) {
      const index = script.findIndex(({ when = {} }, at) => timesLeft(at) > 0 && fits(when, ask));
      if (index < 0) return undefined;
      used[index] = (used[index] ?? 0) + 1;
      return script[index]?.reply;
    },
    unused: () => script.filter(({ times }, index) => times !== 'always' && timesLeft(index) > 0),
  };
}

function fits(when: ScriptCondition, { model, messages, tools }: ScriptedAsk): boolean {
  const within = (words: string | undefined, texts: readonly string[]): boolean =>
    words === undefined || texts.some((text) => text.includes(words));
  const texts = messages.map(({ content }) => content);
  return (
    within(when.contains, texts) &&
    (when.notContains === undefined || !within(when.notContains, texts)) &&
    within(
      when.system,
      messages.filter(({ role }) => role === 'system').map(({ content }) => content),
    ) &&
    within(when.last, texts.slice(-1)) &&
    (when.turn === undefined || when.turn === turnOf(messages)) &&
    (when.model === undefined || when.model === model) &&
    (when.tool === undefined || tools.includes(when.tool))
  );
}

function turnOf(messages: ScriptedAsk['messages']): number {
  return messages.filter(({ role }) => role === 'assistant').length + 1;
}

/** Characters of the last message that are told. */
const TOLD = 200;

/** For the failure of an ask that the script does not know. */
export function unscripted({ model, messages, tools }: ScriptedAsk): string {
  const last = messages.at(-1)?.content ?? '';
  const told = last.length <= TOLD ? last : `${last.slice(0, TOLD).replace(/[\uD800-\uDBFF]$/, '')}…`;
  const offered = tools.length === 0 ? '' : `, offering ${tools.join(', ')}`;
  return `the script has no answer left for turn ${turnOf(messages)} of ${model}${offered}: ${JSON.stringify(told)}`;
}

/** The pieces in which a text is streamed; together they are the text. */
export function piecesOf(text: string): readonly string[] {
  return text.match(/\s*\S+\s*$|\s*\S+|\s+$/g) ?? [];
}
