// What a thread of capabilities and the main thread say to each other.
import type { MessagePort } from 'node:worker_threads';
import type { Failure } from '../../base/failure.ts';
import type { Issue } from '../../base/issue.ts';
import type { Json } from '../../base/json.ts';
import type { Declaration } from '../../contract/declaration.ts';
import type { CallContext } from '../capability.ts';
import type { FileAccess } from '../files.ts';
import type { HttpAnswer, HttpCall } from '../http/access.ts';

/** What a thread begins with. */
export interface ThreadStart {
  readonly path: string;
  readonly folder: string;
  readonly port: MessagePort;
  /** Answers to questions for which the thread stands still. */
  readonly answers: MessagePort;
  /** One number: 1 when such an answer is there. */
  readonly answered: SharedArrayBuffer;
}

/** A capability as another thread can know it. */
export interface Exported {
  readonly declaration: Declaration;
}

export type Loaded =
  | { readonly ok: true; readonly capabilities: readonly Exported[] }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** What of a call's context is plain data. */
export type CallFacts = Pick<
  CallContext,
  'idempotencyKey' | 'attempt' | 'delivery' | 'feedback' | 'run' | 'step' | 'attachments'
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
  /** Asks whether the thread is free: at once, or when what its last call left for the next moment has had its turn. */
  | { readonly type: 'rest'; readonly atOnce: boolean }
  | { readonly type: 'answer'; readonly id: number; readonly answer: Answer };

export type Answer = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly failure: Failure };

export type FromThread =
  | { readonly type: 'loaded'; readonly loaded: Loaded }
  | { readonly type: 'rested' }
  | { readonly type: 'print'; readonly print: Printed }
  | { readonly type: 'log'; readonly call: number; readonly message: string }
  | { readonly type: 'request'; readonly call: number; readonly id: number; readonly request: Request }
  /** Like a request, but the thread stands still until it is answered. */
  | { readonly type: 'question'; readonly call: number; readonly question: Question }
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'done'; readonly call: number; readonly value: Json }
  | { readonly type: 'failed'; readonly call: number; readonly failure: Failure };

type Arguments<K extends keyof FileAccess> = Parameters<FileAccess[K]>;

/** What a thread asks of the context of its call, by name: what it gives, and what it gets. */
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
  /** Opens a stream; its number. */
  open: { readonly given: readonly [path: string]; readonly got: number };
  /** The next piece of a stream; undefined at its end. */
  next: { readonly given: readonly [stream: number]; readonly got: Uint8Array<ArrayBuffer> | undefined };
  close: { readonly given: readonly [stream: number]; readonly got: undefined };
  send: {
    readonly given: readonly [call: Omit<HttpCall, 'signal'>];
    readonly got: Omit<HttpAnswer, 'body'> & { readonly body: Uint8Array<ArrayBuffer> };
  };
}

export type Request = {
  [K in keyof Exchanges]: { readonly what: K; readonly given: Exchanges[K]['given'] };
}[keyof Exchanges];

/** What is answered at once; `log` and `print` only say that all before them has arrived. */
export type Question =
  | { readonly what: 'secret' | 'env'; readonly name: string }
  | { readonly what: 'log'; readonly message: string }
  | Printed;

/** Text that a module writes to a standard stream. */
export interface Printed {
  readonly what: 'print';
  readonly to: 'stdout' | 'stderr';
  readonly text: string;
}
