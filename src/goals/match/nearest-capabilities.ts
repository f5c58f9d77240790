// Finds the capabilities that are nearest to any part of a goal.
import { matchGoal, type Similarities } from './match.ts';
import type { DescribedCapability } from './tool.ts';

/** Possible ends of a part; a needless cut only adds candidates. */
const ENDS = /[.;!?:]\s|[\n,]|(?<!\p{L})(?:and|or|but|then|before|after|while|when|if|so that|in order to)(?!\p{L})/giu;

/** The whole goal and each of its parts. */
export function partsOfGoal(goal: string): readonly string[] {
  const parts = goal.split(ENDS).map((part) => part.trim());
  return [...new Set([goal.trim(), ...parts])].filter((part) => part !== '');
}

/** Distinct names: the nearest of every part first, then the second nearest of every part, and so on. */
export function nearestToAny(
  parts: readonly string[],
  capabilities: readonly DescribedCapability[],
  alike: ReadonlyMap<string, Similarities> = new Map(),
): readonly string[] {
  const ranked = parts.map((part) => {
    const { candidates } = matchGoal(part, capabilities, { alike: alike.get(part) });
    return candidates.map(({ name }) => name);
  });
  const longest = Math.max(0, ...ranked.map((names) => names.length));
  const rounds = Array.from({ length: longest }, (_, at) => ranked.flatMap((names) => names[at] ?? []));
  return [...new Set(rounds.flat())];
}
