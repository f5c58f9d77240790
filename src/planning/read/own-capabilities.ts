// Reads a fragment's own capabilities: two contracts, and Lisp that compiles.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { readContract } from '../../contract/contract.ts';
import type { Declaration } from '../../contract/declaration.ts';
import { compileCached } from '../../lisp/compile-cached.ts';
import { textAt } from '../../template/keys/readers.ts';

/** Own capabilities are pure. One with an issue keeps its name and its readable parts. */
export function readOwnCapabilities(written: Json | undefined, issues: Issue[]): readonly Declaration[] {
  if (!isJsonArray(written)) return [];
  const seen = new Set<string>();
  return written.flatMap((each, index) => {
    if (!isJsonObject(each)) return [];
    const path = ['capabilities', index];
    const name = textAt(each, 'name') ?? '';
    if (seen.has(name)) {
      issues.push(issue('CAPABILITY_DUPLICATE', `two capabilities of the fragment are named "${name}"`, { path }));
      return [];
    }
    seen.add(name);
    return name === '' ? [] : [readOne(each, name, path, issues)];
  });
}

function readOne(each: JsonObject, name: string, path: readonly PathPart[], issues: Issue[]): Declaration {
  const lisp = textAt(each, 'lisp') ?? '';
  const input = readContract(each.input, { path: [...path, 'input'] });
  const output = readContract(each.output, { path: [...path, 'output'] });
  const compiled = compileCached(lisp, { bindings: ['input'] });
  if (!input.ok) issues.push(...input.error);
  if (!output.ok) issues.push(...output.error);
  if (!compiled.ok) {
    issues.push(...compiled.error.map(({ place: _, ...found }) => ({ ...found, path: [...path, 'lisp'] })));
  }
  return {
    name,
    description: textAt(each, 'description') ?? `Computes ${name}.`,
    ...(input.ok ? { input: input.value.schema } : {}),
    ...(output.ok ? { output: output.value.schema } : {}),
    effects: ['pure'],
    tags: ['synthesized'],
    cost: {},
    repeat: 'safe',
    lisp,
  };
}
