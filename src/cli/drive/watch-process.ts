// Watches the process while it drives a run: signals, errors that no step catches, and an exit in mid-run.
import { writeSync } from 'node:fs';
import { messageOf, stackOf } from '../../capabilities/capability-error.ts';
import type { RunHandle } from '../../runtime/api/engine.ts';
import { type Line, span } from '../../view/line.ts';
import { exitCodes } from '../exit-codes.ts';

export interface Watched {
  readonly handle: RunHandle;
  note(line: Line): void;
  /** Ids of the steps that are under way. */
  underWay(): readonly string[];
  /** The command that goes on with the run. */
  readonly resume: string;
}

export interface Watch {
  /** Whether an error came out of a handler by another way than its promise. */
  hasCaught(): boolean;
  /** Whether it was told to stop. */
  wasStopped(): boolean;
  end(): void;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const errors = ['uncaughtException', 'unhandledRejection'] as const;

/** The first signal lets what runs end, the second gives it up, the third does not even wait for that. */
export function watchProcess({ handle, note, underWay, resume }: Watched): Watch {
  let asked = 0;
  let caught = false;

  function stop(): void {
    asked += 1;
    if (asked > 2) {
      end();
      process.exit(exitCodes.interrupted);
    }
    if (asked === 1) note([span('stopping: what runs may end, for up to 5 s; Ctrl-C again stops at once', 'warn')]);
    handle.stop();
  }

  /** The first is told, and stops the run: what it has broken nobody knows. How to go on depends on how the run comes to rest. */
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
    // Streams are not written to any more.
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
