// The call context inside a thread: each method sends a request to the main thread.
import { addAbortSignal, Readable } from 'node:stream';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { CallContext } from '../capability.ts';
import { clarify } from '../clarify.ts';
import { errorFrom } from '../error-from.ts';
import type { FileAccess } from '../file-access.ts';
import type { HttpAccess } from '../http/access.ts';
import { logTo } from '../log.ts';
import type {
  BlockingRequest,
  CallFacts,
  ConsoleOutput,
  Exchanges,
  FromThread,
  ThreadAnswer,
  ThreadRequest,
  ThreadStart,
} from './wire.ts';

export interface Connection {
  say(message: FromThread): void;
  /** Settles the request with this id. */
  answered(id: number, answer: ThreadAnswer): void;
  contextOf(call: number, facts: CallFacts, signal: AbortSignal): CallContext;
  /** Forwards text that the module writes to a standard stream. */
  print(to: ConsoleOutput['to'], text: string): void;
}

/** Messages to send before waiting for the main thread, whose memory has no limit of its own. */
const AHEAD = 64;

export function connectionOver({ port, answers, answered }: Omit<ThreadStart, 'path' | 'folder'>): Connection {
  const waiting = new Map<number, (answer: ThreadAnswer) => void>();
  let last = 0;
  let sent = 0;

  function say(message: FromThread): void {
    port.postMessage(message);
  }

  function asking(call: number): SendRequest {
    return (what, given, signal) => {
      last += 1;
      const id = last;
      const { promise, resolve, reject } = Promise.withResolvers<Exchanges[typeof what]['got']>();
      waiting.set(id, (answer) => {
        // Both sides are one program: the response type follows from the request name.
        if (answer.ok) resolve(answer.value as Exchanges[typeof what]['got']);
        else reject(errorFrom(answer.error));
      });
      // The compiler cannot know that the name and its arguments belong together.
      say({ type: 'request', call, id, request: { what, given } as ThreadRequest });
      const cancel = (): void => say({ type: 'cancel', id });
      signal?.addEventListener('abort', cancel, { once: true });
      return promise.finally(() => signal?.removeEventListener('abort', cancel));
    };
  }

  /** Blocks the thread until the main thread answers. */
  function ask(call: number, question: BlockingRequest): ThreadAnswer {
    say({ type: 'question', call, question });
    return awaitAnswer(answers, answered);
  }

  function mayGoAhead(): boolean {
    sent += 1;
    return sent % AHEAD !== 0;
  }

  function textFor(call: number, what: 'secret' | 'env', name: string): string | undefined {
    const answer = ask(call, { what, name });
    if (!answer.ok) throw errorFrom(answer.error);
    return typeof answer.value === 'string' ? answer.value : undefined;
  }

  return {
    say,
    print(to, text) {
      const printed: ConsoleOutput = { what: 'print', to, text };
      if (mayGoAhead()) say({ type: 'print', print: printed });
      else ask(NO_CALL, printed);
    },
    answered(id, answer) {
      waiting.get(id)?.(answer);
      waiting.delete(id);
    },
    contextOf: (call, facts, signal) => ({
      ...facts,
      signal,
      files: filesOver(asking(call)),
      http: httpOver(asking(call)),
      log: logTo((line) => {
        if (mayGoAhead()) say({ type: 'log', call, line });
        else ask(call, { what: 'log', line });
      }),
      secret: (name) => textFor(call, 'secret', name) ?? '',
      env: (name) => textFor(call, 'env', name),
      clarify,
    }),
  };
}

/** A module may print while it loads, outside any call. */
const NO_CALL = 0;

type SendRequest = <K extends keyof Exchanges>(
  what: K,
  given: Exchanges[K]['given'],
  signal?: AbortSignal,
) => Promise<Exchanges[K]['got']>;

function awaitAnswer(answers: MessagePort, answered: SharedArrayBuffer): ThreadAnswer {
  const flag = new Int32Array(answered);
  Atomics.wait(flag, 0, 0);
  Atomics.store(flag, 0, 0);
  const received: { readonly message: ThreadAnswer } | undefined = receiveMessageOnPort(answers);
  if (received === undefined) throw new Error('the main thread has not answered');
  return received.message;
}

function filesOver(ask: SendRequest): FileAccess {
  return {
    resolve: (...given) => ask('resolve', given),
    list: (...given) => ask('list', given),
    read: async (...given) => bufferOver(await ask('read', given)),
    async head(...given) {
      const { head, bytes } = await ask('head', given);
      return { head: bufferOver(head), bytes };
    },
    async stream(path, signal) {
      const stream = await ask('open', [path]);
      return addAbortSignal(signal, Readable.from(piecesOf(ask, stream), { objectMode: false }));
    },
    write: (...given) => ask('write', given),
    append: (...given) => ask('append', given),
    remove: (...given) => ask('remove', given),
  };
}

async function* piecesOf(ask: SendRequest, stream: number): AsyncGenerator<Buffer> {
  try {
    for (;;) {
      const piece = await ask('next', [stream]);
      if (piece === undefined) return;
      yield bufferOver(piece);
    }
  } finally {
    await ask('close', [stream]);
  }
}

function httpOver(ask: SendRequest): HttpAccess {
  return {
    async send({ signal, ...call }) {
      signal.throwIfAborted();
      const { body, ...answer } = await ask('send', [call], signal);
      return { ...answer, body: bufferOver(body) };
    },
  };
}

function bufferOver({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
