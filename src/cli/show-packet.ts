// Shows the packet that a planner was given: of a finished run, and of a run that stops when the planner is asked.
import { issue } from '../base/issue.ts';
import type { Json } from '../base/json.ts';
import { didYouMean } from '../base/nearest.ts';
import { bad, good, type Result } from '../base/result.ts';
import { readInFull } from '../planners/load-references.ts';
import type { Brief } from '../planning/brief.ts';
import type { Engine } from '../runtime/api/engine.ts';
import type { RunRecord } from '../runtime/api/run-record.ts';
import type { Template } from '../template/template.ts';
import { copyable, span } from '../view/line.ts';
import type { PacketAnswer, PlannerPacket } from './answers/why.schema.ts';
import type { Call } from './command.ts';
import { compactJson } from './compact-json.ts';
import { conclude, type DriveOutcome } from './drive/conclude.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { refuse, sayIssues } from './refuse.ts';
import { commandLine } from './store-file.ts';

/** A planning step of the template, or the full id of a step that one of them may bring. */
export function checkPlanningStep({ steps }: Template, named: string): Result<string> {
  const planning = steps.filter(({ type }) => type === 'planning').map(({ name }) => name);
  const [outer = ''] = named.split(/[.~/]/);
  if (planning.includes(named) || (named.includes('/') && planning.includes(outer))) return good(named);
  const known = steps.find(({ name }) => name === named);
  const message =
    known === undefined
      ? `the template has no planning step "${named}"`
      : `"${named}" is a ${known.type} step and has no planner`;
  const choices =
    planning.length === 0 ? 'the template has no planning step' : `name a planning step: ${planning.join(', ')}`;
  return bad([issue('STEP_NOT_PLANNING', message, { hint: didYouMean(named, planning) ?? choices })]);
}

/** The packet of the planner's last attempt; undefined if the planner was not asked. */
function packetOf({ events, blob }: RunRecord, step: string): Result<PlannerPacket | undefined> {
  const asked = events.findLast(({ event }) => event.type === 'plan.requested' && event.step === step)?.event;
  if (asked?.type !== 'plan.requested') return good(undefined);
  // `briefOf` made this value, and it was stored unchanged.
  const stored: Brief = JSON.parse(blob(asked.brief) ?? 'null');
  const { attempt, tokens } = asked;
  try {
    const { packet, budget, bounds, input } = readInFull(stored, {
      read: (digest): Json => JSON.parse(blob(digest) ?? 'null'),
      refuse: (message, hint) => new TooLarge(message, hint),
    });
    // The getters of the references load their values here.
    return good(JSON.parse(JSON.stringify({ step, attempt, tokens, packet, budget, bounds, input })));
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    return bad([issue('PACKET_TOO_LARGE', error.message, { hint: error.hint })]);
  }
}

class TooLarge extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/** The answer of `why RUN STEP --packet`. */
export function showPacket(call: Call, record: RunRecord, step: string): ExitCode {
  const found = packetOf(record, step);
  if (!found.ok) return refuse(call, found.error);
  if (found.value === undefined) return refuse(call, [notAsked(record, step)]);
  if (call.given.has('json')) call.terminal.json({ planner: found.value } satisfies PacketAnswer);
  else printPacket(call, found.value);
  return exitCodes.done;
}

function printPacket({ terminal }: Call, { step, attempt, tokens: _, ...seen }: PlannerPacket): void {
  terminal.say([[span(`what the planner of ${step} saw in attempt ${attempt}:`, 'dim')]]);
  terminal.write(`${compactJson(seen)}\n`);
}

function notAsked({ state, events }: RunRecord, step: string): ReturnType<typeof issue> {
  const asked = new Set(events.flatMap(({ event }) => (event.type === 'plan.requested' ? [event.step] : [])));
  const hint =
    asked.size === 0 ? 'no planner of this run was asked' : `planners were asked at ${[...asked].join(', ')}`;
  return issue('PACKET_MISSING', `run ${state.id} did not ask a planner at "${step}"`, { hint });
}

/** Ends `run --show-packet STEP`: with the packet, or as usual when the run came to rest before. */
export function concludeWithPacket(call: Call, engine: Engine, step: string, last: DriveOutcome): ExitCode {
  if (last.kind !== 'rested') return conclude(call, last);
  const { run, status } = last.report;
  const record = engine.read(run);
  if (!record.ok) return refuse(call, record.error);
  const found = packetOf(record.value, step);
  if (!found.ok) return refuse(call, found.error);
  if (found.value === undefined) {
    const code = conclude(call, last);
    sayIssues(call.given, [notAsked(record.value, step)]);
    return code === exitCodes.done ? exitCodes.issues : code;
  }
  if (call.given.has('json')) call.terminal.jsonLine({ planner: found.value } satisfies PacketAnswer);
  else printPacket(call, found.value);
  if (status === 'interrupted' && !call.given.has('quiet')) sayHowToContinue(call, run);
  return exitCodes.done;
}

function sayHowToContinue({ given, terminal }: Call, run: string): void {
  terminal.say([
    [
      span(
        'the run has stopped here: no planned step has begun, and no model was asked. To continue it, or to end it:',
        'dim',
      ),
    ],
    ...['resume', 'cancel'].map((word) => [span('  '), copyable(commandLine(given, word, run), 'dim')]),
  ]);
}
