// Checks that each capability that a step calls or a planner uses is granted.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { didYouMean } from '../../base/nearest.ts';
import type { Scope } from '../scope.ts';
import type { PlannerSpec } from '../step-spec.ts';
import type { Template } from '../template.ts';
import { eachWork } from './paths.ts';

/** All capabilities that a template names: those that its steps call or plan with, and the tools of its agents. */
export function capabilitiesNamed({ steps, agents }: Pick<Template, 'steps' | 'agents'>): readonly string[] {
  const called = eachWork({ steps }, ({ capability, planning }) => [
    ...(capability === undefined ? [] : [capability]),
    ...namedByPlanner(planning?.planner),
    ...(planning?.allow ?? []),
  ]);
  return [...new Set([...called, ...Object.values(agents).flatMap(({ tools }) => tools)])];
}

function namedByPlanner(planner: PlannerSpec | undefined): readonly string[] {
  if (planner?.kind === 'capability') return [planner.name];
  if (planner?.kind !== 'pattern' && planner?.kind !== 'hybrid') return [];
  return Object.values(planner.kinds).flatMap(({ capability }) => capability ?? []);
}

/** Tells whether a limit under `concurrency.capabilities` applies to a capability: `github.*` applies to `github.search`. */
export function isLimitFor(pattern: string, capability: string): boolean {
  return pattern.endsWith('.*') ? capability.startsWith(pattern.slice(0, -1)) : capability === pattern;
}

/** Warns of a concurrency key that has no limit, if the template limits other keys: such a key has no effect. */
export function checkConcurrencyKeys(scope: Pick<Template, 'steps' | 'concurrency'>): readonly Issue[] {
  const limited = Object.keys(scope.concurrency.keys);
  if (limited.length === 0) return [];
  return eachWork(scope, ({ concurrencyKey: key }, at) =>
    key === undefined || limited.includes(key)
      ? []
      : [
          issue('CONCURRENCY_KEY_UNLIMITED', `no limit is set for the concurrency key "${key}"`, {
            severity: 'warning',
            path: [...at, 'concurrency_key'],
            hint: didYouMean(key, limited) ?? `set one under concurrency.keys, which limits ${limited.join(', ')}`,
          }),
        ],
  );
}

/** Reports limits that apply to no granted capability. */
export function checkCapabilityLimits({
  concurrency,
  capabilities,
}: Pick<Template, 'concurrency' | 'capabilities'>): readonly Issue[] {
  const known = Object.keys(capabilities);
  const families = new Set(known.map((name) => name.replace(/\.[^.]*$/, '.*')));
  return Object.keys(concurrency.capabilities ?? {})
    .filter((pattern) => !known.some((name) => isLimitFor(pattern, name)))
    .map((pattern) =>
      issue('CAPABILITY_UNKNOWN', `the limit on "${pattern}" applies to no granted capability`, {
        path: ['concurrency', 'capabilities', pattern],
        hint:
          didYouMean(pattern, [...known, ...families]) ??
          'name a granted capability, or the beginning of names such as "github.*"',
      }),
    );
}

export function checkCapabilities(scope: Scope): readonly Issue[] {
  return eachWork(scope, (step, at) => [
    ...unlessGranted(step.capability, scope, [...at, 'handler']),
    ...checkPlanner(step.planning?.planner, scope, [...at, 'planner']),
  ]);
}

/** Checks the capability of a planner, and the capabilities of its kinds of tasks. */
export function checkPlanner(
  planner: PlannerSpec | undefined,
  scope: Scope,
  at: readonly PathPart[],
): readonly Issue[] {
  switch (planner?.kind) {
    case 'capability':
      return unlessGranted(planner.name, scope, [...at, 'name']);
    case 'pattern':
    case 'hybrid':
      return Object.entries(planner.kinds).flatMap(([kind, { capability }]) =>
        unlessGranted(capability, scope, [...at, 'kinds', kind, 'capability']),
      );
    case undefined:
    case 'lisp':
    case 'fixed':
    case 'llm':
      return [];
  }
}

function unlessGranted(name: string | undefined, { declarations }: Scope, path: readonly PathPart[]): readonly Issue[] {
  if (name === undefined || Object.hasOwn(declarations, name)) return [];
  const known = Object.keys(declarations);
  const hint =
    didYouMean(name, known) ??
    (known.length === 0 ? 'nothing is granted: list "catalog" or a module under "capabilities"' : undefined);
  return [issue('CAPABILITY_UNKNOWN', `no granted capability is called "${name}"`, { path, hint })];
}
