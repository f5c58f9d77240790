// Scripts for models: conditions and replies as plain JSON, used by the scripted model and by the test server.
import type { Json } from '../base/json.ts';

/** The first rule that fits and is not used up answers a request. */
export type Script = readonly ScriptRule[];

export interface ScriptRule {
  /** All conditions must hold; absent: every request fits. */
  readonly when?: ScriptCondition;
  readonly reply: ScriptReply;
  /** The number of times that the rule answers; absent: once. */
  readonly times?: number | 'always';
}

export interface ScriptCondition {
  /** Text that some message contains. */
  readonly contains?: string;
  /** Text that no message contains. */
  readonly notContains?: string;
  /** Text that a system message contains. */
  readonly system?: string;
  /** Text that the last message contains. */
  readonly last?: string;
  /** 1 for the model's first turn. */
  readonly turn?: number;
  /** The requested model: a profile's name for the port, the provider's name for a server. */
  readonly model?: string;
  /** The name of an offered tool. */
  readonly tool?: string;
}

export type ScriptReply = SpokenReply | { readonly fail: ScriptedFailure };

export type SpokenReply =
  | (ScriptedText & { readonly text: string })
  | (ScriptedText & { readonly json: Json })
  | (ScriptedText & { readonly toolCalls: readonly ScriptedCall[]; readonly text?: string })
  | (ScriptedText & { readonly refusal: string });

interface ScriptedText {
  /** The model's reasoning before its answer; each server shows it in its own form. */
  readonly reasoning?: string;
  /** `length`: cut off at the token limit. `filter`: stopped by the provider. */
  readonly finish?: 'length' | 'filter';
  /** Absent: estimated. `untold`: the response reports no usage. */
  readonly usage?: ScriptedUsage | 'untold';
}

export interface ScriptedUsage {
  readonly input: number;
  readonly cached?: number;
  readonly output: number;
  /** The part of `output` that was spent on reasoning. */
  readonly reasoning?: number;
}

export interface ScriptedCall {
  /** Absent: numbered. */
  readonly id?: string;
  readonly name: string;
  /** Text is sent unchanged, so that it may be invalid JSON. */
  readonly arguments: Json;
}

export type ScriptedFailure =
  /** An HTTP error; `retryAfter` in milliseconds. */
  | { readonly status: number; readonly message?: string; readonly code?: string; readonly retryAfter?: number }
  /** The connection breaks after this text. */
  | { readonly cut: string }
  /** Nothing follows this text until the caller gives up. */
  | { readonly stall: string }
  /** Status 200 with a page of HTML. */
  | { readonly garbage: true };

/** The properties of a request that rules test. */
export interface ScriptedAsk {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  /** Names of the offered tools. */
  readonly tools: readonly string[];
  /** The number of tool calls so far. */
  readonly called: number;
}

export interface ScriptPlayer {
  /** Undefined when no unused rule fits. */
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

/** Characters of the last message to show. */
const TOLD = 200;

/** Describes a request that no rule fits. */
export function unscripted({ model, messages, tools }: ScriptedAsk): string {
  const last = messages.at(-1)?.content ?? '';
  const told = last.length <= TOLD ? last : `${last.slice(0, TOLD).replace(/[\uD800-\uDBFF]$/, '')}…`;
  const offered = tools.length === 0 ? '' : `, offering ${tools.join(', ')}`;
  return `the script has no answer left for turn ${turnOf(messages)} of ${model}${offered}: ${JSON.stringify(told)}`;
}

/** Splits a text into the pieces of a stream. */
export function piecesOf(text: string): readonly string[] {
  return text.match(/\s*\S+\s*$|\s*\S+|\s+$/g) ?? [];
}
