// plan run: runs a plan without a template, in a frame of one planning step and one step that joins the results.
import type { Issue } from '../../base/issue.ts';
import { defined, type JsonObject } from '../../base/json.ts';
import type { Engine } from '../../runtime/api/engine.ts';
import type { Call, Command, ParsedArguments } from '../command.ts';
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
    {
      name: 'FILE',
      description: 'The plan in YAML, JSON or calls in Python, or the answer of a model; - reads standard input.',
    },
  ],
  flags: [
    ...missionFlags,
    {
      name: '--input <value>',
      description: 'The input, for {{ input.… }} in steps: key=value, @file.json, or a JSON object; later values win.',
      repeats: true,
    },
    {
      name: '--initial-results <value>',
      description: 'Known results by step name: a JSON object, or a file with one. These steps do not run.',
    },
    {
      name: '--reuse <run>',
      description: 'Reuse finished work of this run (its id, or latest) for steps that would do the same again.',
    },
    { name: '--keep-going', description: 'Continue after a failure with the steps that do not depend on it.' },
    { name: '--budget <key=value>', description: 'Set a limit of the budget.', repeats: true },
    storeFlag,
    ...driveFlags,
    jsonFlag,
  ],
  examples: [
    {
      command: 'reconverge plan run plan.json --mission "Count the words of each file" --root data',
      does: 'run a plan',
    },
    {
      command: `reconverge plan run plan.json --initial-results '{"fetch": {"rows": 3}}'`,
      does: 'run it with a known result of the step fetch',
    },
    { command: 'reconverge plan run plan.json --reuse latest', does: 'run it again and reuse finished work' },
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

function frameOf(given: ParsedArguments): JsonObject {
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
