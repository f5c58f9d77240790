// Stretches of time in which no attempt was at work. Long ones would squeeze the work into nothing, so they are shortened.
import type { Duration, Instant } from '../../base/quantity.ts';
import type { RunTimes } from '../times/run-times.ts';
import type { BusyTimes } from '../times/step-times.ts';

export interface IdleStretch {
  readonly from: Instant;
  readonly to: Instant;
  readonly why: 'people' | 'paused' | 'away' | 'idle';
}

export const idleWords: Readonly<Record<IdleStretch['why'], string>> = {
  people: 'waited for a person',
  paused: 'was paused',
  away: 'was driven by nobody',
  idle: 'had nothing at work',
};

/** The stretches between the beginning of the run and a moment, the oldest first. */
export function idleStretches(times: RunTimes, until: Instant): readonly IdleStretch[] {
  const found: IdleStretch[] = [];
  let from = times.began;
  for (const { began, ended } of driven(times)) {
    if (began >= until) break;
    if (began > from) found.push({ from, to: began, why: reasonOf(times, from, began) });
    from = Math.max(from, ended ?? until);
  }
  if (until > from) found.push({ from, to: until, why: reasonOf(times, from, until) });
  return found;
}

/** The busy stretches without the time in which nobody drove the run: an attempt is open then, but nothing works on it. */
function driven({ busy, rests }: RunTimes): readonly BusyTimes[] {
  let parts: readonly BusyTimes[] = busy;
  for (const { why, began, ended } of rests) {
    if (why !== 'away' || ended === undefined) continue;
    parts = parts.flatMap((part) => {
      if (part.began >= ended || (part.ended ?? ended) <= began) return [part];
      const before = part.began < began ? [{ began: part.began, ended: began }] : [];
      const after = { ...part, began: ended };
      return part.ended !== undefined && part.ended <= ended ? before : [...before, after];
    });
  }
  return parts;
}

/** A run that is idle for a longer part of its time than this has its longest stretches shortened. */
const MOST_IDLE = 1 / 3;
/** Shorter stretches would gain nothing. */
const LEAST: Duration = 500;

/** The stretches to shorten: the longest ones, until the rest of the run is busy for two thirds of the time. */
export function stretchesToShorten(stretches: readonly IdleStretch[], whole: Duration): readonly IdleStretch[] {
  const lengthOf = ({ from, to }: IdleStretch): Duration => to - from;
  let idle = stretches.reduce((sum, each) => sum + lengthOf(each), 0);
  const busy = whole - idle;
  // A run without any work has nothing that could be squeezed.
  if (busy <= 0) return [];
  const short = new Set<IdleStretch>();
  for (const each of stretches.toSorted((one, other) => lengthOf(other) - lengthOf(one))) {
    if (idle <= MOST_IDLE * (idle + busy) || lengthOf(each) < LEAST) break;
    short.add(each);
    idle -= lengthOf(each);
  }
  return stretches.filter((each) => short.has(each));
}

/** A reason that fills a smaller part of a stretch does not explain it. */
const LEAST_SHARE = 1 / 4;

/** The reason that fills most of the stretch; a person who is asked counts first, because a driver may be away then. */
function reasonOf({ rests, marks, steps }: RunTimes, from: Instant, to: Instant): IdleStretch['why'] {
  const filled = ({ began, ended = to }: { readonly began: Instant; readonly ended?: Instant }): number =>
    Math.max(0, Math.min(ended, to) - Math.max(began, from)) / (to - from);
  const held = marks.flatMap(({ kind, step }) => (kind === 'gate' ? (steps.get(step)?.held ?? []) : []));
  const reasons: readonly { readonly why: IdleStretch['why']; readonly share: number }[] = [
    { why: 'people', share: Math.max(0, ...held.map(filled)) },
    ...rests.map((rest) => ({ why: rest.why, share: filled(rest) })),
  ];
  const [first] = reasons.filter(({ share }) => share >= LEAST_SHARE).toSorted((one, other) => other.share - one.share);
  return first?.why ?? 'idle';
}
