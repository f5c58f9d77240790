// One thread that runs capabilities of a module; terminated when it exceeds its time or memory.
import { once } from 'node:events';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { defined, type Json } from '../../base/json.ts';
import { type Duration, durationText } from '../../base/quantity.ts';
import { bad } from '../../base/result.ts';
import type { CallContext } from '../capability.ts';
import { CapabilityError, failureOf, systemCode } from '../capability-error.ts';
import { errorFrom } from '../error-from.ts';
import { ownModule } from '../installation.ts';
import { writeLine } from '../log.ts';
import { type Answerer, answererFor } from './answer-requests.ts';
import type {
  CallFacts,
  ConsoleOutput,
  FromThread,
  LoadedModule,
  ThreadAnswer,
  ThreadStart,
  ToThread,
} from './wire.ts';

export interface ThreadOptions {
  /** The path of the module, as written. */
  readonly path: string;
  /** The absolute folder that `path` is relative to. */
  readonly folder: string;
  /** Bytes. */
  readonly memory: number;
  /** The longest time to load the module. */
  readonly loadTime: Duration;
}

export interface Thread {
  /** Undefined when the module did not load in time. */
  readonly loaded: Promise<LoadedModule | undefined>;
  /** Runs one call at a time. @throws CapabilityError the capability's own, THREAD_OUT_OF_MEMORY, THREAD_EXITED */
  call(name: string, input: Json, ctx: CallContext): Promise<Json>;
  /** True when the thread may be called again: it lives, has memory left, and answers, at once or after leftovers of its last call. */
  rest(atOnce: boolean): Promise<boolean>;
  /** `true` keeps the process alive for this thread. */
  hold(holds: boolean): void;
  terminate(): void;
}

/** The time that a handler has to clean up after its signal is aborted. */
const GRACE: Duration = 100;
/** The interval between two measurements of a busy thread's memory. */
const LOOK_EVERY: Duration = 25;
/** The time that a thread has to say that it is free. */
const PATIENCE: Duration = 200;
/** The margin above the limit. At its own limit, V8 may end the whole process, so the watch must act first. */
const HEADROOM_MB = 2_048;
const MEGABYTE = 1_000_000;

interface CallUnderWay {
  readonly number: number;
  readonly answerer: Answerer;
  readonly ctx: CallContext;
  resolve(value: Json): void;
  reject(why: unknown): void;
}

export function startThread(options: ThreadOptions): Thread {
  const { memory, loadTime } = options;
  const line = startWorker(options);
  const { worker, port } = line;
  const load = Promise.withResolvers<LoadedModule | undefined>();
  let resting = Promise.withResolvers<true>();
  let current: CallUnderWay | undefined;
  let calls = 0;
  let over: CapabilityError | undefined;
  const lateness = setTimeout(terminate, loadTime);
  const watch = memoryWatch(worker, memory, () => end(outOfMemory(memory)));

  const waiting: Waiting = { loaded: load.resolve, rested: () => resting.resolve(true), call: () => current };
  port.on('message', (message: FromThread) => {
    try {
      hear(message, line, waiting);
    } catch (thrown) {
      // The module can find the port, and send malformed messages.
      end(errorFrom(failureOf(thrown)));
    }
  });
  worker.on('error', (error: unknown) =>
    end(systemCode(error) === OUT_OF_MEMORY ? outOfMemory(memory) : errorFrom(failureOf(error))),
  );
  worker.on('exit', () => end(new CapabilityError('THREAD_EXITED', 'ended its thread before it answered')));
  load.promise.then(() => {
    clearTimeout(lateness);
    watch.stop();
  });

  function end(why: CapabilityError): void {
    over ??= why;
    terminate();
    load.resolve(undefined);
    current?.reject(over);
  }

  function terminate(): void {
    over ??= new CapabilityError('THREAD_EXITED', 'its thread was ended');
    clearTimeout(lateness);
    watch.stop();
    load.resolve(undefined);
    port.close();
    void worker.terminate();
  }

  return {
    loaded: load.promise,
    hold(holds) {
      if (over !== undefined) return;
      for (const each of [worker, port]) holds ? each.ref() : each.unref();
    },
    terminate,
    async call(name, input, ctx) {
      if (over !== undefined) throw over;
      calls += 1;
      const number = calls;
      const { promise, resolve, reject } = Promise.withResolvers<Json>();
      const answerer = answererFor(ctx);
      current = { number, answerer, ctx, resolve, reject };
      watch.start();
      const forget = abortWith(ctx.signal, line, number, () =>
        end(new CapabilityError('CAPABILITY_ABORTED', `${name} was stopped`)),
      );
      try {
        say(line, { type: 'call', call: number, name, input, facts: factsOf(ctx) });
        return await promise;
      } finally {
        forget();
        watch.stop();
        answerer.end();
        current = undefined;
      }
    },
    async rest(atOnce) {
      if (over !== undefined || watch.used() > memory / 2) return false;
      resting = Promise.withResolvers<true>();
      say(line, { type: 'rest', atOnce });
      const patience = AbortSignal.timeout(PATIENCE);
      return Promise.race([resting.promise, once(patience, 'abort').then(() => false)]);
    },
  };
}

/** A worker, and the ports to it. */
interface Line {
  readonly worker: Worker;
  readonly port: MessagePort;
  /** Carries answers to questions for which the thread stands still. */
  readonly answers: MessagePort;
  /** One number: 1 when such an answer is there. */
  readonly answered: SharedArrayBuffer;
}

function startWorker({ path, folder, memory }: ThreadOptions): Line {
  const messages = new MessageChannel();
  const answers = new MessageChannel();
  const answered = new SharedArrayBuffer(4);
  const start: ThreadStart = { path, folder, port: messages.port2, answers: answers.port2, answered };
  const worker = new Worker(ownModule('capabilities/thread/program'), {
    workerData: start,
    transferList: [messages.port2, answers.port2],
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(memory / MEGABYTE) + HEADROOM_MB },
    name: path,
  });
  return { worker, port: messages.port1, answers: answers.port1, answered };
}

function say({ port }: Line, message: ToThread): void {
  port.postMessage(message);
}

interface MemoryWatch {
  start(): void;
  stop(): void;
  /** Bytes at the last look. */
  used(): number;
}

/** Measures the memory of a worker; already started. */
function memoryWatch(worker: Worker, memory: number, onExcess: () => void): MemoryWatch {
  let timer: NodeJS.Timeout | undefined;
  let used = 0;
  const start = (): void => {
    let asked = false;
    timer = setInterval(() => {
      if (asked) return;
      asked = true;
      // Read by an interrupt: a loop that never yields is measured too.
      worker.getHeapStatistics().then(
        (heap) => {
          asked = false;
          used = heap.used_heap_size + heap.external_memory;
          if (used > memory) onExcess();
        },
        () => undefined,
      );
    }, LOOK_EVERY);
  };
  start();
  return { start, stop: () => clearInterval(timer), used: () => used };
}

function outOfMemory(memory: number): CapabilityError {
  const limit = `${Math.round(memory / MEGABYTE)} MB`;
  const message = `took more than the ${limit} of memory that its thread may take`;
  return new CapabilityError('THREAD_OUT_OF_MEMORY', message, { retry: 'never' });
}

/** The parts of a thread that wait for its messages. */
interface Waiting {
  loaded(module: LoadedModule): void;
  rested(): void;
  /** The call that is under way. */
  call(): CallUnderWay | undefined;
}

function hear(message: FromThread, line: Line, waiting: Waiting): void {
  switch (message.type) {
    case 'loaded':
      return waiting.loaded(message.loaded);
    case 'rested':
      return waiting.rested();
    case 'cancel':
      return waiting.call()?.answerer.cancel(message.id);
    case 'request':
      void answerRequest(message, line, waiting);
      return;
    case 'question':
      return answerQuestion(message, line, waiting);
    case 'print':
      return print(message.print, waiting.call());
    case 'log':
      return writeLine(callOf(message, waiting)?.ctx.log, message.line);
    case 'done':
      return callOf(message, waiting)?.resolve(message.value);
    case 'failed':
      return callOf(message, waiting)?.reject(errorFrom(message.failure));
  }
}

/** Undefined for a message of a call that is over: nobody answers it any more. */
function callOf({ call }: { readonly call: number }, waiting: Waiting): CallUnderWay | undefined {
  const current = waiting.call();
  return current?.number === call ? current : undefined;
}

async function answerRequest(
  asked: FromThread & { readonly type: 'request' },
  line: Line,
  waiting: Waiting,
): Promise<void> {
  const { id, request } = asked;
  const answer = await callOf(asked, waiting)?.answerer.request(id, request);
  say(line, { type: 'answer', id, answer: answer ?? callOver() });
}

function answerQuestion(
  asked: FromThread & { readonly type: 'question' },
  { answers, answered }: Line,
  waiting: Waiting,
): void {
  const { question } = asked;
  if (question.what === 'print') print(question, waiting.call());
  answers.postMessage(callOf(asked, waiting)?.answerer.question(question) ?? callOver());
  const flag = new Int32Array(answered);
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
}

function callOver(): ThreadAnswer {
  return bad(failureOf(new Error('the call is over')));
}

/**
 * Tells the thread when its call is aborted, and calls `end` when the thread does not stop in time. Returns a function that
 * removes the listener and the timer.
 */
function abortWith(signal: AbortSignal, line: Line, call: number, end: () => void): () => void {
  let grace: NodeJS.Timeout | undefined;
  const abort = (): void => {
    say(line, { type: 'abort', call });
    grace = setTimeout(end, GRACE);
  };
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return () => {
    signal.removeEventListener('abort', abort);
    clearTimeout(grace);
  };
}

const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

/** Printed text belongs to the log of the call too. The command line redirects the console, because its standard output is reserved for its answer. */
function print({ to, text }: ConsoleOutput, call: CallUnderWay | undefined): void {
  const line = text.replace(/\n$/, '');
  call?.ctx.log.from(to).info(line);
  if (to === 'stdout') console.log('%s', line);
  else console.error('%s', line);
}

function factsOf(ctx: CallContext): CallFacts {
  const { idempotencyKey, attempt, delivery, run, step, attachments } = ctx;
  const { feedback, traceparent, tracestate } = ctx;
  const facts = { idempotencyKey, attempt, delivery, run, step, attachments };
  return { ...facts, ...defined({ feedback, traceparent, tracestate }) };
}

export function tooLate(loadTime: Duration): string {
  return `its module did not load within ${durationText(loadTime)}`;
}
