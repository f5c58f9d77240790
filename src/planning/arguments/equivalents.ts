// Words that name the same argument in contracts of different makers.
import { stemOf } from '../match/terms.ts';

const groups: readonly (readonly string[])[] = [
  'image picture photo',
  'mail email',
  'issue ticket bug',
  'person people user member',
  'customer client',
  'event appointment meeting',
  'comment remark note reply',
  'product item article',
  'row record entry',
  'column field attribute',
  'checksum hash digest',
  'topic subject title',
  'link url uri',
  'body text content message',
  'file path',
  'repository project',
  'team group',
].map((line) => line.split(' ').map(stemOf));

const groupsOfStem = new Map<string, Set<number>>();
for (const [index, stems] of groups.entries()) {
  for (const stem of stems) groupsOfStem.set(stem, (groupsOfStem.get(stem) ?? new Set()).add(index));
}

/** Both are stems. */
export function areEquivalent(one: string, other: string): boolean {
  const own = groupsOfStem.get(one);
  return own !== undefined && !own.isDisjointFrom(groupsOfStem.get(other) ?? new Set());
}
