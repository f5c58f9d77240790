// The capabilities of a run by name; refuses capabilities that are not granted.
import { type Issue, issue } from '../base/issue.ts';
import { didYouMean } from '../base/nearest.ts';
import { bad, good, type Result } from '../base/result.ts';
import type { Declaration } from '../contract/declaration.ts';
import { isGranted } from '../contract/grant.ts';
import type { Capability } from './capability.ts';

/** Globs over names, such as `files.*`. An empty `allow` allows all; `deny` wins. */
interface Grant {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

export interface Registry {
  get(name: string): Capability | undefined;
  /** Issues: CAPABILITY_UNKNOWN, CAPABILITY_NOT_GRANTED. */
  granted(name: string, grant: Grant): Result<Capability>;
  /** Sorted by name. */
  declarations(): Readonly<Record<string, Declaration>>;
}

/** Refuses duplicate names, capabilities with errors, and functions that ask for isolation. */
export function createRegistry(capabilities: readonly Capability[]): Result<Registry> {
  const byName = new Map<string, Capability>();
  const issues: Issue[] = [];
  for (const capability of new Set(capabilities)) {
    const { name } = capability.declaration;
    issues.push(...capability.issues.filter((each) => each.severity === 'error'));
    if (capability.isolation !== undefined) issues.push(withoutModule(name));
    if (byName.has(name)) issues.push(duplicate(name));
    byName.set(name, capability);
  }
  return issues.length > 0 ? bad(issues) : good(registryOver(byName));
}

function registryOver(byName: ReadonlyMap<string, Capability>): Registry {
  const declarations = Object.fromEntries(
    [...byName.keys()].sort().flatMap((name) => {
      const capability = byName.get(name);
      return capability === undefined ? [] : [[name, capability.declaration] as const];
    }),
  );
  return {
    get: (name) => byName.get(name),
    granted(name, { allow, deny }) {
      const capability = byName.get(name);
      if (capability === undefined) return bad([unknownName(name, byName.keys())]);
      return isGranted(name, allow, deny) ? good(capability) : bad([notGranted(name)]);
    },
    declarations: () => declarations,
  };
}

function duplicate(name: string): Issue {
  return issue('CAPABILITY_DUPLICATE', `two capabilities are named "${name}"`, {
    hint: 'rename one; names of the built-in catalog are taken',
  });
}

/** A function cannot be sent to another thread. */
function withoutModule(name: string): Issue {
  const message = `capability "${name}" asks for a thread of its own, but was handed over as a function`;
  return issue('ISOLATION_WITHOUT_MODULE', message, {
    hint: 'name its module under capabilities: of the template, or leave out isolate',
  });
}

function unknownName(name: string, known: Iterable<string>): Issue {
  return issue('CAPABILITY_UNKNOWN', `no capability is named "${name}"`, { hint: didYouMean(name, known) });
}

function notGranted(name: string): Issue {
  return issue('CAPABILITY_NOT_GRANTED', `capability "${name}" is not granted here`, {
    hint: 'widen allow: or narrow deny: of the planning step, or name it under capabilities:',
  });
}
