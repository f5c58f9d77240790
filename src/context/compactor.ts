// The compactor: a rolling summary of one agent's conversation that shrinks older results to make room for new ones.
import type { Json, JsonObject } from '../base/json.ts';
import { bad, good, type Result } from '../base/result.ts';
import { largestFit } from './fitting/largest-fit.ts';
import { overAllowance } from './over-allowance.ts';
import type { StepRecord } from './request.ts';
import { allotAll, type SizedPart } from './shrink/allot.ts';
import { fieldFrame } from './shrink/view.ts';
import { resultView, showable } from './shrink.ts';
import type { CountTokens } from './tokens.ts';

/** The result of one turn of a conversation, with its contract and the settings that limit how it is shown. */
export type ConversationTurn = Pick<StepRecord, 'id' | 'capability' | 'schema' | 'keep' | 'elide' | 'sample'> & {
  readonly result: Json;
};

export interface ConversationSummary {
  /** The number of results that were merged. */
  readonly turns: number;
  /** The turns that are still shown, newest first, each with the part of its result that is left. */
  readonly told: readonly ConversationTurn[];
  /** The number of results that are no longer shown, by capability. */
  readonly gone: Readonly<Record<string, number>>;
  /** The shown summary: `{turns, results, gone?}`. */
  readonly body: JsonObject;
  /** The tokens of the body's JSON. */
  readonly tokens: number;
}

export interface Allowance {
  /** A limit for the body's JSON. */
  readonly maxTokens: number;
  readonly countTokens: CountTokens;
}

export const nothingYet: ConversationSummary = {
  turns: 0,
  told: [],
  gone: {},
  body: { turns: 0, results: {} },
  tokens: 0,
};

/** A turn has this fraction of the weight of the next newer turn. */
const FADING = 0.7;
/** `gone` names at most this many capabilities; further ones, and turns without a capability, count as `other`. */
const MOST_NAMED = 12;
const OTHER = 'other';

/** The share of the room that outlines of older results may take. */
const OUTLINES = 1 / 4;

/** Shown results by turn, newest first; turns beyond the end of the list have no room. */
type ShownResults = readonly Json[];

/**
 * Merges the latest result into the summary. Nothing is cut off: results are shrunk by their contracts, older ones sooner,
 * and those that no longer fit are counted. The same turns always give the same summary. Issue: CONTEXT_OVER_ALLOWANCE.
 */
export function compact(
  summary: ConversationSummary,
  latest: ConversationTurn,
  { maxTokens, countTokens }: Allowance,
): Result<ConversationSummary> {
  const turns = summary.turns + 1;
  const told = [withoutHidden(latest), ...summary.told.filter(({ id }) => id !== latest.id)];
  const parts = told.map((turn, at) => ({
    view: resultView(recordOf(turn), turn.result),
    frame: fieldFrame(turn.id),
    weight: FADING ** at,
  }));
  const most = parts.reduce((sum, { frame, view }) => sum + frame + view.most, 0);
  const show = (room: number) => shownIn(room, parts);
  const made = (shown: ShownResults) => summed(turns, told, shown, summary.gone);
  const fits = (shown: ShownResults) => countTokens(JSON.stringify(made(shown).body)) <= maxTokens;
  const whole = parts.map(({ view }) => view.show(view.most));
  const chosen = made(fits(whole) ? whole : largestFit({ most, show }, fits));
  const tokens = countTokens(JSON.stringify(chosen.body));
  if (tokens <= maxTokens) return good({ turns, ...chosen, tokens });
  const hint = 'give the summary of a conversation more room';
  return bad([overAllowance('the summary of this conversation takes', tokens, maxTokens, hint)]);
}

function withoutHidden(turn: ConversationTurn): ConversationTurn {
  const result = showable(recordOf(turn)) ?? null;
  return result === turn.result ? turn : { ...turn, result };
}

function recordOf(turn: ConversationTurn): StepRecord {
  return { ...turn, name: turn.id, attempt: 1, status: 'completed' };
}

/** Shows the newest result wherever its outline fits, and older ones while all outlines take no more than their share. */
function shownIn(room: number, parts: readonly SizedPart[]): ShownResults {
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
  told: readonly ConversationTurn[],
  shown: ShownResults,
  before: ConversationSummary['gone'],
): Pick<ConversationSummary, 'told' | 'gone' | 'body'> {
  const kept = told
    .slice(0, shown.length)
    .map((turn, at): ConversationTurn => ({ ...turn, result: shown[at] ?? null }));
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
