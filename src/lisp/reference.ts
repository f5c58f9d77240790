// Prints the REPL's help on a name from the tables of builtins.
import type { Builtin } from './builtin.ts';
import { findBuiltin } from './builtins.ts';
import { specialForms } from './special-forms.ts';

/** The answer to `(doc name)`: shapes, one line and an example; undefined for an unknown name. */
export function docOf(name: string): string | undefined {
  const special = specialForms.find((form) => form.name === name);
  if (special !== undefined) return `${special.shape}\n  ${special.doc}\n  ${special.example} ;=> ${special.gives}`;
  const builtin = findBuiltin(name);
  if (builtin === undefined) return undefined;
  return `${builtin.name}  takes ${arity(builtin)}\n  ${builtin.doc}\n  ${builtin.example} ;=> ${builtin.gives}`;
}

/** The number of arguments: `2`, `1–3`, `2+`. */
export function arity({ min, max }: Builtin): string {
  if (max === Number.POSITIVE_INFINITY) return `${min}+`;
  return min === max ? String(min) : `${min}–${max}`;
}
