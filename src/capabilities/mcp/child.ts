// A server that runs as a child process: in a group of its own, so that it outlives a Ctrl-C of ours and ends whole when told to.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Duration } from '../../base/quantity.ts';
import { within } from './within.ts';

export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** A line of its standard error. */
  readonly onTalk: (line: string) => void;
}

export interface Child {
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves when it has ended, however that came about. */
  readonly gone: Promise<Ending>;
  /** Asks it to end, in the manner of the protocol: no more input, then a signal, then no choice. */
  end(): Promise<void>;
}

export interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
}

/** How long a server that has been asked may take. */
const PATIENCE: Duration = 1_000;
/** How long what it wrote last may take to arrive when something else holds its pipes open. */
const LAST_WORDS: Duration = 200;

/** Ended with this process, whichever way it ends. */
const alive = new Set<ChildProcess>();

function killAll(): void {
  for (const child of alive) kill(child, 'SIGKILL');
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A signal that nobody else minds ends this process as it would have without us, and not alone. */
function heedSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  killAll();
  unwatch();
  process.kill(process.pid, signal);
}

function watch(): void {
  process.on('exit', killAll);
  for (const signal of signals) process.on(signal, heedSignal);
}

function unwatch(): void {
  process.off('exit', killAll);
  for (const signal of signals) process.off(signal, heedSignal);
}

/** Rejects with the error of the system when it cannot be started. */
export async function startChild({ command, args, env, cwd, onTalk }: ChildOptions): Promise<Child> {
  const child = spawn(command, [...args], { env: { ...env }, cwd, detached: true, windowsHide: true });
  await once(child, 'spawn');
  if (alive.size === 0) watch();
  alive.add(child);
  // A pipe that breaks is told by the end of the process.
  child.stdin.on('error', () => undefined);
  child.on('error', () => undefined);
  createInterface({ input: child.stderr }).on('line', onTalk);
  const gone = endingOf(child).finally(() => {
    alive.delete(child);
    if (alive.size === 0) unwatch();
  });
  return { input: child.stdin, output: child.stdout, gone, end: () => end(child, gone) };
}

async function endingOf(child: ChildProcess): Promise<Ending> {
  const closed = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  await new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  await within(LAST_WORDS, closed);
  return { code: child.exitCode, signal: child.signalCode };
}

async function end(child: ChildProcess, gone: Promise<Ending>): Promise<void> {
  child.stdin?.end();
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (await within(PATIENCE, gone)) break;
    kill(child, signal);
  }
  await gone;
  // What it has started itself is in its group, and has no more business.
  kill(child, 'SIGKILL');
}

/** The whole group: programs such as npx start others. */
function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-(child.pid ?? Number.NaN), signal);
  } catch {
    // There is nobody left, or the system knows no groups.
    child.kill(signal);
  }
}
