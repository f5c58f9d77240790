// The capabilities that are compared with goals by embeddings, and the text of each.
import { nearestToAny } from './nearest-capabilities.ts';
import { wordsOfName } from './terms.ts';
import type { DescribedCapability } from './tool.ts';

/** All capabilities, because embeddings find matches that words miss; above `most`, the nearest by words are kept. */
export function comparedWith<T extends DescribedCapability>(
  goals: readonly string[],
  capabilities: readonly T[],
  most: number,
): readonly T[] {
  if (capabilities.length <= most) return capabilities;
  const names = new Set([...nearestToAny(goals, capabilities), ...capabilities.map(({ name }) => name)]);
  const kept = new Set([...names].slice(0, most));
  return capabilities.filter(({ name }) => kept.has(name));
}

/** For example `list issues: Lists the issues of a repository.` */
export function comparedText({ name, description }: Pick<DescribedCapability, 'name' | 'description'>): string {
  return `${wordsOfName(name).join(' ')}: ${description}`;
}
