// What is said of a task that nothing granted serves, and what would have to serve it.
import { type Wanted, wantedOf } from '../missing/wanted.ts';
import type { Around, Earlier } from './around.ts';
import { stepNames } from './step-name.ts';
import type { Task } from './task.ts';
import { toldOf } from './told.ts';

/** It would be given what any capability is given that says nothing of its input. */
export function wantedFor(task: Task, earlier: readonly Earlier[], around: Around): Wanted {
  const [name = 'task'] = stepNames([task.description]);
  const input = { task: task.description, ...(task.parameters.named ?? {}), ...toldOf(earlier, around.settings) };
  return wantedOf(`own.${name}`, task.description, input, around.capabilities);
}

export function unresolved({ description }: Task, nearest: readonly string[], { capabilities }: Around): string {
  const near =
    capabilities.length === 0
      ? 'none is granted'
      : nearest.length === 0
        ? `granted are ${capabilities
            .slice(0, 5)
            .map(({ name }) => name)
            .join(', ')}${capabilities.length > 5 ? ', …' : ''}`
        : `nearest: ${nearest.join(', ')}`;
  return `no capability serves "${description}" (${near}); name one in the goal, grant one that does it, or say who makes calls: kinds: { tool_call: { agent: … } }`;
}
