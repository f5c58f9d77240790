// Predicates that cannot fail, or that ask for what the contract does not have, are worth a warning.
import type { Issue } from '../../base/issue.ts';
import { lintPredicate } from '../../lisp/lint.ts';
import { compileExpression } from '../expressions.ts';
import type { Scope } from '../scope.ts';
import { eachStep } from './paths.ts';
import { producersOf } from './producers.ts';

export function checkPredicates(scope: Scope): readonly Issue[] {
  const producers = producersOf(scope);
  return eachStep(scope, (step, at) => {
    if (step.verification === undefined) return [];
    const compiled = compileExpression(step.verification, 'verification');
    if (!compiled.ok) return [];
    const schema = producers.get(step.name)?.schema;
    const findings = lintPredicate(compiled.value, schema);
    return findings.map((each) => ({ ...each, path: [...at, 'verification'] }));
  });
}
