// Reads the plan in a text reply: bare or fenced, with reasoning and prose around it, and with faults that can be mended.
import { counted } from '../../base/counted.ts';
import { isJsonArray, isJsonObject, type Json, ownProperty } from '../../base/json.ts';
import { readJson } from '../../model/read-json.ts';
import { readValue, type ValueReading } from '../../model/read-value.ts';
import { shownText, whyUnread } from '../../model/why-unread.ts';
import { readNeeds } from '../../template/keys/needs.ts';
import { looksIn } from '../look.ts';
import { questionIn } from '../question.ts';
import { findPlan } from './find-plan.ts';
import { isSound, type PythonReply, pythonInReply } from './python/python-reply.ts';

export interface ReplyJson {
  readonly value: Json;
  /** Notes on tolerated deviations. */
  readonly notes: readonly string[];
}

export type PlannerText =
  | { readonly kind: 'json'; readonly json: ReplyJson; readonly fits: boolean }
  | { readonly kind: 'python'; readonly python: PythonReply };

/**
 * The value in JSON or the calls in Python, whichever the text holds. JSON that is a plan wins over calls in fences. Undefined
 * without both.
 */
export function readPlannerText(text: string): PlannerText | undefined {
  const whole = readJson(text.trim());
  const python = whole === undefined ? pythonInReply(text) : undefined;
  if (python?.place === 'whole' && isSound(python)) return { kind: 'python', python };
  const outside = python?.place === 'fence' && isSound(python) ? withBlank(text, python) : text;
  const read = readValue(outside, { fits: isPlanByShape });
  if (python !== undefined && read?.fits !== true) return { kind: 'python', python };
  return read && { kind: 'json', json: { value: read.value, notes: notesOn(read) }, fits: read.fits };
}

/** The text with blanks in the place of the calls, whose arguments may look like plans in JSON. */
function withBlank(text: string, { from, end }: PythonReply): string {
  return `${text.slice(0, from)} ${text.slice(end)}`;
}

/** The last value that is a plan by its shape, else the last value. A value that ends before it closes is never closed. */
export function readReplyText(text: string): ReplyJson | undefined {
  const read = readPlannerText(text);
  return read?.kind === 'json' ? read.json : undefined;
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

export function notesOnPython({ place, others }: PythonReply): readonly string[] {
  return [...(place === 'fence' ? ['fenced text'] : []), ...noteOnOthers(others)];
}

export function noteOnOthers(count: number): readonly string[] {
  return count === 0 ? [] : [`the last of ${counted(count + 1, 'plan')}`];
}

/** Why a text is no reply of a planner, as a sentence for the model; undefined for a reply. */
export function whyNoPlan(text: string): string | undefined {
  const read = readPlannerText(text);
  if (read === undefined) return `Your answer ${whyUnread(text)}.`;
  if (read.kind === 'python') return whyNoCalls(read.python);
  if (read.fits) return undefined;
  const { value } = read.json;
  const plan = findPlan(value);
  const why = 'code' in plan ? plan.message : 'it has no steps';
  return `Your answer was read as ${shownText(JSON.stringify(value))}, and that is no fragment: ${why}.`;
}

function whyNoCalls({ plan }: PythonReply): string | undefined {
  const [first] = plan.issues;
  if (first === undefined) return undefined;
  const where = first.place === undefined ? '' : ` in line ${first.place.line}`;
  return `Your answer was read as calls in Python, and${where} ${first.message}.`;
}

/** A plan, a question, a wish to see more, a need for results, or the statement that the goal is impossible. */
export function isPlanByShape(value: Json): boolean {
  if (isJsonArray(value) && (value.length === 0 || !value.every(isJsonObject))) return false;
  if (!('code' in findPlan(value))) return true;
  if (typeof ownProperty(value, 'impossible') === 'string' || questionIn(value) !== undefined) return true;
  if (looksIn(value) !== undefined) return true;
  return isJsonObject(value) && readNeeds(value.needs).length > 0;
}
