// Warns about predicates that run but probably do not test what their author means.
import type { Issue, PathPart } from '../../base/issue.ts';
import { defined, type JsonObject } from '../../base/json.ts';
import { schemaAt } from '../../contract/path.ts';
import { kindsOf } from '../../contract/schema.ts';
import { lintPredicate } from '../../lisp/lint-predicate.ts';
import { compileExpression } from '../expressions.ts';
import type { Producers, Scope } from '../scope.ts';
import type { StepSpec } from '../step-spec.ts';
import { eachWork } from './paths.ts';
import { producersOf, resultOf } from './producers.ts';

export function checkPredicates(scope: Scope): readonly Issue[] {
  const producers = producersOf(scope);
  return eachWork(scope, (step, at) => {
    if (step.verification === undefined) return [];
    const compiled = compileExpression(step.verification, 'verification');
    if (!compiled.ok) return [];
    const found = (binding: string, path: readonly PathPart[]) => {
      const { schema, rest } = seen(binding.replace('data/', ''), path, step, scope, producers);
      return schema === undefined ? 'unknown' : schemaAt(schema, rest);
    };
    const findings = lintPredicate(compiled.value, {
      hasPath: (binding, path) => {
        const there = found(binding, path);
        return there === 'unknown' ? undefined : there !== 'absent';
      },
      mayBeText: (binding, path) => {
        const there = found(binding, path);
        return typeof there === 'string' ? undefined : kindsOf(there).has('string');
      },
      ...defined({ input: step.input }),
    });
    return findings.map((each) => ({ ...each, path: [...at, 'verification'] }));
  });
}

/** The contract of the value that a name means in a predicate, and the rest of the path within it. */
function seen(
  binding: string,
  path: readonly PathPart[],
  step: StepSpec,
  { declarations }: Scope,
  producers: Producers,
): { readonly schema: JsonObject | undefined; readonly rest: readonly PathPart[] } {
  const [name, ...rest] = path;
  if (binding === 'result') return { schema: resultOf(step, declarations), rest: path };
  if (binding === 'depends') return { schema: producers.get(String(name))?.schema, rest };
  const called = step.capability;
  const declared =
    called !== undefined && Object.hasOwn(declarations, called) ? declarations[called]?.input : undefined;
  return { schema: declared, rest: path };
}
