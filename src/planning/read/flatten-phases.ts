// Flattens the phases of a plan into one list of steps with unique names and dependencies between phases.
import { type Issue, issue } from '../../base/issue.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { readReferences } from '../../template/references.ts';
import type { WrittenPhase } from './phase.ts';
import { dependencyKeys } from './step-keys.ts';
import { acceptableName, freeName, namesOf, type Renaming, renameIn } from './step-names.ts';

/** A phase with normalized step keys. */
export interface KeyedPhase extends Omit<WrittenPhase, 'steps' | 'issues'> {
  readonly steps: readonly Json[];
}

interface FlattenedSteps {
  readonly steps: readonly Json[];
  readonly issues: readonly Issue[];
}

/**
 * A name means a step of the same phase, or else of the nearest earlier phase. The first steps of a phase wait for the last
 * steps of the phases before it.
 */
export function flattenPhases(phases: readonly KeyedPhase[], notes: Set<string>): FlattenedSteps {
  const taken = new Set<string>();
  const issues: Issue[] = [];
  const anywhere = new Map(
    phases.flatMap(({ steps }) => steps.flatMap(namesOf)).map((name) => [name, acceptableName(name)]),
  );
  const ends = new Map<string, readonly string[]>();
  let sight: Renaming = anywhere;
  let before: string | undefined;
  const steps = phases.flatMap(({ name: phase, after, steps }) => {
    const own = ownNames(phase, steps, taken, notes);
    sight = new Map([...sight, ...own]);
    const renamed = steps.map((step) => renameIn(throughPhases(step, ends, own), sight));
    for (const name of own.values()) taken.add(name);
    if (phase === undefined) return renamed;
    const awaited = after ?? (before === undefined ? [] : [before]);
    const unknown = awaited.filter((each) => !ends.has(each));
    issues.push(...unknown.map((each) => noPhase(phase, each)));
    const waits = [...new Set(awaited.flatMap((each) => ends.get(each) ?? []))];
    const last = endsOf(renamed);
    ends.set(phase, last.length === 0 ? waits : last);
    before = phase;
    return renamed.map((step) => (begins(step, own) ? waitingFor(step, waits) : step));
  });
  return { steps, issues };
}

/** Normalized names of one phase; a name from an earlier phase gets the phase's name as a prefix. */
function ownNames(phase: string | undefined, steps: readonly Json[], taken: Set<string>, notes: Set<string>): Renaming {
  const own = new Map<string, string>();
  for (const name of steps.flatMap(namesOf)) {
    const plain = acceptableName(name);
    const given = taken.has(plain) ? freeName(acceptableName(`${phase ?? ''} ${name}`, 'phase'), taken) : plain;
    own.set(name, given);
    if (given !== name) notes.add(`step "${name}" as "${given}"`);
  }
  return own;
}

/** Replaces a dependency on a phase with dependencies on its last steps. */
function throughPhases(step: Json, ends: ReadonlyMap<string, readonly string[]>, own: Renaming): Json {
  const key = dependencyKeyOf(step);
  if (ends.size === 0 || key === undefined || !isJsonObject(step)) return step;
  const names = listOf(step[key]).flatMap((name): readonly Json[] =>
    typeof name === 'string' && !own.has(name) ? (ends.get(name) ?? [name]) : [name],
  );
  return names.length === 0 ? step : { ...step, [key]: names };
}

function endsOf(steps: readonly Json[]): readonly string[] {
  const used = new Set(steps.flatMap(usedBy));
  return steps
    .flatMap((step) => (isJsonObject(step) && typeof step.name === 'string' ? [step.name] : []))
    .filter((name) => !used.has(name));
}

function begins(step: Json, own: Renaming): boolean {
  const names = new Set(own.values());
  return !usedBy(step).some((name) => names.has(name));
}

/** The step names in a step's dependencies and references. */
function usedBy(step: Json): readonly string[] {
  const key = dependencyKeyOf(step);
  const named = key === undefined || !isJsonObject(step) ? [] : listOf(step[key]);
  const referred = readReferences(step).references.flatMap(({ root, path: [name] }) =>
    root === 'results' && name !== undefined ? [name] : [],
  );
  return [...named.filter((name): name is string => typeof name === 'string'), ...referred];
}

function waitingFor(step: Json, names: readonly string[]): Json {
  if (!isJsonObject(step) || names.length === 0) return step;
  const key = dependencyKeyOf(step) ?? 'depends_on';
  return { ...step, [key]: [...new Set<Json>([...listOf(step[key]), ...names])] } satisfies JsonObject;
}

function dependencyKeyOf(step: Json): string | undefined {
  return isJsonObject(step) ? dependencyKeys.find((key) => Object.hasOwn(step, key)) : undefined;
}

function listOf(value: Json | undefined): readonly Json[] {
  if (value === undefined) return [];
  return isJsonArray(value) ? value : [value];
}

function noPhase(phase: string, named: string): Issue {
  return issue('DEPENDENCY_UNKNOWN', `phase "${phase}" waits for "${named}", but no earlier phase has this name`, {
    hint: 'remove the dependency to wait for the phase before it',
  });
}
