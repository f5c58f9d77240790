// Whether a task is more than one call: its orders are of different kinds, or what serves it is about different things.
import type { CapabilityLine } from '../capability-lines.ts';
import { readGoal } from '../resolve/goal.ts';
import { profilesOf } from '../resolve/profile.ts';
import { rankCapabilities } from '../resolve/rank.ts';
import { vocabularyOf } from '../resolve/vocabulary.ts';

const NEAR = 0.1;

export function isCoarse(text: string, capabilities: readonly CapabilityLine[]): boolean {
  const declared = capabilities.map((each) => ({ ...each, tags: [], cost: {} }));
  const profiles = profilesOf(declared);
  const { clauses } = readGoal(text, vocabularyOf(profiles));
  const classes = clauses.map((clause) => clause.classes).filter(({ size }) => size > 0);
  if (classes.some((one) => classes.some((other) => one.isDisjointFrom(other)))) return true;
  const { verdict, candidates } = rankCapabilities(text, declared);
  const [first] = candidates;
  if (verdict !== 'ambiguous' || first === undefined) return false;
  const words = new Set(clauses.flatMap(({ terms }) => terms.map(({ word }) => word)));
  const about = candidates
    .filter(({ score }) => first.score - score < NEAR)
    .map(({ name }) => {
      const nouns = profiles.find(({ declaration }) => declaration.name === name)?.nouns ?? [];
      return new Set(nouns.map(({ word }) => word).filter((word) => words.has(word)));
    })
    .filter(({ size }) => size > 0);
  return about.some((one) => about.some((other) => one.isDisjointFrom(other)));
}
