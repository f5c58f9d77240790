// The compactor: the rolling summary of one agent's long conversation, in which each new result finds room by shrinking the older ones further.
import type { Json, JsonObject } from '../base/json.ts';
import { bad, good, type Result } from '../base/result.ts';
import { roomiest } from './fitting/roomiest.ts';
import { overAllowance } from './over-allowance.ts';
import type { StepRecord } from './request.ts';
import { allotAll, type Part } from './shrink/allot.ts';
import { fieldFrame } from './shrink/view.ts';
import { resultView, showable } from './shrink.ts';
import type { CountTokens } from './tokens.ts';

/** What one turn of a conversation brought: `id` tells it from the others, the rest says what it is and how it may be shown. */
export type Turn = Pick<StepRecord, 'id' | 'capability' | 'schema' | 'keep' | 'elide' | 'sample'> & {
  readonly result: Json;
};

export interface Summary {
  /** How many results went into it. */
  readonly turns: number;
  /** The newest first, as much of each as is still shown. */
  readonly told: readonly Turn[];
  /** Of those of which nothing is shown any more: how many, by capability. */
  readonly gone: Readonly<Record<string, number>>;
  /** What is shown: `{turns, results, gone?}`. */
  readonly body: JsonObject;
  /** Of the body's JSON. */
  readonly tokens: number;
}

export interface Allowance {
  /** Of the body's JSON. */
  readonly maxTokens: number;
  readonly countTokens: CountTokens;
}

export const nothingYet: Summary = { turns: 0, told: [], gone: {}, body: { turns: 0, results: {} }, tokens: 0 };

/** Each turn weighs this much of the one after it. */
const FADING = 0.7;
/** So many capabilities of results that are gone are named; these, and turns without a capability, are the others. */
const MOST_NAMED = 12;
const OTHER = 'other';

/** Of the room, what the outlines of older results may take. */
const OUTLINES = 1 / 4;

/** By turn, the newest first; those behind the last one have no room. */
type Shown = readonly Json[];

/**
 * Merges the latest result into the summary. Nothing is cut off: results are shrunk by their contracts, older ones sooner,
 * and those that no longer fit are counted. The same turns always give the same summary. Issue: CONTEXT_OVER_ALLOWANCE.
 */
export function compact(summary: Summary, latest: Turn, { maxTokens, countTokens }: Allowance): Result<Summary> {
  const turns = summary.turns + 1;
  const told = [withoutHidden(latest), ...summary.told.filter(({ id }) => id !== latest.id)];
  const parts = told.map((turn, at) => ({
    view: resultView(recordOf(turn), turn.result),
    frame: fieldFrame(turn.id),
    weight: FADING ** at,
  }));
  const most = parts.reduce((sum, { frame, view }) => sum + frame + view.most, 0);
  const show = (room: number) => shownIn(room, parts);
  const made = (shown: Shown) => summed(turns, told, shown, summary.gone);
  const fits = (shown: Shown) => countTokens(JSON.stringify(made(shown).body)) <= maxTokens;
  const whole = parts.map(({ view }) => view.show(view.most));
  const chosen = made(fits(whole) ? whole : roomiest({ most, show }, fits));
  const tokens = countTokens(JSON.stringify(chosen.body));
  if (tokens <= maxTokens) return good({ turns, ...chosen, tokens });
  const hint = 'give the summary of a conversation more room';
  return bad([overAllowance('the counts of a conversation alone', tokens, maxTokens, hint)]);
}

function withoutHidden(turn: Turn): Turn {
  const result = showable(recordOf(turn)) ?? null;
  return result === turn.result ? turn : { ...turn, result };
}

function recordOf(turn: Turn): StepRecord {
  return { ...turn, name: turn.id, attempt: 1, status: 'completed' };
}

/** The newest is shown in any room that holds its outline; older ones as long as outlines leave room for more. */
function shownIn(room: number, parts: readonly Part[]): Shown {
  let outlines = 0;
  const near = parts.filter(({ frame, view }, at) => {
    outlines += frame + view.least;
    return outlines <= (at === 0 ? room : room * OUTLINES);
  });
  const rooms = allotAll(near, room);
  return near.map(({ view }, at) => view.show(rooms[at] ?? view.least));
}

function summed(
  turns: number,
  told: readonly Turn[],
  shown: Shown,
  before: Summary['gone'],
): Pick<Summary, 'told' | 'gone' | 'body'> {
  const kept = told.slice(0, shown.length).map((turn, at): Turn => ({ ...turn, result: shown[at] ?? null }));
  const gone = new Map(Object.entries(before));
  for (const { capability = OTHER } of told.slice(shown.length)) {
    const name = gone.has(capability) || gone.size < MOST_NAMED ? capability : OTHER;
    gone.set(name, (gone.get(name) ?? 0) + 1);
  }
  const body = {
    turns,
    results: Object.fromEntries(kept.map(({ id, result }) => [id, result])),
    ...(gone.size === 0 ? {} : { gone: Object.fromEntries(gone) }),
  };
  return { told: kept, gone: Object.fromEntries(gone), body };
}
