// Did you mean: the known word nearest to a misspelt one.
import { distance } from 'fastest-levenshtein';

/** The nearest of `known` when it is near enough to be a likely slip, else undefined. Longer words forgive more. */
function nearest(word: string, known: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  const allowed = Math.max(1, Math.floor(word.length / 3));
  let best: string | undefined;
  let bestDistance = allowed + 1;
  for (const candidate of known) {
    const apart = slips(lower, candidate.toLowerCase());
    if (apart < bestDistance) {
      best = candidate;
      bestDistance = apart;
    }
  }
  return best ?? sharing(lower, known);
}

/** The one that holds all of the word's parts, or that the word holds: `expires` of `expires_in`, `timeout_ms` of `timeout`. */
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

/** Letters put in, left out or taken for others; two neighbours in the wrong order are one slip. */
export function slips(word: string, known: string): number {
  const first = [...word].findIndex((letter, index) => letter !== known[index]);
  const swapped = word.slice(0, first) + word.charAt(first + 1) + word.charAt(first) + word.slice(first + 2);
  return first >= 0 && swapped === known ? 1 : distance(word, known);
}

/** `did you mean "finalize"?`, or undefined when nothing is near. */
export function didYouMean(word: string, known: Iterable<string>): string | undefined {
  const found = nearest(word, [...known]);
  return found === undefined ? undefined : `did you mean "${found}"?`;
}
