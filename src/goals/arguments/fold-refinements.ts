// Folds orders such as "sort by date" into the call before them, when its contract has a fitting property.
import type { JsonObject } from '../../base/json.ts';
import type { Schema } from '../../contract/schema.ts';
import { refinementsIn } from './refinement.ts';
import { all, parametersOf } from './refinement-arguments.ts';

/** An order and its planned call; without a contract the call is not known yet. */
export interface PlannedCall {
  readonly name: string;
  readonly description: string;
  readonly contract?: Schema;
  readonly input: JsonObject;
  readonly dependencies: readonly string[];
}

interface FoldedCalls<Call> {
  /** The remaining calls; dependencies on a folded call point to the call that absorbed it. */
  readonly calls: readonly Call[];
  readonly folded: readonly { readonly name: string; readonly into: string; readonly input: JsonObject }[];
}

/**
 * Goes through the calls in order, so that several orders may fold into one call. An order stays a call when it depends
 * on several calls, or when another call uses the unfolded result.
 */
export function foldRefinements<Call extends PlannedCall>(calls: readonly Call[]): FoldedCalls<Call> {
  const before = allBefore(calls);
  let kept: readonly Call[] = [];
  const folded: { name: string; into: string; input: JsonObject }[] = [];
  const stands = new Map<string, string>();
  for (const call of calls) {
    const dependencies = [...new Set(call.dependencies.map((each) => stands.get(each) ?? each))];
    const [only, another] = dependencies;
    const into = another === undefined ? kept.find(({ name }) => name === only) : undefined;
    const isShared = call.dependencies.some((each) => takenAsItIs(each, call.name, calls, before));
    const input = into === undefined || isShared ? undefined : taken(call, into);
    if (into === undefined || input === undefined) {
      kept = [...kept, { ...call, dependencies }];
      continue;
    }
    kept = kept.map((each) => (each === into ? { ...each, input: { ...each.input, ...input } } : each));
    stands.set(call.name, into.name);
    folded.push({ name: call.name, into: into.name, input });
  }
  return { calls: kept, folded };
}

/** Tells whether a call other than `by` depends on `name` without depending on `by`; it then needs the unfolded result. */
function takenAsItIs(
  name: string,
  by: string,
  calls: readonly PlannedCall[],
  before: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  return calls.some((each) => each.name !== by && each.dependencies.includes(name) && !before.get(each.name)?.has(by));
}

function allBefore(calls: readonly PlannedCall[]): ReadonlyMap<string, ReadonlySet<string>> {
  const before = new Map<string, ReadonlySet<string>>();
  for (const { name, dependencies } of calls) {
    before.set(name, new Set(dependencies.flatMap((each) => [each, ...(before.get(each) ?? [])])));
  }
  return before;
}

/** The input that folding adds to the call before, or undefined when a property is taken or missing. */
function taken({ description }: PlannedCall, { contract, input }: PlannedCall): JsonObject | undefined {
  const refinements = contract === undefined ? [] : refinementsIn(description);
  if (contract === undefined || refinements.length === 0) return undefined;
  const found = all(refinements.map((each) => parametersOf(each, contract)));
  const isFree = found !== undefined && Object.keys(found).every((name) => !Object.hasOwn(input, name));
  return isFree ? found : undefined;
}
