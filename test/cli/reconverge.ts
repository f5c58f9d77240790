// Calls the command line as a real process, and creates projects to call it in.
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, inject, onTestFinished, vi } from 'vitest';
import { patience } from '../patience.ts';
import { root } from '../sources.ts';
import { expectAnswers } from './answer-schema.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CallOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Starts the sources instead of the bundle. */
  readonly isSource?: boolean;
}

/** The environment without the variables of the test run that change colors or name a store. */
export function surroundings(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { NO_COLOR: _no, FORCE_COLOR: _force, RECONVERGE_STORE: _store, ...inherited } = process.env;
  return { ...inherited, ...env };
}

/** The path of the program, bundled from the sources of this checkout. */
export function commandLine(): string {
  return join(inject('bundles'), 'cli/main.js');
}

/** The answer of a command that ran in a shared process. */
export interface Answered extends Ended {
  /** Standard output and standard error in the order of their writing. */
  readonly said: string;
}

/** A process that runs one command after another, like a process for each would. */
export interface Host {
  /** Commands that are called at the same time wait for each other. */
  call(words: readonly string[], options?: Omit<CallOptions, 'stdin' | 'isSource'>): Promise<Answered>;
  close(): void;
}

let host: Host | undefined;

/**
 * Runs a command to its end in a process that all test files of a worker share. It ends when the worker does. Tests of a process itself (its start, its standard
 * input, its signals, modules that break it) need a separate process.
 */
export function call(words: readonly string[], options: Omit<CallOptions, 'stdin' | 'isSource'> = {}): Promise<Ended> {
  host ??= openHost(() => {
    host = undefined;
  });
  return host.call(words, options);
}

/** `onGone` is called when the process ends. */
export function openHost(onGone: () => void = () => undefined): Host {
  const child = fork(join(inject('bundles'), 'host.js'), {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.unref();
  child.channel?.unref();
  const gone = once(child, 'exit').then((): never => {
    onGone();
    throw new Error('a command has ended the process that ran it');
  });
  gone.catch(() => undefined);
  let last: Promise<unknown> = Promise.resolve();
  return {
    call(words, options = {}) {
      const answered = last.then(async () => {
        child.send({ words, cwd: options.cwd ?? root, env: surroundings(options.env ?? {}) });
        const [ended] = (await Promise.race([once(child, 'message'), gone])) as [Answered];
        expectAnswers(words, ended.stdout);
        return ended;
      });
      last = answered.catch(() => undefined);
      return answered;
    },
    close: () => child.disconnect(),
  };
}

/** Runs a command to its end. */
export async function reconverge(words: readonly string[], options: CallOptions = {}): Promise<Ended> {
  const ended = await begin(words, options).ended;
  expectAnswers(words, ended.stdout);
  return ended;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** The text on standard error so far. */
  stderr(): string;
  /** Resolves when standard error contains the text; rejects when the process ends without it. */
  said(text: string): Promise<void>;
}

/** Starts a command without waiting for its end. */
export function begin(words: readonly string[], options: CallOptions = {}): Running {
  const { cwd = root, env = {}, stdin, isSource = false } = options;
  const program = isSource ? join(root, 'src/cli/main.ts') : commandLine();
  const child = spawn(process.execPath, [program, ...words], {
    cwd,
    env: surroundings(env),
    stdio: 'pipe',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.end(stdin ?? '');
  const ended = once(child, 'close').then(
    ([code]: (number | null)[]): Ended => ({ code: code ?? null, stdout, stderr }),
  );
  const said = async (text: string): Promise<void> => {
    while (!stderr.includes(text)) {
      const heard = once(child.stderr, 'data').then(() => 'heard');
      if ((await Promise.race([heard, ended])) !== 'heard' && !stderr.includes(text)) {
        throw new Error(`it ended without saying "${text}":\n${stdout}\n${stderr}`);
      }
    }
  };
  return { child, ended, stderr: () => stderr, said };
}

type Files = Readonly<Record<string, string>>;
type Later = (remove: () => void) => void;

/** A temporary folder, removed after the test, or when `later` says. */
export function project(files: Files = {}, later: Later = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'reconverge-'));
  later(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** Steps that end when a file called `open` appears, and record their calls in `calls.log`. */
const handlers = `
import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as pass } from 'node:timers/promises';
import { defineCapability } from 'reconverge';

export const note = defineCapability({
  name: 'door.note',
  description: 'Say that one was here.',
  input: '{name :string}',
  effects: ['read'],
  run({ name }) {
    appendFileSync('calls.log', name + '\\n');
    return { name };
  },
});

export const wait = defineCapability({
  name: 'door.wait',
  description: 'Wait until the door is open.',
  input: '{name :string}',
  effects: ['read'],
  async run({ name }, { signal }) {
    appendFileSync('calls.log', name + '\\n');
    while (!existsSync('open')) await pass(10, undefined, { signal });
    return { name };
  },
});

export const fall = defineCapability({
  name: 'door.fall',
  description: 'Fail.',
  input: '{name :string}',
  effects: ['read'],
  run() {
    throw new Error('fell over the threshold');
  },
});
`;

/** A template whose second step waits at the door, with planned steps after it. */
const plan = `
reconverge: 1
name: door
capabilities: [./handlers.ts]
steps:
  - name: first
    handler: door.note
    input: { name: first }
  - name: door
    handler: door.wait
    dependencies: [first]
    timeout: 10m
    input: { name: door }
  - name: plan
    type: planning
    dependencies: [door]
    goal: Say who was here.
    convergence_target: last
    planner:
      kind: lisp
      source: !lisp |
        {:rationale "two guests"
         :steps [{:name "ann" :capability "door.note" :input {:name "ann"}}
                 {:name "ben" :capability "door.note" :input {:name "ben"}}]}
  - name: last
    type: deferred
    dependencies: [plan]
    convergence: { policy: all_settled }
    handler: door.note
    input: { name: last }
`;

/** A run of a door project that has reached the door. */
export async function atTheDoor(cwd: string, flags: readonly string[] = []): Promise<Running> {
  const running = begin(['run', 'plan.yaml', ...flags], { cwd });
  await running.said('attempt.started       door');
  // The event is printed once it is durable, and the call begins after that.
  await vi.waitFor(() => expect(callsOf(cwd)).toContain('door'), patience);
  return running;
}

export function openThe(cwd: string): void {
  writeFileSync(join(cwd, 'open'), '');
}

export function callsOf(cwd: string): string[] {
  return readFileSync(join(cwd, 'calls.log'), 'utf8').trim().split('\n');
}

export function doorProject(more: Files = {}, later: Later = onTestFinished): string {
  return project({ 'handlers.ts': handlers, 'plan.yaml': plan, ...more }, later);
}

/** Like `doorProject`, but with an open door. */
export function openDoor(more: Files = {}, later: Later = onTestFinished): string {
  return doorProject({ open: '', ...more }, later);
}
