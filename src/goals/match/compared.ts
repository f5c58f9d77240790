// The capabilities that goals are compared with by embeddings, and the text that stands for each.
import { nearestToAny } from './nearest.ts';
import { wordsOfName } from './terms.ts';
import type { Described } from './tool.ts';

/** All capabilities, since embeddings reach what words do not; where these are too many, the nearest by words are kept first. */
export function comparedWith<T extends Described>(
  goals: readonly string[],
  capabilities: readonly T[],
  most: number,
): readonly T[] {
  if (capabilities.length <= most) return capabilities;
  const names = new Set([...nearestToAny(goals, capabilities), ...capabilities.map(({ name }) => name)]);
  const kept = new Set([...names].slice(0, most));
  return capabilities.filter(({ name }) => kept.has(name));
}

/** `list issues: Lists the issues of a repository.` */
export function comparedText({ name, description }: Pick<Described, 'name' | 'description'>): string {
  return `${wordsOfName(name).join(' ')}: ${description}`;
}
