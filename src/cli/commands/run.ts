// run: starts a run of a template and drives it until it rests.
import { defined } from '../../base/json.ts';
import { good } from '../../base/result.ts';
import type { Command } from '../command.ts';
import { type Begin, type Conclude, drive, driveFlags, handleOf } from '../drive/drive.ts';
import { allExits } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { environmentFlag } from '../load-template.ts';
import { withEngine } from '../open-engine.ts';
import { refuse, sayIssues } from '../refuse.ts';
import { budgetFlag, inputFlag, readBudget, readInput } from '../run-input.ts';
import { checkPlanningStep, concludeWithPacket } from '../show-packet.ts';
import { storeFlag } from '../store-file.ts';

export const command: Command = {
  arguments: [{ name: 'TEMPLATE', description: 'The template file.' }],
  flags: [
    inputFlag,
    budgetFlag,
    {
      name: '--reuse <run>',
      description: 'Reuse finished work of this run (its id, or latest) for steps that would do the same again.',
    },
    environmentFlag,
    {
      name: '--show-packet <step>',
      description:
        'Stop when this planning step asks its planner, and print the packet, the budget and the bounds that the planner gets. No model plans, and no planned step begins.',
    },
    { name: '--raise', description: 'Allow --budget to loosen limits too.' },
    storeFlag,
    ...driveFlags,
    jsonFlag,
  ],
  examples: [
    {
      command: 'reconverge run templates/recon-then-execute.yaml --input folder=templates/data/shop',
      does: 'examine a folder of data files and write a report',
    },
    {
      command: 'reconverge run plan.yaml --input @input.json --budget max_total_steps=30',
      does: 'run with a smaller budget',
    },
    {
      command: 'reconverge run plan.yaml --show-packet plan',
      does: 'see what the planner of the step plan gets',
    },
    { command: 'reconverge run plan.yaml --json > events.ndjson', does: 'write events and the report as JSON lines' },
  ],
  exits: allExits,
  async run(call) {
    const { given } = call;
    const budget = readBudget(given.all('budget'));
    return withEngine(call, async (engine) => {
      const template = await engine.load(given.arguments[0] ?? '', { environment: given.text('environment') });
      if (!template.ok) return refuse(call, template.error);
      if (!given.has('json')) sayIssues(given, template.warnings);
      const input = readInput(given.all('input'), template.value.input);
      const raise = given.has('raise');
      const reuse = given.text('reuse');
      const planner = given.text('showPacket');
      const step = planner === undefined ? good(undefined) : checkPlanningStep(template.value, planner);
      if (!step.ok) return refuse(call, step.error);
      const { value: stopAtPlanner } = step;
      const begin: Begin = async (driven) => {
        const options = { ...driven, input, budget, raise, ...defined({ reuse, stopAtPlanner }) };
        return handleOf(await engine.start(template.value, options));
      };
      if (stopAtPlanner === undefined) return drive(call, engine, new Map(), begin);
      const end: Conclude = (last) => concludeWithPacket(call, engine, stopAtPlanner, last);
      return drive(call, engine, new Map(), begin, end);
    });
  },
};
