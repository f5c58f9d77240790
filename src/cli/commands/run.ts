// run: starts a run of a template and drives it until it rests.
import type { Command } from '../command.ts';
import { drive, driveFlags, handleOf } from '../drive/drive.ts';
import { allExits } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { environmentFlag } from '../load-template.ts';
import { withEngine } from '../open-engine.ts';
import { refuse, sayIssues } from '../refuse.ts';
import { budgetFlag, inputFlag, readBudget, readInput } from '../run-input.ts';
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
      return drive(call, engine, new Map(), async (driven) => {
        const options = { ...driven, input, budget, raise };
        return handleOf(await engine.start(template.value, reuse === undefined ? options : { ...options, reuse }));
      });
    });
  },
};
