// Makes the calls of a program wait for each other where their order matters.
import { isJsonObject } from '../../base/json.ts';
import { type Declaration, isMutating } from '../../contract/declaration.ts';
import { readReferences } from '../../template/references.ts';
import type { WrittenStep } from './phase.ts';

/**
 * A call that changes something waits for all calls before it, and a call that only reads for the last one that changes
 * something. A call of an unknown capability may change something.
 */
export function oneAfterAnother(
  steps: readonly WrittenStep[],
  declarationOf: (tool: string) => Declaration | undefined,
  notes: Set<string>,
): readonly WrittenStep[] {
  let change: string | undefined;
  /** Calls that only read, after the last change; all of them wait for it, and none of them for another. */
  const reads = new Set<string>();
  return steps.map((step) => {
    const { value } = step;
    if (!isJsonObject(value) || typeof value.name !== 'string' || typeof value.capability !== 'string') return step;
    const used = new Set(readReferences(value).references.flatMap(({ path: [name] }) => name ?? []));
    const declaration = declarationOf(value.capability);
    const changes = declaration === undefined || isMutating(declaration);
    const isServed = changes ? reads.size > 0 : !used.isDisjointFrom(reads);
    const before = [...(change === undefined || isServed ? [] : [change]), ...(changes ? reads : [])];
    for (const name of changes ? [...reads] : used) reads.delete(name);
    if (changes) change = value.name;
    else reads.add(value.name);
    const waits = before.filter((name) => !used.has(name));
    if (waits.length === 0) return step;
    notes.add('the order of the calls as what they wait for, except between calls that only read');
    return { ...step, value: { ...value, depends_on: waits } };
  });
}
