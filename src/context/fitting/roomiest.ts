// The roomiest way to show something that still fits.

/** What can be shown in more or less room, in bytes. */
export interface Roomy<Shown> {
  /** Room for everything that may be shown. */
  readonly most: number;
  /** With more room no result is shown less of. */
  show(room: number): Shown;
}

/** The rooms tried are 0 and a series that grows by this; the same for every allowance. */
const FIRST_ROOM = 64;
const GROWTH = 1.04;

/**
 * The roomiest below the whole that fits, or what is shown without room. Rooms are tried in an order that does not
 * depend on the allowance, and a larger allowance passes each trial that a smaller one passes, so it never ends with
 * less room, however tokens are counted.
 */
export function roomiest<Shown>({ most, show }: Roomy<Shown>, fits: (shown: Shown) => boolean): Shown {
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
