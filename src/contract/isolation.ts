// How a capability is kept apart from the run that calls it: not at all, or in a thread with a limit for its memory.
import { type Issue, issue } from '../base/issue.ts';
import { readSize } from '../base/quantity.ts';

export interface Isolation {
  /** Bytes that a thread may take for its objects and buffers, those that are not yet collected included. */
  readonly memory: number;
}

/** What is written of it; nothing has checked it. */
interface IsolationWords {
  readonly isolate?: unknown;
  readonly memory?: unknown;
}

const DEFAULT_MEMORY = 512_000_000;
/** A thread that has loaded a module takes some 20 MB. */
const LEAST_MEMORY = 64_000_000;

/** As a capability says it; undefined when it is not to be isolated. What cannot be read is found by `isolationIssues`. */
export function isolationOf({ isolate, memory }: IsolationWords): Isolation | undefined {
  if (isolate !== 'thread') return undefined;
  return { memory: Math.max(LEAST_MEMORY, bytesIn(memory) ?? DEFAULT_MEMORY) };
}

/** Issues: ISOLATION_INVALID. `whose` names what says it, such as `capability "a.b"`. */
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
    const message = `${whose} has a limit for its memory, but no isolation that could hold it`;
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
