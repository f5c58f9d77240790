// Loads the compositions that a template declares.
import { hasErrors } from '../../base/issue.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { Capability } from '../../capabilities/capability.ts';
import type { CapabilitySource } from '../../template/keys/source.ts';
import { assumedCapability } from './untrusted.ts';

export async function compositionsOf(
  sources: readonly CapabilitySource[],
  granted: readonly Capability[],
): Promise<Result<readonly Capability[]>> {
  const specs = sources.flatMap((source) => (typeof source === 'object' && 'compose' in source ? source.compose : []));
  if (specs.length === 0) return good([]);
  const { compose } = await import('../../capabilities/composition.ts');
  const parts = await partsBeside(granted);
  const composed = specs.map((spec) => ({ name: spec.name, made: compose(spec, parts) }));
  const issues = composed.flatMap(({ name, made }) => {
    const found = made.ok ? made.warnings : made.error;
    return found.map((each) => ({ ...each, path: ['capabilities', name, 'compose', ...each.path] }));
  });
  if (hasErrors(issues)) return bad(issues);
  return good(
    composed.flatMap(({ made }) => (made.ok ? made.value : [])),
    issues,
  );
}

/** The capabilities that compositions may call: granted ones, and the whole catalog, because the author names each call. */
export async function partsBeside(granted: readonly Capability[]): Promise<ReadonlyMap<string, Capability>> {
  const { catalog, byNameOnly } = await import('../../capabilities/catalog/catalog.ts');
  return new Map([...catalog, ...byNameOnly, ...granted].map((each) => [each.declaration.name, each]));
}

/** Placeholders for capabilities that compositions call and that were not loaded. */
export async function partsAssumed(
  sources: readonly CapabilitySource[],
  granted: readonly Capability[],
): Promise<readonly Capability[]> {
  const specs = sources.flatMap((source) => (typeof source === 'object' && 'compose' in source ? source.compose : []));
  if (specs.length === 0) return [];
  const parts = await partsBeside(granted);
  const called = new Set(specs.flatMap(({ steps }) => steps.map(({ call }) => call)));
  return [...called].filter((name) => !parts.has(name)).map(assumedCapability);
}
