// Shrinking: turns any result into a view, by the kind of its value and the hints of its contract.
import { isJsonArray, isJsonObject, type Json, nameOfKind } from '../base/json.ts';
import type { Schema } from '../contract/schema.ts';
import type { StepRecord } from './request.ts';
import { countedView, countIn } from './shrink/already-shrunk.ts';
import { speaksOfEliding, withoutElided } from './shrink/elide.ts';
import { type Guide, guideOf, namesFields } from './shrink/guide.ts';
import { longListView, tableView } from './shrink/long-list.ts';
import { recordView } from './shrink/record.ts';
import { shortListView } from './shrink/short-list.ts';
import { textView } from './shrink/text.ts';
import { fixed, sizeOf, stretch, type View } from './shrink/view.ts';

/** A list up to this length is shown item by item; a map up to this size is a record even without a contract. */
const FEW_ITEMS = 5;
const FEW_KEYS = 24;
const SHORT_TEXT = 64;
const DEEPEST = 16;
const USUAL_SAMPLE = 24;

/** The result without elided and sensitive fields; the result itself when it has none. */
export function showable(record: StepRecord): Json | undefined {
  const { result, schema, elide = [] } = record;
  const hidesNothing = elide.length === 0 && (schema === undefined || !speaksOfEliding(schema));
  if (result === undefined || hidesNothing) return result;
  return withoutElided(result, guideFor(record, result, USUAL_SAMPLE));
}

/** `sample` is the number of list items shown when neither the contract nor the step sets one. */
export function resultView(record: StepRecord, value: Json, sample: number = USUAL_SAMPLE): View {
  return look(value, guideFor(record, value, sample), 0);
}

/** The view of a value without a contract. */
export function plainView(value: Json): View {
  return look(value, guideOf(value, undeclared, { keep: nothing, elide: nothing, sample: USUAL_SAMPLE }), 0);
}

const undeclared: Schema = {};
const nothing: ReadonlySet<string> = new Set();

function guideFor({ schema, keep, elide, sample }: StepRecord, value: Json, usual: number): Guide {
  const wishes = {
    keep: keep === undefined ? nothing : new Set(keep),
    elide: elide === undefined ? nothing : new Set(elide),
    sample: sample ?? usual,
  };
  return guideOf(value, schema ?? undeclared, wishes);
}

function look(value: Json, guide: Guide, depth: number): View {
  const below = (inside: Json, inner: Guide) => look(inside, inner, depth + 1);
  if (typeof value === 'string' && value.length > SHORT_TEXT) return textView(value, guide);
  const count = isJsonArray(value) ? value.length : isJsonObject(value) ? Object.keys(value).length : 0;
  if (count === 0) return fixed(value, sizeOf(value), guide.hints.keep);
  if (depth === DEEPEST) return lump(value, guide);
  if (isJsonArray(value))
    return count <= FEW_ITEMS ? shortListView(value, guide, below) : longListView(value, guide, below);
  if (!isJsonObject(value)) return fixed(value);
  const counted = countIn(value);
  if (counted !== undefined) return countedView(value, counted, guide, below);
  return count <= FEW_KEYS || namesFields(guide) ? recordView(value, guide, below) : tableView(value, guide, below);
}

/** Shows the value whole, or only its type. */
function lump(value: Json, { hints }: Guide): View {
  const bytes = sizeOf(value);
  const outline = `$${nameOfKind(value)}`;
  return stretch({ value, bytes, outline, kept: hints.keep ? bytes : 0, between: () => outline });
}
