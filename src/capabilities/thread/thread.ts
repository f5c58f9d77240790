// One thread that performs calls of a module's capabilities: started, watched, and terminated when it takes too long or too much.
import { once } from 'node:events';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { Json } from '../../base/json.ts';
import { type Duration, durationText } from '../../base/quantity.ts';
import type { CallContext } from '../capability.ts';
import { CapabilityError, failureOf, systemCode } from '../capability-error.ts';
import { ownModule } from '../installation.ts';
import { type Answerer, answererFor } from './answer-requests.ts';
import { errorFrom } from './error-from.ts';
import type { CallFacts, FromThread, Loaded, Printed, ThreadStart, ToThread } from './wire.ts';

export interface ThreadOptions {
  /** The module, as written. */
  readonly path: string;
  /** What the path is relative to; absolute. */
  readonly folder: string;
  /** Bytes. */
  readonly memory: number;
  /** How long the module may take to load. */
  readonly loadTime: Duration;
}

export interface Thread {
  /** Undefined when the module did not load in time. */
  readonly loaded: Promise<Loaded | undefined>;
  /** One at a time. @throws CapabilityError whatever the capability failed with, THREAD_OUT_OF_MEMORY, THREAD_EXITED */
  call(name: string, input: Json, ctx: CallContext): Promise<Json>;
  /** Whether it may be called again: it lives, has room left, and answers, after what its last call left behind or at once. */
  rest(atOnce: boolean): Promise<boolean>;
  /** Whether the process stays alive for it. */
  hold(holds: boolean): void;
  terminate(): void;
}

/** A handler may clean up for this long once its signal is aborted. */
const GRACE: Duration = 100;
/** Between two looks at the memory of a thread that works. */
const LOOK_EVERY: Duration = 25;
/** How long a thread may take to say that it is free. */
const PATIENCE: Duration = 200;
/** Megabytes beyond the limit at which V8 itself gives up: it ends the whole process when one allocation exceeds this. */
const HEADROOM = 2_048;
const MEGABYTE = 1_000_000;

interface CallUnderWay {
  readonly number: number;
  readonly answerer: Answerer;
  readonly ctx: CallContext;
  resolve(value: Json): void;
  reject(why: unknown): void;
}

export function startThread({ path, folder, memory, loadTime }: ThreadOptions): Thread {
  const messages = new MessageChannel();
  const answers = new MessageChannel();
  const answered = new SharedArrayBuffer(4);
  const start: ThreadStart = { path, folder, port: messages.port2, answers: answers.port2, answered };
  const worker = new Worker(ownModule('capabilities/thread/program'), {
    workerData: start,
    transferList: [messages.port2, answers.port2],
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(memory / MEGABYTE) + HEADROOM },
    name: path,
  });
  const { port1: port } = messages;
  const load = Promise.withResolvers<Loaded | undefined>();
  let resting = Promise.withResolvers<true>();
  let current: CallUnderWay | undefined;
  let calls = 0;
  let used = 0;
  let over: CapabilityError | undefined;

  port.on('message', heard);
  worker.on('error', (error: unknown) =>
    end(systemCode(error) === OUT_OF_MEMORY ? outOfMemory() : errorFrom(failureOf(error))),
  );
  worker.on('exit', () => end(new CapabilityError('THREAD_EXITED', 'ended its thread before it answered')));
  const lateness = setTimeout(terminate, loadTime);
  let watch = watching();
  load.promise.then(() => {
    clearTimeout(lateness);
    clearInterval(watch);
  });

  /** Asked by an interrupt, so that a loop that never yields answers too. */
  function watching(): NodeJS.Timeout {
    let asked = false;
    return setInterval(() => {
      if (asked) return;
      asked = true;
      worker.getHeapStatistics().then(
        (heap) => {
          asked = false;
          used = heap.used_heap_size + heap.external_memory;
          if (used > memory) end(outOfMemory());
        },
        () => undefined,
      );
    }, LOOK_EVERY);
  }

  function outOfMemory(): CapabilityError {
    const limit = `${Math.round(memory / MEGABYTE)} MB`;
    return new CapabilityError(
      'THREAD_OUT_OF_MEMORY',
      `took more than the ${limit} of memory that its thread may take`,
      {
        retry: 'never',
      },
    );
  }

  function say(message: ToThread): void {
    port.postMessage(message);
  }

  /** A module can find the port, and send what this program would not. */
  function heard(message: FromThread): void {
    try {
      hear(message);
    } catch (thrown) {
      end(errorFrom(failureOf(thrown)));
    }
  }

  function hear(message: FromThread): void {
    switch (message.type) {
      case 'loaded':
        return load.resolve(message.loaded);
      case 'rested':
        return resting.resolve(true);
      case 'cancel':
        return current?.answerer.cancel(message.id);
      case 'request':
        void answer(message);
        return;
      case 'question':
        return answerAtOnce(message);
      case 'print':
        return print(message.print);
      case 'log':
        return callOf(message)?.ctx.log(message.message);
      case 'done':
        return callOf(message)?.resolve(message.value);
      case 'failed':
        return callOf(message)?.reject(errorFrom(message.failure));
    }
  }

  /** What a call that is over still asks for is not answered. */
  function callOf({ call }: { readonly call: number }): CallUnderWay | undefined {
    return current?.number === call ? current : undefined;
  }

  async function answer(asked: FromThread & { readonly type: 'request' }): Promise<void> {
    const { id, request } = asked;
    const given = await callOf(asked)?.answerer.request(id, request);
    say({ type: 'answer', id, answer: given ?? { ok: false, failure: failureOf(new Error(CALL_OVER)) } });
  }

  function answerAtOnce(asked: FromThread & { readonly type: 'question' }): void {
    const { question } = asked;
    if (question.what === 'print') print(question);
    const given = callOf(asked)?.answerer.question(question);
    answers.port1.postMessage(given ?? { ok: false, failure: failureOf(new Error(CALL_OVER)) });
    const flag = new Int32Array(answered);
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  }

  function end(why: CapabilityError): void {
    over ??= why;
    terminate();
    load.resolve(undefined);
    current?.reject(over);
  }

  function terminate(): void {
    over ??= new CapabilityError('THREAD_EXITED', 'its thread was ended');
    clearTimeout(lateness);
    clearInterval(watch);
    load.resolve(undefined);
    port.close();
    void worker.terminate();
  }

  return {
    loaded: load.promise,
    hold(holds) {
      if (over !== undefined) return;
      if (holds) {
        worker.ref();
        port.ref();
      } else {
        worker.unref();
        port.unref();
      }
    },
    terminate,
    async call(name, input, ctx) {
      if (over !== undefined) throw over;
      calls += 1;
      const number = calls;
      const { promise, resolve, reject } = Promise.withResolvers<Json>();
      const answerer = answererFor(ctx);
      current = { number, answerer, ctx, resolve, reject };
      watch = watching();
      const { signal } = ctx;
      let grace: NodeJS.Timeout | undefined;
      const abort = (): void => {
        say({ type: 'abort', call: number });
        grace = setTimeout(() => end(new CapabilityError('CAPABILITY_ABORTED', `${name} was stopped`)), GRACE);
      };
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true });
      try {
        say({ type: 'call', call: number, name, input, facts: factsOf(ctx) });
        return await promise;
      } finally {
        signal.removeEventListener('abort', abort);
        clearTimeout(grace);
        clearInterval(watch);
        answerer.end();
        current = undefined;
      }
    },
    async rest(atOnce) {
      if (over !== undefined || used > memory / 2) return false;
      resting = Promise.withResolvers<true>();
      say({ type: 'rest', atOnce });
      const patience = AbortSignal.timeout(PATIENCE);
      return Promise.race([resting.promise, once(patience, 'abort').then(() => false)]);
    },
  };
}

const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';
const CALL_OVER = 'the call is over';

/** The command line keeps standard output for its answer, and has the console print elsewhere. */
function print({ to, text }: Printed): void {
  const line = text.replace(/\n$/, '');
  if (to === 'stdout') console.log('%s', line);
  else console.error('%s', line);
}

function factsOf({ idempotencyKey, attempt, delivery, feedback, run, step, attachments }: CallContext): CallFacts {
  const facts = { idempotencyKey, attempt, delivery, run, step, attachments };
  return feedback === undefined ? facts : { ...facts, feedback };
}

export function tooLate(loadTime: Duration): string {
  return `its module did not load within ${durationText(loadTime)}`;
}
