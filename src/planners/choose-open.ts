// Has a model choose who does the tasks of a goal that words leave open.
import type { Work } from '../engine/record/call.ts';
import { agentTasks, openTasks } from '../goals/plan/plan.ts';
import type { Choice } from '../goals/plan/task-context.ts';
import type { NamedModel } from '../template/model-named.ts';
import { chooseCapabilities } from './llm/choose.ts';
import { aroundOf, type Planning, type Reading } from './plan-tasks.ts';
import type { Reply } from './planner.ts';

interface ChosenTasks {
  readonly reading: Reading;
  readonly planning: Planning;
}

/**
 * One request for all tasks; a task that a model has chosen for before is not asked about again. Work for an agent is asked
 * about too: a tool may do what shares no word with it.
 */
export function* chooseOpen(reading: Reading, planning: Planning, model: NamedModel): Work<ChosenTasks | Reply> {
  const { brief, choices: known = new Map() } = planning;
  if (brief.capabilities.length === 0) return { reading, planning };
  const around = { ...aroundOf(planning), answers: new Map() };
  const open = openTasks(reading.tasks, around);
  const work = agentTasks(reading.tasks, around);
  const tasks = reading.tasks.filter(
    ({ description }, index) =>
      (open.includes(description) || work.includes(description)) &&
      !known.has(description) &&
      reading.tasks.findIndex((each) => each.description === description) === index,
  );
  if (tasks.length === 0) return { reading, planning };
  const chosen = yield* chooseCapabilities(tasks, model, brief);
  if ('ok' in chosen) return chosen;
  // Nobody is asked twice: without a choice a task goes to a person, and work to its agent.
  const left = tasks.map(({ description }): readonly [string, Choice] => [
    description,
    { kind: open.includes(description) ? 'ask' : 'none' },
  ]);
  return {
    reading: { ...reading, notes: [...reading.notes, ...chosen.notes] },
    planning: { ...planning, choices: new Map<string, Choice>([...left, ...known, ...chosen.choices]) },
  };
}
