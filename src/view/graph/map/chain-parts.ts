// The blocks of the chain and their direct dependencies; in a very long chain, runs of finished phases are one block.
import { topPhaseOf } from '../../phases/phase-tree.ts';
import type { Outline, PlacedPart } from './footprint.ts';

export interface Part extends Pick<PlacedPart, 'kind' | 'key' | 'members'> {
  /** 0 for parts that depend on no other part, else one more than the latest of them. */
  readonly generation: number;
  /** Direct dependencies by index, without those that follow from others. */
  readonly needs: readonly number[];
}

/** A chain with more phases folds runs of finished phases. */
const MOST_PHASES = 120;
/** A shorter run does not save enough to hide its phases. */
const LEAST_FOLD = 3;

export function chainParts(outline: Outline): readonly Part[] {
  const bare = foldedChain(outline);
  const needs = needsOfParts(outline, bare);
  const generations: number[] = [];
  for (const own of needs) generations.push(1 + Math.max(-1, ...own.map((each) => generations[each] ?? 0)));
  const direct = reduced(needs);
  const order = bare.map((_, index) => index).toSorted((a, b) => (generations[a] ?? 0) - (generations[b] ?? 0));
  const rank = new Map(order.map((index, at) => [index, at]));
  return order.flatMap((index) => {
    const part = bare[index];
    if (part === undefined) return [];
    const own = (direct[index] ?? []).flatMap((each) => rank.get(each) ?? []);
    return [{ ...part, generation: generations[index] ?? 0, needs: own }];
  });
}

type BarePart = Omit<Part, 'generation' | 'needs'>;

function foldedChain({ tree, foldable }: Outline): readonly BarePart[] {
  const phases = tree.chain.filter((part) => 'phase' in part).length;
  const parts: BarePart[] = [];
  let run: string[] = [];
  const close = (): void => {
    const [first] = run;
    if (first !== undefined && run.length >= LEAST_FOLD) parts.push({ kind: 'fold', key: first, members: run });
    else for (const key of run) parts.push({ kind: 'phase', key, members: [key] });
    run = [];
  };
  for (const part of tree.chain) {
    if ('phase' in part && phases > MOST_PHASES && foldable.has(part.phase)) {
      run.push(part.phase);
      continue;
    }
    close();
    if ('phase' in part) parts.push({ kind: 'phase', key: part.phase, members: [part.phase] });
    else parts.push({ kind: 'steps', key: part.steps[0] ?? '', members: part.steps });
  }
  close();
  return parts;
}

function needsOfParts({ tree, needs }: Outline, parts: readonly BarePart[]): readonly (readonly number[])[] {
  const partOf = new Map(parts.flatMap(({ members }, index) => members.map((member) => [member, index] as const)));
  const found = parts.map(() => new Set<number>());
  const places = new Map([...needs.keys()].map((id) => [id, partOf.get(topPhaseOf(tree, id) ?? id)] as const));
  for (const [id, own] of needs) {
    const at = places.get(id);
    if (at === undefined) continue;
    for (const need of own) {
      const from = places.get(need);
      // A dependency on a later part would be a circle: such parts are drawn in the order of the chain.
      if (from !== undefined && from < at) found[at]?.add(from);
    }
  }
  return found.map((own) => [...own].toSorted((a, b) => a - b));
}

/** Leaves out dependencies that other dependencies imply. */
function reduced(needs: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const above: Set<number>[] = [];
  return needs.map((own, index) => {
    const implied = new Set<number>();
    const direct: number[] = [];
    for (const need of own.toReversed()) {
      if (implied.has(need)) continue;
      direct.push(need);
      implied.add(need);
      for (const each of above[need] ?? []) implied.add(each);
    }
    above[index] = implied;
    return direct.toReversed();
  });
}
