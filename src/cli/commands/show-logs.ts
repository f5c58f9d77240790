// show --logs: prints the log lines of a run or of one step, and follows a run that goes on.
import { setTimeout as pass } from 'node:timers/promises';
import type { Duration } from '../../base/quantity.ts';
import { type KeptLogLine, type LogLevel, logLevels } from '../../engine/record/log-line.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import type { Engine } from '../../runtime/api/engine.ts';
import type { RunRecord } from '../../runtime/api/run-record.ts';
import type { LogQuery } from '../../runtime/logs/read-logs.ts';
import { copyable, span } from '../../view/line.ts';
import { logHomesOf, logHomeText } from '../../view/logs/log-home.ts';
import { logText } from '../../view/logs/log-text.ts';
import type { Call, Flag } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { findStep } from '../find-step.ts';
import { refuse } from '../refuse.ts';
import { commandLine } from '../store-file.ts';
import { UsageError } from '../usage-error.ts';

export const logFlags: readonly Flag[] = [
  { name: '--logs', description: 'Print the log lines of the run, or of STEP and the steps below it.' },
  { name: '--level <level>', description: 'With --logs: the least level.', choices: [...logLevels] },
  { name: '--attempt <n>', description: 'With --logs: only this attempt of each step.' },
  { name: '--tail <n>', description: 'With --logs: begin with the last n lines.' },
  { name: '--follow', description: 'With --logs: print new lines until the run has ended, or until Ctrl-C.' },
];

/** The flags that mean nothing without `--logs`. */
const dependent = ['level', 'attempt', 'tail', 'follow'] as const;

export function refuseWithoutLogs({ given }: Call): void {
  for (const flag of dependent) {
    if (given.has(flag)) throw new UsageError(`--${flag} belongs to --logs: add --logs`);
  }
  if (given.arguments[1] !== undefined)
    throw new UsageError(`"${given.arguments[1]}" names a step for --logs: add --logs, or see \`reconverge why\``);
}

/** Lines are read and printed in parts of this size, so that a long log takes no memory. */
const PART = 1_000;

export async function showLogs(call: Call, engine: Engine, record: RunRecord): Promise<ExitCode> {
  const { given, terminal } = call;
  const { state } = record;
  const named = given.arguments[1];
  const step = named === undefined ? undefined : findStep(state, named);
  if (step?.ok === false) return refuse(call, step.error);
  const id = step?.value.id;
  const steps = id === undefined ? undefined : stepsUnder(state, id);
  const query: LogQuery = { step: steps, level: levelOf(given.text('level')), attempt: numberOf(call, 'attempt') };
  const text = logText(steps?.length === 1 ? id : undefined);
  let last = 0;
  let isEmpty = true;

  function print(lines: readonly KeptLogLine[]): void {
    if (lines.length === 0) return;
    isEmpty = false;
    last = lines.at(-1)?.number ?? last;
    if (given.has('json')) lines.forEach(terminal.jsonLine);
    else terminal.print(text.print(lines));
  }

  function printNew(): void {
    for (;;) {
      const found = engine.logs(state.id, { ...query, after: last, first: PART });
      if (!found.ok) return;
      print(found.value);
      if (found.value.length < PART) return;
    }
  }

  function begin(): ExitCode | undefined {
    const tail = numberOf(call, 'tail');
    if (tail === undefined) {
      printNew();
      return undefined;
    }
    const found = engine.logs(state.id, { ...query, last: tail });
    if (!found.ok) return refuse(call, found.error);
    print(found.value);
    return undefined;
  }

  if (given.has('follow') && state.ended === undefined)
    return (await untilStopped((stopped) => begin() ?? follow(engine, state.id, printNew, stopped))) ?? exitCodes.done;
  const refused = begin();
  if (refused !== undefined) return refused;
  if (isEmpty && !given.has('json')) sayWhyEmpty(call, record, id);
  return exitCodes.done;
}

const LOOK_EVERY: Duration = 200;
/** The number of looks at the log between two looks at the run. */
const LOOKS = 5;

/** The signals to stop abort the work, which then counts as done. */
async function untilStopped<T>(work: (stopped: AbortSignal) => T | Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  for (const signal of signals) process.on(signal, stop);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}

/** Ends when the run has ended, or when it is stopped. */
async function follow(engine: Engine, run: string, printNew: () => void, stopped: AbortSignal): Promise<undefined> {
  for (let look = 1; !stopped.aborted; look += 1) {
    await pass(LOOK_EVERY, undefined, { signal: stopped }).catch(() => undefined);
    const hasEnded = look % LOOKS === 0 && isOver(engine, run);
    printNew();
    if (hasEnded) return;
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const over: readonly string[] = ['completed', 'failed', 'cancelled'];

function isOver(engine: Engine, run: string): boolean {
  const status = engine.runs().find(({ id }) => id === run)?.status;
  return status === undefined || over.includes(status);
}

/** The step, the items of a fan-out, and the steps of a plan with its repairs. */
function stepsUnder(state: RunView, id: string): readonly string[] {
  const found = new Set([id]);
  for (const each of found) {
    const below = [...(state.steps.get(each)?.expanded ?? []), ...(state.phases.get(each)?.steps ?? [])];
    for (const step of below) found.add(step);
  }
  return [...found];
}

function levelOf(text: string | undefined): LogLevel | undefined {
  return logLevels.find((level) => level === text);
}

function numberOf({ given }: Call, flag: 'attempt' | 'tail'): number | undefined {
  const text = given.text(flag);
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`--${flag} takes a whole number from 1, not "${text}"`);
}

function sayWhyEmpty({ given, terminal }: Call, { state, events }: RunRecord, step: string | undefined): void {
  const limits = dependent.filter((flag) => flag !== 'follow' && given.has(flag));
  const chosen = limits.length === 0 ? '' : `, with ${limits.map((flag) => `--${flag} ${given.text(flag)}`).join(' ')}`;
  terminal.say([[span(`${step ?? `run ${state.id}`} has no log lines here${chosen}`, 'dim')]]);
  for (const home of homesOf(state, events, step)) {
    const command = commandLine(given, 'show', home.run, '--logs');
    terminal.say([[span(`${home.text}: `, 'dim'), copyable(command, 'dim')]]);
  }
}

function homesOf(
  state: RunView,
  events: RunRecord['events'],
  step: string | undefined,
): readonly { readonly run: string; readonly text: string }[] {
  if (step !== undefined)
    return logHomesOf(state, events, step).map((home) => ({ run: home.run, text: logHomeText(home, step) }));
  const { forked } = state;
  return forked === undefined
    ? []
    : [{ run: forked.from, text: `steps up to event ${forked.at} wrote theirs in the run ${forked.from}` }];
}
