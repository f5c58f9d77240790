// Finds the steps of a plan that serve each order of its goal, where the planner did not tell.
import { orderOf } from '../match/read-order.ts';
import { termsOfText } from '../match/terms.ts';
import { groupOf } from '../match/verbs.ts';
import { conditionOf } from '../split/clauses.ts';
import type { GoalOrder } from '../split/decompose.ts';
import { type ToolNeed, toolNeedOf } from './tool-need.ts';

export interface PlannedWork {
  readonly id: string;
  /** All its words: name, description, capability and input. */
  readonly text: string;
  readonly reach: WorkReach;
  /** Its capability deletes or ends something. */
  readonly destroys: boolean;
}

/** `nothing`: an agent without tools, or a computation. `person`: a question to a person. */
type WorkReach = 'change' | 'read' | 'nothing' | 'person';

interface ReadOrder {
  readonly need: ToolNeed | 'person' | undefined;
  readonly verb: string | undefined;
  readonly destroys: boolean;
  readonly terms: ReadonlySet<string>;
}

/** The ids of the steps that serve each order, in the order of `orders`; empty for an order that no step serves. */
export function servingSteps(
  orders: readonly GoalOrder[],
  work: readonly PlannedWork[],
): readonly (readonly string[])[] {
  const read = orders.map(readOrder);
  const stems = new Map(work.map(({ id, text }) => [id, new Set(termsOfText(text).map(({ stem }) => stem))]));
  const termsOf = ({ id }: PlannedWork): ReadonlySet<string> => stems.get(id) ?? new Set();
  const able = read.map(({ need }) => work.filter(({ reach }) => isAble(reach, need)));
  const byVerb = read.map((order, index) => (able[index] ?? []).filter((each) => hasVerb(order, each, termsOf(each))));
  return read.map((order, index): readonly string[] => {
    const candidates = able[index] ?? [];
    if (order.need === undefined || order.need === 'person') return nearest(order.terms, candidates, termsOf, true);
    const named = byVerb[index] ?? [];
    if (named.length > 0) return nearest(order.terms, named, termsOf, true);
    const others = read.flatMap((other, at) =>
      at === index ? [] : (byVerb[at] ?? []).map((each) => ({ other, each })),
    );
    const taken = new Set(others.map(({ each }) => each));
    const free = candidates.filter((each) => !taken.has(each));
    if (free.length > 0) return nearest(order.terms, free, termsOf, order.need === 'change');
    // One call may serve two orders: it then holds words that only this order says.
    const own = others.reduce((terms, { other }) => terms.difference(other.terms), order.terms);
    return nearest(own, candidates, termsOf, false);
  });
}

function readOrder({ says, kind }: GoalOrder, index: number): ReadOrder {
  const plain = says.slice(conditionOf(says).length);
  const { verb, destroys, terms } = orderOf(plain);
  const follows = index > 0;
  const material = { hasResults: follows, hasText: follows, hasFile: false };
  const need = kind === 'clarification' ? 'person' : toolNeedOf(plain, material);
  return { need, verb: verb?.stem, destroys, terms: new Set(terms.map(({ stem }) => stem)) };
}

function isAble(reach: WorkReach, need: ReadOrder['need']): boolean {
  if (need === 'person') return reach === 'person';
  if (need === 'change') return reach === 'change';
  return need === undefined || reach === 'change' || reach === 'read';
}

function hasVerb({ verb, destroys }: ReadOrder, work: PlannedWork, terms: ReadonlySet<string>): boolean {
  if (verb === undefined) return false;
  if (terms.has(verb) || (destroys && work.destroys)) return true;
  const group = groupOf(verb);
  return group !== undefined && [...terms].some((stem) => groupOf(stem) === group);
}

/** The steps that share the most words; without a shared word all of them, or none. */
function nearest(
  terms: ReadonlySet<string>,
  work: readonly PlannedWork[],
  termsOf: (each: PlannedWork) => ReadonlySet<string>,
  orAll: boolean,
): readonly string[] {
  const scored = work.map((each) => ({ id: each.id, score: terms.intersection(termsOf(each)).size }));
  const best = Math.max(0, ...scored.map(({ score }) => score));
  if (best === 0) return orAll ? work.map(({ id }) => id) : [];
  return scored.filter(({ score }) => score === best).map(({ id }) => id);
}
