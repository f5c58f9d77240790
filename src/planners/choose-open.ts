// Has a model choose who does the tasks of a goal that words leave open.
import type { Work } from '../engine/call/call.ts';
import type { Choice } from '../planning/decompose/around.ts';
import { openTasks } from '../planning/decompose/plan.ts';
import type { NamedModel } from '../template/model-named.ts';
import { chooseCapabilities } from './llm/choose.ts';
import { aroundOf, type Planning, type Reading } from './plan-tasks.ts';
import type { Reply } from './planner.ts';

interface ChosenTasks {
  readonly reading: Reading;
  readonly planning: Planning;
}

/** One request for all tasks; a task that a model has chosen for before is not asked about again. */
export function* chooseOpen(reading: Reading, planning: Planning, model: NamedModel): Work<ChosenTasks | Reply> {
  const { brief, choices: known = new Map() } = planning;
  if (brief.capabilities.length === 0) return { reading, planning };
  const open = new Set(openTasks(reading.tasks, { ...aroundOf(planning), answers: new Map() }));
  const tasks = [...open]
    .filter((description) => !known.has(description))
    .map((description) => {
      const input = reading.tasks.find((task) => task.description === description)?.input;
      return { description, ...(input === undefined ? {} : { input }) };
    });
  if (tasks.length === 0) return { reading, planning };
  const chosen = yield* chooseCapabilities(tasks, model, brief);
  if ('ok' in chosen) return chosen;
  const { notes } = chosen;
  // Nobody is asked twice: a task without a choice is left to a person.
  const left = tasks.map(({ description }) => [description, { kind: 'ask' }] as const);
  return {
    reading: { ...reading, notes: [...reading.notes, ...notes] },
    planning: { ...planning, choices: new Map<string, Choice>([...left, ...known, ...chosen.choices]) },
  };
}
