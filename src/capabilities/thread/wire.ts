// The messages between the main thread and the threads of capabilities.
import type { MessagePort } from 'node:worker_threads';
import type { Failure } from '../../base/failure.ts';
import type { Json } from '../../base/json.ts';
import type { Result } from '../../base/result.ts';
import type { Declaration } from '../../contract/declaration.ts';
import type { CallContext } from '../capability.ts';
import type { FileAccess } from '../file-access.ts';
import type { HttpAnswer, HttpCall } from '../http/access.ts';
import type { WrittenLine } from '../log.ts';

/** The data that a thread starts with. */
export interface ThreadStart {
  readonly path: string;
  readonly folder: string;
  readonly port: MessagePort;
  /** Carries answers to questions that block the thread. */
  readonly answers: MessagePort;
  /** One number: 1 when an answer is there. */
  readonly answered: SharedArrayBuffer;
}

/** The part of a capability that can be sent between threads. */
export interface ExportedCapability {
  readonly declaration: Declaration;
}

export type LoadedModule = Result<readonly ExportedCapability[]>;

/** The parts of a call's context that are plain data. */
export type CallFacts = Pick<
  CallContext,
  'idempotencyKey' | 'attempt' | 'delivery' | 'feedback' | 'run' | 'step' | 'attachments' | 'traceparent' | 'tracestate'
>;

export type ToThread =
  | {
      readonly type: 'call';
      readonly call: number;
      readonly name: string;
      readonly input: Json;
      readonly facts: CallFacts;
    }
  | { readonly type: 'abort'; readonly call: number }
  /** Asks whether the thread is free: at once, or after timers of its last call had their turn. */
  | { readonly type: 'rest'; readonly atOnce: boolean }
  | { readonly type: 'answer'; readonly id: number; readonly answer: ThreadAnswer };

export type ThreadAnswer = Result<unknown, Failure>;

export type FromThread =
  | { readonly type: 'loaded'; readonly loaded: LoadedModule }
  | { readonly type: 'rested' }
  | { readonly type: 'print'; readonly print: ConsoleOutput }
  | { readonly type: 'log'; readonly call: number; readonly line: WrittenLine }
  | { readonly type: 'request'; readonly call: number; readonly id: number; readonly request: ThreadRequest }
  /** Like a request, but the thread blocks until the answer comes. */
  | { readonly type: 'question'; readonly call: number; readonly question: BlockingRequest }
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'done'; readonly call: number; readonly value: Json }
  | { readonly type: 'failed'; readonly call: number; readonly failure: Failure };

type Arguments<K extends keyof FileAccess> = Parameters<FileAccess[K]>;

/** Requests of a thread to the context of its call: arguments and response by name. */
export interface Exchanges {
  resolve: { readonly given: Arguments<'resolve'>; readonly got: string };
  list: { readonly given: Arguments<'list'>; readonly got: Awaited<ReturnType<FileAccess['list']>> };
  read: { readonly given: Arguments<'read'>; readonly got: Uint8Array<ArrayBuffer> };
  head: {
    readonly given: Arguments<'head'>;
    readonly got: { readonly head: Uint8Array<ArrayBuffer>; readonly bytes: number };
  };
  write: { readonly given: Arguments<'write'>; readonly got: number };
  append: { readonly given: Arguments<'append'>; readonly got: undefined };
  remove: { readonly given: Arguments<'remove'>; readonly got: boolean };
  /** Opens a stream; the response is its number. */
  open: { readonly given: readonly [path: string]; readonly got: number };
  /** The next chunk of a stream; undefined at its end. */
  next: { readonly given: readonly [stream: number]; readonly got: Uint8Array<ArrayBuffer> | undefined };
  close: { readonly given: readonly [stream: number]; readonly got: undefined };
  send: {
    readonly given: readonly [call: Omit<HttpCall, 'signal'>];
    readonly got: Omit<HttpAnswer, 'body'> & { readonly body: Uint8Array<ArrayBuffer> };
  };
}

export type ThreadRequest = {
  [K in keyof Exchanges]: { readonly what: K; readonly given: Exchanges[K]['given'] };
}[keyof Exchanges];

/** Requests that block the thread. `log` and `print` block only to slow the thread down. */
export type BlockingRequest =
  | { readonly what: 'secret' | 'env'; readonly name: string }
  | { readonly what: 'log'; readonly line: WrittenLine }
  | ConsoleOutput;

/** Text that a module wrote to a standard stream. */
export interface ConsoleOutput {
  readonly what: 'print';
  readonly to: 'stdout' | 'stderr';
  readonly text: string;
}
