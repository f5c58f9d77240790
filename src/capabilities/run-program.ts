// Runs a program without a shell, in a process group of its own, which ends with the step.
import { type ChildProcess, spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { type Duration, durationText } from '../base/quantity.ts';
import { CapabilityError, messageOf, systemCode } from './capability-error.ts';
import { hasGroups, signalGroup } from './process-group.ts';

interface ProgramCall {
  readonly program: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input: string;
  /** Bytes to keep of each output. */
  readonly maxBytes: number;
  readonly timeout: Duration;
  readonly signal: AbortSignal;
  /** Receives each line of standard error as soon as it is written. */
  readonly onErrorLine?: (line: string) => void;
}

export interface ProgramResult {
  /** Null when a signal ended the program. */
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** False when an output was longer than `maxBytes`. */
  readonly complete: boolean;
}

/** Time between SIGTERM and SIGKILL. */
const GRACE: Duration = 2_000;

/** @throws CapabilityError SHELL_PROGRAM_MISSING, SHELL_FAILED, SHELL_TIMEOUT */
export async function runProgram(call: ProgramCall): Promise<ProgramResult> {
  const { program, args, cwd, env, input, maxBytes, timeout, signal } = call;
  const child = spawn(program, [...args], { cwd, env, detached: hasGroups, shell: false, windowsHide: true });
  const { promise: ended, resolve, reject } = Promise.withResolvers<number | null>();
  child.on('error', (thrown) => reject(notStarted(program, thrown)));
  child.on('close', resolve);
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const stdout = keepFirst(child.stdout, maxBytes);
  const stderr = keepFirst(child.stderr, maxBytes);
  if (call.onErrorLine !== undefined) eachLine(child.stderr, call.onErrorLine);
  let isLate = false;
  const stop = (): void => endGroup(child);
  const timer = setTimeout(() => {
    isLate = true;
    stop();
  }, timeout);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    const code = await ended;
    if (isLate) throw late(program, timeout);
    const complete = stdout.whole() && stderr.whole();
    return { code, stdout: stdout.kept(), stderr: stderr.kept(), complete };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** The process group has the number of its leader, so that the signal reaches nobody else. */
function endGroup(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM');
  const timer = setTimeout(() => {
    signalGroup(child, 'SIGKILL');
    // A process that left the group may still hold the outputs open.
    child.stdout?.destroy();
    child.stderr?.destroy();
  }, GRACE);
  child.once('close', () => clearTimeout(timer));
}

function keepFirst(stream: NodeJS.ReadableStream, maxBytes: number) {
  const pieces: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (piece: Buffer) => {
    if (bytes < maxBytes) pieces.push(piece.subarray(0, maxBytes - bytes));
    bytes += piece.length;
  });
  return { kept: () => Buffer.concat(pieces), whole: () => bytes <= maxBytes };
}

/** A line that does not end is handed over in parts, so that it takes no memory. */
const LONGEST_PART = 8_000;

function eachLine(stream: NodeJS.ReadableStream, hear: (line: string) => void): void {
  const decoder = new StringDecoder('utf8');
  let begun = '';
  stream.on('data', (piece: Buffer) => {
    const lines = (begun + decoder.write(piece)).split('\n');
    begun = lines.pop() ?? '';
    for (const line of lines) hear(line.replace(/\r$/, ''));
    for (; begun.length > LONGEST_PART; begun = begun.slice(LONGEST_PART)) hear(begun.slice(0, LONGEST_PART));
  });
  stream.on('end', () => {
    if (begun !== '') hear(begun);
  });
}

function notStarted(program: string, thrown: unknown): CapabilityError {
  return systemCode(thrown) === 'ENOENT'
    ? new CapabilityError('SHELL_PROGRAM_MISSING', `there is no program "${program}"`, { retry: 'never' })
    : new CapabilityError('SHELL_FAILED', `"${program}" cannot be started: ${messageOf(thrown)}`, { retry: 'never' });
}

function late(program: string, timeout: Duration): CapabilityError {
  return new CapabilityError('SHELL_TIMEOUT', `"${program}" has not ended within ${durationText(timeout)}`);
}
