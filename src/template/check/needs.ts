// Checks the needs of planning steps: a named authored step runs before, and its result has the named path.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { didYouMean } from '../../base/nearest.ts';
import { namesIn, schemaAt } from '../../contract/path.ts';
import { reachableFrom } from '../../graph/reach.ts';
import type { Producer, Scope } from '../scope.ts';
import type { Need, StepSpec } from '../step-spec.ts';
import { eachStep } from './paths.ts';
import { producersOf } from './producers.ts';

/** Reports an undeclared name only when it resembles a declared one, because planned steps have names too. */
export function checkNeeds(scope: Scope): readonly Issue[] {
  const byName = new Map(scope.steps.map((step) => [step.name, step] as const));
  const producers = producersOf(scope);
  return eachStep(scope, (step, at) => {
    const needs = step.planning?.needs ?? [];
    if (needs.length === 0) return [];
    const before = reachableFrom([step.name], (name) => byName.get(name)?.dependencies ?? []);
    return needs.flatMap((need, index) => {
      const path = [...at, 'needs', index];
      const isOwn = byName.has(need.step);
      if (isOwn && !before.has(need.step) && scope.outside.get(need.step) === undefined)
        return [notBefore(step, need, path)];
      const producer = producers.get(need.step);
      return producer === undefined ? slip(need, [...before], path) : pathIssue(need, producer, path);
    });
  });
}

function notBefore({ name }: StepSpec, need: Need, path: readonly PathPart[]): Issue {
  return issue('NEED_NOT_BEFORE', `"${need.step}" does not run before "${name}", so its result can never be shown`, {
    path,
    hint: `let "${name}" depend on it, or name one of its dependencies`,
  });
}

function slip(need: Need, known: readonly string[], path: readonly PathPart[]): readonly Issue[] {
  const hint = /[*/]/.test(need.step) ? undefined : didYouMean(need.step, known);
  if (hint === undefined) return [];
  const message = `no step before this one is called "${need.step}", unless one is planned`;
  return [issue('NEED_UNKNOWN', message, { path, hint, severity: 'warning' })];
}

function pathIssue({ step, path: way = '' }: Need, { schema }: Producer, path: readonly PathPart[]): readonly Issue[] {
  if (schema === undefined) return [];
  const parts = way.split('.').filter((part) => part !== '');
  const at = (count: number) =>
    schemaAt(
      schema,
      parts.slice(0, count).map((part) => (part === '*' ? '0' : part)),
    );
  const length = parts.findIndex((_, index) => at(index + 1) === 'absent');
  const holder = at(length);
  const name = parts[length];
  if (length < 0 || name === undefined || typeof holder === 'string') return [];
  const known = namesIn(holder);
  const hint = didYouMean(name, known) ?? (known.length === 0 ? undefined : `choose from ${known.join(', ')}`);
  const shown = [step, ...parts.slice(0, length)].join('.');
  return [issue('REFERENCE_PATH_UNKNOWN', `the contract of ${shown} has no "${name}"`, { path, hint })];
}
