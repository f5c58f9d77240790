// Searches a text for many patterns in one pass that skips most characters (Wu and Manber, "A fast algorithm for multi-pattern searching", 1994).

/** `to` is one past the last index. */
export type Span = readonly [from: number, to: number];

/** All matches in order; overlapping matches are merged. */
export type PatternSearch = (text: string) => readonly Span[];

const NONE: readonly Span[] = [];
const SLOTS = 1 << 14;

/** Each pattern needs at least two characters. */
export function patternSearch(wanted: readonly string[]): PatternSearch {
  const window = Math.min(...wanted.map(({ length }) => length));
  if (wanted.length === 0) return () => NONE;
  /** The distance that the window may move when it ends with the pair of characters of a slot. */
  const shifts = new Uint32Array(SLOTS).fill(window - 1);
  const ending = new Map<number, string[]>();
  for (const each of wanted) {
    for (let end = 1; end < window; end += 1) {
      const slot = slotOf(each, end);
      shifts[slot] = Math.min(shifts[slot] ?? 0, window - 1 - end);
    }
    const slot = slotOf(each, window - 1);
    ending.set(slot, [...(ending.get(slot) ?? []), each]);
  }
  return (text) => {
    if (text.length < window) return NONE;
    const found: [number, number][] = [];
    for (let end = window - 1; end < text.length; ) {
      const slot = slotOf(text, end);
      const shift = shifts[slot] ?? 1;
      if (shift > 0) {
        end += shift;
        continue;
      }
      const from = end - window + 1;
      for (const each of ending.get(slot) ?? []) {
        if (text.startsWith(each, from)) add(found, from, from + each.length);
      }
      end += 1;
    }
    return found;
  };
}

function slotOf(text: string, end: number): number {
  return (text.charCodeAt(end - 1) ^ (text.charCodeAt(end) << 7)) & (SLOTS - 1);
}

function add(found: [number, number][], from: number, to: number): void {
  const last = found.at(-1);
  if (last === undefined || from >= last[1]) found.push([from, to]);
  else last[1] = Math.max(last[1], to);
}
