// Puts what came with a goal on the tasks that speak of it, and on all of them where none does.
import type { Attachment } from '../../template/keys/attachment.ts';
import type { Task } from './task.ts';

export function handOver(attachments: readonly Attachment[], tasks: readonly Task[]): readonly Task[] {
  if (attachments.length === 0) return tasks;
  const speaking = attachments.map((attachment) => ({
    attachment,
    by: new Set(tasks.filter((task) => speaksOf(task, attachment))),
  }));
  return tasks.map((task) => {
    const given = speaking.filter(({ by }) => (by.size === 0 ? task.kind !== 'clarification' : by.has(task)));
    const named = new Set(given.flatMap(({ attachment }) => namesOf(attachment)));
    const others = task.attachments.filter(({ ref }) => !named.has(ref.toLowerCase()));
    return { ...task, attachments: [...others, ...given.map(({ attachment }) => attachment)] };
  });
}

function speaksOf({ description }: Task, attachment: Attachment): boolean {
  const text = description.toLowerCase();
  return namesOf(attachment).some((name) => text.includes(name));
}

/** Its reference, its file's name, and its label. */
function namesOf({ ref, label = '' }: Attachment): readonly string[] {
  const name = ref.slice(Math.max(ref.lastIndexOf('/'), ref.lastIndexOf('\\')) + 1);
  // A name without an ending is a word like any other.
  const names = [ref, name.includes('.') ? name : '', label];
  return names.flatMap((each) => (each === '' ? [] : [each.toLowerCase()]));
}
