// The isolation of a capability: none, or a thread with a memory limit.
import { type Issue, issue } from '../base/issue.ts';
import { readSize } from '../base/quantity.ts';

export interface Isolation {
  /** Bytes for objects and buffers, including garbage that is not collected yet. */
  readonly memory: number;
}

/** The declared isolation before it is checked. */
interface IsolationWords {
  readonly isolate?: unknown;
  readonly memory?: unknown;
}

const DEFAULT_MEMORY = 512_000_000;
/** A thread with a module takes about 20 MB. */
const LEAST_MEMORY = 64_000_000;

/** Undefined when no isolation is asked for. `isolationIssues` reports invalid declarations. */
export function isolationOf({ isolate, memory }: IsolationWords): Isolation | undefined {
  if (isolate !== 'thread') return undefined;
  return { memory: Math.max(LEAST_MEMORY, bytesIn(memory) ?? DEFAULT_MEMORY) };
}

/**
 * Issues: ISOLATION_INVALID.
 * @param whose the owner of the declaration, such as `capability "a.b"`
 */
export function isolationIssues(whose: string, { isolate, memory }: IsolationWords): readonly Issue[] {
  if (isolate !== undefined && isolate !== 'thread') {
    const message = `isolate of ${whose} is not "thread"`;
    return [
      issue('ISOLATION_INVALID', message, { path: ['isolate'], hint: "write isolate: 'thread', or leave it out" }),
    ];
  }
  if (memory === undefined) return [];
  const bytes = bytesIn(memory);
  const hint = 'write a size such as 256M or 1G; the least is 64M';
  if (isolate === undefined) {
    const message = `${whose} has a memory limit, but no isolation to enforce it`;
    return [issue('ISOLATION_INVALID', message, { path: ['memory'], hint: "add isolate: 'thread'" })];
  }
  if (bytes !== undefined && bytes >= LEAST_MEMORY) return [];
  const message = `memory of ${whose} is not a size of at least 64M`;
  return [issue('ISOLATION_INVALID', message, { path: ['memory'], hint })];
}

function bytesIn(memory: unknown): number | undefined {
  if (typeof memory !== 'string' && typeof memory !== 'number') return undefined;
  const reading = readSize(memory);
  return reading.ok ? reading.value : undefined;
}
