// Finds the largest room in which a view still fits its allowance.

/** Something that can be shown in more or less room; rooms are in bytes. */
export interface Resizable<Shown> {
  /** The room that shows everything. */
  readonly most: number;
  /** More room never shows less of any result. */
  show(room: number): Shown;
}

/** The rooms that are tried: 0, and a geometric series that is the same for every allowance. */
const FIRST_ROOM = 64;
const GROWTH = 1.04;

/**
 * A binary search for the largest room that fits; the view in no room when none fits. The series of rooms does not
 * depend on the allowance, and a larger allowance passes every trial that a smaller one passes, so a larger allowance
 * never ends with less room, for any token counter.
 */
export function largestFit<Shown>({ most, show }: Resizable<Shown>, fits: (shown: Shown) => boolean): Shown {
  let best: Shown | undefined;
  let low = 0;
  let high = Math.ceil(Math.log(Math.max(1, most / FIRST_ROOM)) / Math.log(GROWTH)) + 2;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    const tried = show(Math.round(FIRST_ROOM * GROWTH ** (middle - 1)));
    if (fits(tried)) [low, best] = [middle, tried];
    else high = middle;
  }
  return best ?? show(0);
}
