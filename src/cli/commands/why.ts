// why: explains the way from a run's goal to a step and the step's history, or shows how the run's goals were split.

import { issue } from '../../base/issue.ts';
import { defined, type Json } from '../../base/json.ts';
import type { RunRecord } from '../../runtime/api/run-record.ts';
import { span } from '../../view/line.ts';
import { storedValue } from '../../view/stored-value.ts';
import { exchangeText } from '../../view/why/exchange-text.ts';
import { intentTree, intentTreeText } from '../../view/why/intent-tree.ts';
import { receiptsOf, receiptsText } from '../../view/why/receipts.ts';
import { requestParts } from '../../view/why/shared-prefix.ts';
import { inDollars, shownWhy } from '../../view/why/shown-why.ts';
import { type Why, why } from '../../view/why/why.ts';
import { whyText } from '../../view/why/why-text.ts';
import type { CallAnswer, IntentsAnswer, ReceiptsAnswer, WhyAnswer } from '../answers/why.schema.ts';
import type { Call, Command } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { findStep } from '../find-step.ts';
import { jsonFlag } from '../json-flag.ts';
import { withRun } from '../open-engine.ts';
import { refuse } from '../refuse.ts';
import { runArgument } from '../run-argument.ts';
import { showPacket } from '../show-packet.ts';
import { storeFlag } from '../store-file.ts';
import { UsageError } from '../usage-error.ts';

export const command: Command = {
  arguments: [
    runArgument,
    {
      name: '[STEP]',
      description:
        "The step's id, or the last part of it; by default all goals of the run, with their intents and performers.",
    },
  ],
  flags: [
    {
      name: '--call <n.m>',
      description:
        'Print the request and the raw reply of call m of attempt n, and the beginning that a request to a model shares with the previous one, which servers may cache.',
    },
    {
      name: '--receipts',
      description: 'For a planning step: list the shown and the omitted parts of each result, for each attempt.',
    },
    {
      name: '--packet',
      description: 'For a planning step: print the packet, the budget and the bounds that its planner saw.',
    },
    storeFlag,
    jsonFlag,
  ],
  examples: [
    { command: 'reconverge why latest finalize', does: 'explain a convergence' },
    { command: 'reconverge why latest', does: 'show the parts of each goal, and their performers' },
    {
      command: 'reconverge why latest plan_recon --call 1.1',
      does: 'print the prompt of a planner, and the raw reply',
    },
    {
      command: 'reconverge why latest plan_recon --receipts',
      does: 'list the results that a planner was shown',
    },
    { command: 'reconverge why latest plan_recon --packet', does: 'print what a planner saw' },
  ],
  run: (call) =>
    withRun(call, (record) => {
      const { state, events } = record;
      const named = call.given.arguments[1];
      if (named === undefined) return showIntents(call, record);
      const step = findStep(state, named);
      if (!step.ok) return refuse(call, step.error);
      const answer = why(state, events, step.value.id);
      const asked = call.given.text('call');
      if (asked !== undefined) return showCall(call, record, answer, asked);
      if (call.given.has('packet')) return showPacket(call, record, answer.step);
      if (call.given.has('receipts')) return showReceipts(call, record, answer);
      if (call.given.has('json')) call.terminal.json(shownWhy(answer) satisfies WhyAnswer);
      else call.terminal.print(whyText(answer));
      return exitCodes.done;
    }),
};

function showIntents({ given, terminal }: Call, { state }: RunRecord): ExitCode {
  const misplaced = ['call', 'receipts', 'packet'].find((flag) => given.has(flag));
  if (misplaced !== undefined) throw new UsageError(`--${misplaced} needs a STEP`);
  const goals = intentTree(state);
  if (given.has('json')) terminal.json({ run: state.id, template: state.template.name, goals } satisfies IntentsAnswer);
  else if (goals.length === 0) terminal.say([[span('nothing was planned in this run; name a step', 'dim')]]);
  else terminal.print(intentTreeText(goals));
  return exitCodes.done;
}

function showReceipts({ given, terminal }: Call, { events, blob }: RunRecord, { step }: Why): ExitCode {
  const receipts = receiptsOf(events, step, blob);
  if (given.has('json')) terminal.json(receipts satisfies ReceiptsAnswer);
  else if (receipts.length === 0) terminal.say([[span(`no planner was asked for "${step}"`, 'dim')]]);
  else terminal.print(receiptsText(receipts));
  return exitCodes.done;
}

/** `asked` is for example `1.2`: the second call of the first attempt. */
function showCall(call: Call, record: RunRecord, { step, attempts }: Why, asked: string): ExitCode {
  const all = attempts.flatMap(({ attempt, calls }) => calls.map((each) => [`${attempt}.${each.call}`, each] as const));
  const found = all.findLast(([name]) => name === asked)?.[1];
  if (found === undefined) {
    const known = [...new Set(all.map(([name]) => name))].join(', ');
    const hint = known === '' ? 'it made no calls of its own' : `its calls are ${known}`;
    return refuse(call, [issue('CALL_UNKNOWN', `step "${step}" has no call "${asked}"`, { hint })]);
  }
  const request: Json = JSON.parse(record.blob(found.request) ?? 'null');
  const reply = found.value === undefined ? undefined : storedValue(found.value, record.blob);
  const parts = requestParts(record.events, { ...found, step }, record.blob);
  if (call.given.has('json')) {
    const { value: _, ...facts } = found;
    call.terminal.json({ ...inDollars(facts), ...parts, request, ...defined({ reply }) } satisfies CallAnswer);
  } else {
    call.terminal.print(exchangeText({ name: asked, call: found, request, ...defined({ reply, parts }) }));
  }
  return exitCodes.done;
}
