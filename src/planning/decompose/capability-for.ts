// Which of the granted capabilities a task calls.
import type { CapabilityLine } from '../capability-lines.ts';
import type { Task } from './task.ts';

/** The one that it names outright, the first where it names several; undefined: it names none. */
export function capabilityFor(task: Task, capabilities: readonly CapabilityLine[]): CapabilityLine | undefined {
  const [name] = task.names;
  return capabilities.find((each) => each.name === name);
}
