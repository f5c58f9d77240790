// What is said of a task that nothing granted serves, and what would have to serve it.
import { didYouMean } from '../../base/nearest.ts';
import { orderIn } from '../split/order.ts';
import type { Task } from '../split/task.ts';
import type { Around, Earlier } from './around.ts';
import { stepNames } from './step-name.ts';
import { toldOf } from './told.ts';
import { type Wanted, wantedOf } from './wanted.ts';

/** It would be given what any capability is given that says nothing of its input. */
export function wantedFor(task: Task, earlier: readonly Earlier[], around: Around, called?: string): Wanted {
  const [name = 'task'] = stepNames([task.description]);
  const input = { task: task.description, ...(task.parameters.named ?? {}), ...toldOf(earlier, around.settings) };
  return wantedOf(called ?? `own.${name}`, task.description, input, around.capabilities);
}

/** `Use csv.profil …`, where there is a `csv.profile`: whoever dots a word names a capability. */
export function misnamed(
  task: Task,
  earlier: readonly Earlier[],
  around: Around,
): { readonly why: string; readonly wanted: Wanted } | undefined {
  const { description, names, parameters } = task;
  const [, word = ''] = NAMING.exec(orderIn(description)) ?? [];
  const others = [...(parameters.paths ?? []), ...(parameters.links ?? [])];
  if (names.length > 0 || word === '' || others.includes(word)) return undefined;
  const near = didYouMean(
    word,
    around.capabilities.map(({ name }) => name),
  );
  if (near === undefined) return undefined;
  return { why: `there is no capability "${word}" (${near})`, wanted: wantedFor(task, earlier, around, word) };
}

const NAMING = /^(?:use|using|call|run|invoke|execute) (?:the )?([a-z][\w-]*(?:\.[a-z][\w-]*)+)(?![\w./\\-])/i;

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
