// The needs of one packet: declared needs, which every strategy shows, and needs from a planner's reply, which have an allowance of their own.

import type { PacketRequest } from '../request.ts';
import { type Choice, wholeChoice } from '../shelf/choice.ts';
import { type SourceView, shelfOf } from '../shelf/shelf.ts';
import { roomyView } from '../shelf/tier.ts';
import { fixed } from '../shrink/view.ts';
import type { ResultSource } from '../source.ts';
import { type FoundNeed, findNeeds, type MissingNeed } from './look-up.ts';

export interface Needs {
  /** The planner has needs, found or not. */
  readonly any: boolean;
  /** Declared with `full: true`: the packet fails when they do not fit. */
  readonly whole: readonly ResultSource[];
  /** Declared, and shrunk when room is short. */
  readonly declared: readonly ResultSource[];
  /** Requested by the planner's reply, shrunk to the cap of one reply. */
  readonly served: readonly Choice[];
  readonly missing: readonly MissingNeed[];
  /** Steps with a need for their whole result, which is then not shown twice. */
  readonly ids: ReadonlySet<string>;
}

/** The most bytes of results that one reply of a planner may request. */
const SERVED = 32_000;

export function needsOf(request: PacketRequest): Needs {
  const { needs = [], asked = [], countTokens } = request;
  const declared = findNeeds(needs, request);
  const served = findNeeds(asked, request);
  const names = new Set(served.needed.map(({ source }) => source.name));
  const others = declared.needed.filter(({ source }) => !names.has(source.name));
  return {
    any: needs.length + asked.length > 0,
    whole: others.filter(({ full }) => full).map(({ source }) => source),
    declared: others.filter(({ full }) => !full).map(({ source }) => source),
    served: shelfOf(served.needed.map(bookOf), countTokens).show(SERVED),
    missing: [...served.missing, ...declared.missing],
    ids: new Set([...served.needed, ...others].flatMap(({ source, all }) => (all ? [source.record.id] : []))),
  };
}

function bookOf({ source, full }: FoundNeed): SourceView {
  return { source, view: full ? fixed(source.whole.value, source.whole.bytes) : roomyView(source) };
}

/** The needs that every packet of the request shows at the same size. */
export function unshrunk({ whole, served }: Needs): readonly Choice[] {
  return [...served, ...whole.map(wholeChoice)];
}
