// The needs of one packet: what must be shown whatever the strategy, and what a planner's own reply asked for, served beside the allowance.

import type { PacketRequest } from '../request.ts';
import { type Choice, wholeChoice } from '../shelf/choice.ts';
import { type Book, shelfOf } from '../shelf/shelf.ts';
import { roomyView } from '../shelf/tier.ts';
import { fixed } from '../shrink/view.ts';
import type { Source } from '../source.ts';
import { findNeeds, type Missing, type Needed } from './find.ts';

export interface Needs {
  /** Something was asked for, whatever became of it. */
  readonly any: boolean;
  /** Declared as never to be shrunk: there is no packet without them. */
  readonly whole: readonly Source[];
  /** Declared, and shrunk where there is no room. */
  readonly declared: readonly Source[];
  /** What the planner's reply asked for, as much of it as its cap allows. */
  readonly served: readonly Choice[];
  readonly missing: readonly Missing[];
  /** Steps whose whole result is among them, so that it need not be shown twice. */
  readonly ids: ReadonlySet<string>;
}

/** Bytes of results that one reply of a planner may ask for. */
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

function bookOf({ source, full }: Needed): Book {
  return { source, view: full ? fixed(source.whole.value, source.whole.bytes) : roomyView(source) };
}

/** Those that every way to show the packet has. */
export function unshrunk({ whole, served }: Needs): readonly Choice[] {
  return [...served, ...whole.map(wholeChoice)];
}
