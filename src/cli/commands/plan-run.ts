// plan run: runs a plan without a template, in a frame of one planning step and one step that joins the results.
import type { Issue } from '../../base/issue.ts';
import { defined, type JsonObject } from '../../base/json.ts';
import type { Engine } from '../../runtime/api/engine.ts';
import type { Call, Command, Given } from '../command.ts';
import { drive, driveFlags, handleOf } from '../drive/drive.ts';
import { allExits, type ExitCode } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { withEngine } from '../open-engine.ts';
import { frameGiven, missionFlags } from '../plan/plan-frame.ts';
import { readAnyPlan } from '../plan/read-plan.ts';
import { refuse, sayIssues } from '../refuse.ts';
import { readBudget, readInput, readObjectOrFile } from '../run-input.ts';
import { storeFlag } from '../store-file.ts';

export const command: Command = {
  arguments: [
    { name: 'FILE', description: 'The plan, in YAML or JSON or as a model answered it; - reads standard input.' },
  ],
  flags: [
    ...missionFlags,
    {
      name: '--input <value>',
      description: 'What its steps know as {{ input.… }}: key=value, @file.json, or a JSON object; later ones win.',
      repeats: true,
    },
    {
      name: '--initial-results <value>',
      description:
        'Results that steps have already, by their names: a file with a JSON object, or the object. They are not run.',
    },
    {
      name: '--reuse <run>',
      description: 'Take over finished work of this run where steps would do the same again: its id, or latest.',
    },
    { name: '--keep-going', description: 'Go on after a failure with what does not hang on it, instead of halting.' },
    { name: '--budget <key=value>', description: 'Set a limit of the budget.', repeats: true },
    storeFlag,
    ...driveFlags,
    jsonFlag,
  ],
  examples: [
    {
      command: 'reconverge plan run plan.json --mission "Count the words of each file" --root data',
      does: 'run a plan that somebody has made',
    },
    {
      command: `reconverge plan run plan.json --initial-results '{"fetch": {"rows": 3}}'`,
      does: 'without the step fetch, whose result is there already',
    },
    { command: 'reconverge plan run plan.json --reuse latest', does: 'again, without what was finished the last time' },
  ],
  exits: allExits,
  run: (call) => withEngine(call, (engine) => runPlan(call, engine)),
};

async function runPlan(call: Call, engine: Engine): Promise<ExitCode> {
  const { given } = call;
  const read = await readAnyPlan(given.arguments[0] ?? '');
  if (!read.ok) return refuse(call, read.error);
  const { plan, place } = read.value;
  // Issues with `GIVEN_` codes concern results that are given beside the plan, so they have no place in the plan's file.
  const placed = (found: Issue) => (found.code.startsWith('GIVEN_') ? found : place(found));
  const known = given.text('initialResults');
  const results = known === undefined ? {} : readObjectOrFile(known, '--initial-results');
  const mission = given.text('mission');
  const options = { frame: frameOf(given), given: results, ...defined({ mission }) };
  const { readyPlan } = await import('../../runtime/mission/execute-plan.ts');
  const ready = await readyPlan(engine, plan, options);
  if (!ready.ok) return refuse(call, ready.error.map(placed));
  if (!given.has('json')) sayIssues(given, ready.warnings.map(placed));
  const input = readInput(given.all('input'), undefined);
  const reuse = given.text('reuse');
  return drive(call, engine, new Map(), async (driven) => {
    const start = { ...driven, input, given: results };
    return handleOf(await engine.start(ready.value.template, reuse === undefined ? start : { ...start, reuse }));
  });
}

function frameOf(given: Given): JsonObject {
  const budget = Object.entries(readBudget(given.all('budget'))).map(([key, text]) => [key, asWritten(text)] as const);
  return {
    ...frameGiven(given),
    budget: Object.fromEntries(budget),
    ...(given.has('keepGoing') ? { fail_fast: false } : {}),
  };
}

/** Counts are numbers in a template. */
function asWritten(text: string): string | number {
  return /^\d+$/.test(text) ? Number(text) : text;
}
