// Holds tasks that a model has worded to the goal: the vetoes are about the words of people.

import { matchGoal, vetoFor } from '../goals/match/match.ts';
import type { Choice } from '../goals/plan/task-context.ts';
import type { Planning, Reading } from './plan-tasks.ts';

interface HeldTasks {
  readonly reading: Reading;
  readonly planning: Planning;
}

/** A task whose capability the goal forbids, or does not ask for, goes to a person, whatever words the model has for it. */
export function heldToGoal(reading: Reading, planning: Planning): HeldTasks {
  const { goal = '', capabilities } = planning.brief;
  const notes: string[] = [];
  const held = new Map<string, Choice>();
  const tasks = reading.tasks.map((task) => {
    const { description, names } = task;
    const name = names[0] ?? matchGoal(description, capabilities).certain?.name;
    const veto = name === undefined ? undefined : vetoFor(description, name, capabilities, goal);
    if (veto === undefined) return task;
    notes.push(`"${description}" may not be ${name}: ${veto}`);
    held.set(description, { kind: 'ask' });
    return { ...task, names: [] };
  });
  if (held.size === 0) return { reading, planning };
  return {
    reading: { ...reading, tasks, notes: [...reading.notes, ...notes] },
    planning: { ...planning, choices: new Map([...(planning.choices ?? []), ...held]) },
  };
}
