// pursue: works towards a goal without a template.

import { hasErrors } from '../../base/issue.ts';
import { defined } from '../../base/json.ts';
import { missionFor, readPursuit as readingOf } from '../../runtime/api/pursuit.ts';
import type { PursuitPlanAnswer } from '../answers/run-control.schema.ts';
import type { Call, Command } from '../command.ts';
import { drive, driveFlags, handleOf } from '../drive/drive.ts';
import { allExits, type ExitCode, exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { liveFlag, loadTemplate } from '../load-template.ts';
import { withEngine } from '../open-engine.ts';
import { pursuitFlags, readPursuit } from '../plan/pursuit-flags.ts';
import { readingLines } from '../plan/reading-text.ts';
import { refuse, sayIssues } from '../refuse.ts';
import { readText } from '../run-input.ts';
import { storeFlag } from '../store-file.ts';

export const command: Command = {
  arguments: [{ name: 'GOAL', description: 'The goal in words; - reads it from standard input.' }],
  flags: [
    ...pursuitFlags,
    {
      name: '--reuse <run>',
      description: 'Reuse finished work of this run (its id, or latest) for tasks that would do the same again.',
    },
    { name: '--plan-only', description: 'Show the tasks of the goal, and start no run.' },
    {
      ...liveFlag,
      description: `With --plan-only: ${liveFlag.description.charAt(0).toLowerCase()}${liveFlag.description.slice(1)}`,
    },
    storeFlag,
    ...driveFlags,
    jsonFlag,
  ],
  examples: [
    {
      command:
        'reconverge pursue "List the files in templates/data/shop/, then use csv.profile on orders.csv" --plan-only',
      does: 'show how the goal is understood',
    },
    {
      command: 'reconverge pursue "List the files in templates/data/shop/" --quiet',
      does: 'pursue the goal; clear words need no model',
    },
    {
      command: 'reconverge pursue - --sequential --attach spec.pdf < goal.txt',
      does: 'work through a long list of tasks in order',
    },
  ],
  exits: allExits,
  async run(call) {
    const { given } = call;
    const [written = ''] = given.arguments;
    const goal = written === '-' ? readText('-', '') : written;
    const pursuit = await readPursuit(given);
    if (!pursuit.ok) return refuse(call, pursuit.error);
    if (given.has('planOnly')) return showPlan(call, goal, missionFor(pursuit.value));
    return withEngine(call, (engine) =>
      drive(call, engine, new Map(), async (driven) => {
        const reuse = given.text('reuse');
        const options = { ...driven, ...pursuit.value, ...defined({ reuse }) };
        const begun = await engine.pursue(goal, options);
        if (begun.ok && !given.has('json')) sayIssues(given, begun.warnings);
        return handleOf(begun);
      }),
    );
  },
};

async function showPlan(call: Call, goal: string, mission: ReturnType<typeof missionFor>): Promise<ExitCode> {
  const { given, terminal } = call;
  const template = await loadTemplate(given, mission);
  if (!template.ok) return refuse(call, template.error);
  if (!given.has('json')) sayIssues(given, template.warnings);
  const reading = readingOf(template.value, goal);
  const { decomposition, planned, phased } = reading;
  if (given.has('json')) {
    const { kind: _, ...plan } = planned ?? { kind: 'none' };
    terminal.json({ ...decomposition, ...plan, ...defined({ phased }) } satisfies PursuitPlanAnswer);
  } else terminal.print(readingLines(reading));
  const isPlanned =
    phased !== undefined || (planned !== undefined && planned.kind !== 'none' && !hasErrors(planned.issues));
  return isPlanned ? exitCodes.done : exitCodes.issues;
}
