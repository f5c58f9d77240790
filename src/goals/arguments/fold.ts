// Folds orders that are parameters of a call into that call, where its contract has them and the value fits.
import type { JsonObject } from '../../base/json.ts';
import type { Schema } from '../../contract/schema.ts';
import { all, parametersOf } from './parameters.ts';
import { refinementsIn } from './refinement.ts';

/** An order, and the call that it became; without a contract it became none yet. */
export interface PlannedCall {
  readonly name: string;
  readonly description: string;
  readonly contract?: Schema;
  readonly input: JsonObject;
  readonly dependencies: readonly string[];
}

interface Folded<Call> {
  /** Without those that were folded; who waited for one of them waits for the call that took it up. */
  readonly calls: readonly Call[];
  readonly folded: readonly { readonly name: string; readonly into: string; readonly input: JsonObject }[];
}

/**
 * In the order of the calls, so that several may be folded into one. An order that depends on more than one call stays,
 * and so does one whose call others take as it is.
 */
export function foldRefinements<Call extends PlannedCall>(calls: readonly Call[]): Folded<Call> {
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

/** Who waits for the call, and not for what becomes of it, wants it as it is. */
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

/** What the call before would be given, where it has no other value there. */
function taken({ description }: PlannedCall, { contract, input }: PlannedCall): JsonObject | undefined {
  const refinements = contract === undefined ? [] : refinementsIn(description);
  if (contract === undefined || refinements.length === 0) return undefined;
  const found = all(refinements.map((each) => parametersOf(each, contract)));
  const isFree = found !== undefined && Object.keys(found).every((name) => !Object.hasOwn(input, name));
  return isFree ? found : undefined;
}
