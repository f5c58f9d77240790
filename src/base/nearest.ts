// Suggests the known word nearest to a misspelled one.
import { distance } from 'fastest-levenshtein';

const MOST = 3;

/**
 * The nearest known words, if they are near enough to be a typing error. Longer words may differ more. In a dotted name,
 * only the last part counts. A different number is no typing error: `step_4` does not suggest `step_3`.
 */
function nearest(word: string, known: readonly string[]): readonly string[] {
  const lower = word.toLowerCase();
  let best: string[] = [];
  let bestDistance = Math.max(1, Math.floor(lastPart(lower).length / 3)) + 1;
  for (const candidate of new Set(known)) {
    const other = candidate.toLowerCase();
    if (isOtherNumber(lower, other)) continue;
    const apart = slips(lower, other);
    // A word that shares no letter is no typing error.
    if (apart >= Math.max(lower.length, other.length, 1)) continue;
    if (apart > bestDistance || (apart === bestDistance && best.length === 0)) continue;
    best = apart < bestDistance ? [candidate] : [...best, candidate];
    bestDistance = apart;
  }
  if (best.length > 0) return best.length > MOST ? [] : best;
  const shared = sharing(lower, known);
  return shared === undefined ? [] : [shared];
}

function lastPart(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf('/'), name.lastIndexOf(':')) + 1);
}

function isOtherNumber(word: string, other: string): boolean {
  return (
    word !== other && /\d/.test(word) && /\d/.test(other) && word.replace(/\d+/g, '') === other.replace(/\d+/g, '')
  );
}

/** The only known word that contains all parts of the word, or the other way round: `expires` for `expires_in`. */
function sharing(word: string, known: readonly string[]): string | undefined {
  const parts = partsOf(word);
  const shared = known.filter((candidate) => {
    const own = partsOf(candidate.toLowerCase());
    return parts.size > 0 && own.size > 0 && (own.isSubsetOf(parts) || parts.isSubsetOf(own));
  });
  return shared.length === 1 ? shared[0] : undefined;
}

function partsOf(word: string): Set<string> {
  return new Set(word.split(/[^\p{L}\p{N}]+/u).filter((part) => part.length > 2));
}

/** Inserted, missing or replaced letters; two swapped neighbors count once. */
export function slips(word: string, known: string): number {
  const first = [...word].findIndex((letter, index) => letter !== known[index]);
  const swapped = word.slice(0, first) + word.charAt(first + 1) + word.charAt(first) + word.slice(first + 2);
  return first >= 0 && swapped === known ? 1 : distance(word, known);
}

/** `did you mean "finalize"?`, with `or` between equally near names; undefined when no name is near. */
export function didYouMean(word: string, known: Iterable<string>): string | undefined {
  return meantText(nearest(word, [...known]));
}

/** The only name that a hint of `didYouMean` proposes; undefined for other hints. */
export function meantWord(hint: string): string | undefined {
  return /^did you mean "([^"]+)"\?$/.exec(hint)?.[1];
}

/** `did you mean "a", "b" or "c"?`; undefined without names. */
export function meantText(names: readonly string[]): string | undefined {
  const quoted = names.map((name) => `"${name}"`);
  const last = quoted.pop();
  if (last === undefined) return undefined;
  return `did you mean ${quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`}?`;
}
