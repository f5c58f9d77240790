// A server as a child process, in a process group of its own: Ctrl-C does not reach it, and it ends with all its children.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Duration } from '../../base/quantity.ts';
import { hasGroups, signalGroup } from '../process-group.ts';
import { settlesWithin } from './settles-within.ts';

export interface ServerProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Receives each line of standard error. */
  readonly onTalk: (line: string) => void;
}

export interface ServerProcess {
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves when the process has ended for any reason. */
  readonly gone: Promise<ProcessEnding>;
  /** Ends the process as the protocol asks: closes its input, then SIGTERM, then SIGKILL. */
  end(): Promise<void>;
}

export interface ProcessEnding {
  readonly code: number | null;
  readonly signal: string | null;
}

/** The time between two of these steps. */
const PATIENCE: Duration = 1_000;
/** The time to wait for the last output when another process holds the pipes open. */
const LAST_WORDS: Duration = 200;

/** Servers to end when this process ends. */
const alive = new Set<ChildProcess>();

function killAll(): void {
  for (const child of alive) signalGroup(child, 'SIGKILL');
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Ends this process and its servers when nobody else handles the signal. */
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

/** Rejects with the system error when the process cannot be started. */
export async function startServer({ command, args, env, cwd, onTalk }: ServerProcessOptions): Promise<ServerProcess> {
  const child = spawn(command, [...args], { env: { ...env }, cwd, detached: hasGroups, windowsHide: true });
  await once(child, 'spawn');
  if (alive.size === 0) watch();
  alive.add(child);
  // The end of the process reports a broken pipe.
  child.stdin.on('error', () => undefined);
  child.on('error', () => undefined);
  createInterface({ input: child.stderr }).on('line', onTalk);
  const gone = endingOf(child).finally(() => {
    alive.delete(child);
    if (alive.size === 0) unwatch();
  });
  return { input: child.stdin, output: child.stdout, gone, end: () => end(child, gone) };
}

async function endingOf(child: ChildProcess): Promise<ProcessEnding> {
  const closed = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  await new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  await settlesWithin(LAST_WORDS, closed);
  return { code: child.exitCode, signal: child.signalCode };
}

async function end(child: ChildProcess, gone: Promise<ProcessEnding>): Promise<void> {
  child.stdin?.end();
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (await settlesWithin(PATIENCE, gone)) break;
    signalGroup(child, signal);
  }
  await gone;
  // Ends the remaining processes of the group.
  signalGroup(child, 'SIGKILL');
}
