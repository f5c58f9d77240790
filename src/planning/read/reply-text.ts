// Reads the plan in a text reply: bare or fenced, with reasoning and prose around it, and with faults that can be mended.
import { counted } from '../../base/counted.ts';
import { isJsonArray, isJsonObject, type Json, ownProperty } from '../../base/json.ts';
import { readValue, type ValueReading } from '../../model/read-value.ts';
import { shownText, whyUnread } from '../../model/why-unread.ts';
import { readNeeds } from '../../template/keys/needs.ts';
import { looksIn } from '../look.ts';
import { questionIn } from '../question.ts';
import { findPlan } from './find-plan.ts';

export interface ReplyJson {
  readonly value: Json;
  /** Notes on tolerated deviations. */
  readonly notes: readonly string[];
}

/** The last value that is a plan by its shape, else the last value. A value that ends before it closes is never closed. */
export function readReplyText(text: string): ReplyJson | undefined {
  const read = readValue(text, { fits: isPlanByShape });
  return read && { value: read.value, notes: notesOn(read) };
}

function notesOn({ place, mended, others }: ValueReading): readonly string[] {
  return [
    ...(place === 'fence' ? ['fenced text'] : []),
    ...(place === 'prose' ? ['text around the plan'] : []),
    ...(mended === 'commas' ? ['trailing commas'] : []),
    ...(mended === 'faults' ? ['JSON with faults'] : []),
    ...noteOnOthers(others),
  ];
}

export function noteOnOthers(count: number): readonly string[] {
  return count === 0 ? [] : [`the last of ${counted(count + 1, 'plan')}`];
}

/** Why a text is no reply of a planner, as a sentence for the model; undefined for a reply. */
export function whyNoPlan(text: string): string | undefined {
  const read = readValue(text, { fits: isPlanByShape });
  if (read?.fits === true) return undefined;
  if (read === undefined) return `Your answer ${whyUnread(text)}.`;
  const plan = findPlan(read.value);
  const why = 'code' in plan ? plan.message : 'it has no steps';
  return `Your answer was read as ${shownText(JSON.stringify(read.value))}, and that is no fragment: ${why}.`;
}

/** A plan, a question, a wish to see more, a need for results, or the statement that the goal is impossible. */
export function isPlanByShape(value: Json): boolean {
  if (isJsonArray(value) && (value.length === 0 || !value.every(isJsonObject))) return false;
  if (!('code' in findPlan(value))) return true;
  if (typeof ownProperty(value, 'impossible') === 'string' || questionIn(value) !== undefined) return true;
  if (looksIn(value) !== undefined) return true;
  return isJsonObject(value) && readNeeds(value.needs).length > 0;
}

export interface Fence {
  readonly body: string;
  /** The offset of the body in the text. */
  readonly from: number;
}

const FENCE = /```[a-zA-Z]*[ \t]*\r?\n([\s\S]*?)```/g;

export function fencesIn(text: string): readonly Fence[] {
  return [...text.matchAll(FENCE)].map((found) => {
    const [whole, body = ''] = found;
    return { body, from: found.index + whole.indexOf('\n') + 1 };
  });
}
