// Watches the process while it drives a run: signals, uncaught errors, and an exit in the middle of the run.
import { writeSync } from 'node:fs';
import { messageOf, stackOf } from '../../capabilities/capability-error.ts';
import type { RunHandle } from '../../runtime/api/engine.ts';
import { type Line, span } from '../../view/line.ts';
import { exitCodes } from '../exit-codes.ts';

export interface WatchOptions {
  readonly handle: RunHandle;
  note(line: Line): void;
  /** The ids of the running steps. */
  underWay(): readonly string[];
  /** The command that resumes the run. */
  readonly resume: string;
}

export interface Watch {
  /** Whether an error escaped from a handler outside its promise. */
  hasCaught(): boolean;
  /** Whether a signal told the process to stop. */
  wasStopped(): boolean;
  end(): void;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const errors = ['uncaughtException', 'unhandledRejection'] as const;

/** The first signal lets running calls finish, and nothing new begins; the second aborts them, the third exits at once. */
export function watchProcess({ handle, note, underWay, resume }: WatchOptions): Watch {
  let asked = 0;
  let caught = false;

  function stop(): void {
    asked += 1;
    if (asked > 2) {
      end();
      process.exit(exitCodes.interrupted);
    }
    if (asked === 1)
      note([
        span('stopping: nothing new begins, and what runs has up to 5 s to end; Ctrl-C again stops at once', 'warn'),
      ]);
    handle.stop();
  }

  /** The first error is reported and stops the run, because its damage is unknown. The next step for the user depends on how the run rests. */
  function caughtError(error: unknown): void {
    const message = messageOf(error);
    if (!caught) {
      const where = `thrown outside of what a handler answers, ${underWayText(underWay())}`;
      note([span('error', 'bad'), span(`: ${message}; ${where}`)]);
    }
    caught = true;
    if (process.env.RECONVERGE_DEBUG !== undefined) {
      for (const line of (stackOf(error) ?? message).split('\n')) note([span(line)]);
    }
    if (asked === 0) stop();
  }

  function exited(): void {
    process.exitCode = exitCodes.interrupted;
    // Asynchronous writes to streams are lost at this point.
    writeSync(2, `error: a handler ended the process, ${underWayText(underWay())}; go on with: ${resume}\n`);
  }

  function end(): void {
    for (const signal of signals) process.off(signal, stop);
    for (const error of errors) process.off(error, caughtError);
    process.off('exit', exited);
  }

  for (const signal of signals) process.on(signal, stop);
  for (const error of errors) process.on(error, caughtError);
  process.on('exit', exited);
  return { hasCaught: () => caught, wasStopped: () => asked > 0, end };
}

function underWayText(steps: readonly string[]): string {
  return steps.length === 0 ? 'while no step was under way' : `while these steps were under way: ${steps.join(', ')}`;
}
