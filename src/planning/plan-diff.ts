// The difference between two plans, for people who decide whether one may replace the other.
import { canonicalJson, type Json } from '../base/json.ts';
import type { StepSpec } from '../template/step-spec.ts';

/** Plain JSON with names of steps. */
export interface PlanDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Steps in both plans, with the keys that differ. */
  readonly changed: readonly { readonly step: string; readonly keys: readonly string[] }[];
  readonly same: readonly string[];
}

/** `standing` names steps that stay unchanged when the new plan does not mention them. */
export function planDiff(
  before: readonly StepSpec[],
  after: readonly StepSpec[],
  standing: ReadonlySet<string> = new Set(),
): PlanDiff {
  const old = new Map(before.map((step) => [step.name, step] as const));
  const names = new Set(after.map(({ name }) => name));
  const both = after.flatMap((step) => {
    const was = old.get(step.name);
    return was === undefined ? [] : [{ step: step.name, keys: keysThatDiffer(was, step) }];
  });
  const missing = [...old.keys()].filter((name) => !names.has(name));
  return {
    added: [...names].filter((name) => !old.has(name)),
    removed: missing.filter((name) => !standing.has(name)),
    changed: both.filter(({ keys }) => keys.length > 0),
    same: [
      ...missing.filter((name) => standing.has(name)),
      ...both.filter(({ keys }) => keys.length === 0).map(({ step }) => step),
    ],
  };
}

function keysThatDiffer(left: StepSpec, right: StepSpec): string[] {
  const declared = (step: StepSpec) => {
    const { place: _, implied: __, ...rest } = step;
    return new Map<string, Json>(Object.entries(JSON.parse(JSON.stringify(rest))));
  };
  const [before, after] = [declared(left), declared(right)];
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys]
    .filter((key) => canonicalJson(before.get(key) ?? null) !== canonicalJson(after.get(key) ?? null))
    .map(asWritten);
}

/** Converts `onFailure` to `on_failure`. */
function asWritten(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
