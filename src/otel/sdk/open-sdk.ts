// Runs @opentelemetry/sdk-node in a thread, and feeds it with ended spans.
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { type Duration, durationText } from '../../base/quantity.ts';
import { ownModule } from '../../capabilities/installation.ts';
import type { Engine, Listener } from '../../runtime/api/engine.ts';
import type { OnLogs } from '../../runtime/logs/run-log.ts';
import type { SpanRecord } from '../../telemetry/span-record.ts';
import type { Variables } from '../environment.ts';
import { sdkEnvironment } from '../environment.ts';
import { type FollowedRun, followRuns } from '../follow-runs.ts';
import type { SdkPackage } from './find-sdk.ts';
import type { FromSdk, SdkStart, ToSdk, Undelivered } from './wire.ts';

export interface SdkTelemetry {
  readonly onEvents: Listener;
  readonly onLogs: OnLogs;
  /** Sends queued data and drops what is left after `within`. Never rejects. */
  close(within: Duration): Promise<Undelivered>;
  /** For a process that is exiting: blocks it while the thread sends what it has, for at most five seconds. */
  leave(): void;
}

export interface SdkOptions {
  readonly sdk: SdkPackage;
  readonly variables: Variables;
  /** Gets warnings and errors of the SDK. */
  say(text: string): void;
  /** Gets the output of console exporters. */
  print(text: string): void;
}

/** Includes the time in which a short run's thread loads the SDK, which is seconds on a busy machine. */
const LONGEST_LEAVE: Duration = 5_000;
/** The thread answers by itself when its time is over, unless it hangs. */
const SLACK: Duration = 500;

/** The thread starts with the first span that ends, so that it does not compete with the start of the run. */
export function openSdk(engine: Pick<Engine, 'read'>, options: SdkOptions): SdkTelemetry {
  const numbers = new Map<FollowedRun, number>();
  let thread: SdkThread | undefined;
  let ended = 0;

  let run: FollowedRun | undefined;
  let records: SpanRecord[] = [];

  const follow = followRuns(engine, (record, of) => {
    if (run !== of) flush();
    run = of;
    records.push(record);
  });

  function flush(): void {
    if (run === undefined || records.length === 0) return;
    thread ??= startThread(options);
    const known = numbers.get(run);
    const number = known ?? numbers.size;
    numbers.set(run, number);
    if (known === undefined) thread.post({ type: 'run', run: number, followed: run });
    thread.post({ type: 'spans', run: number, records });
    ended += records.length;
    records = [];
  }

  return {
    onEvents(events, state, blob) {
      follow(events, state, blob);
      flush();
    },
    onLogs(lines) {
      thread ??= startThread(options);
      thread.post({ type: 'logs', lines });
    },
    leave: () => thread?.leave(LONGEST_LEAVE),
    async close(within) {
      const answer = await thread?.close(within);
      if (thread === undefined || answer !== undefined) return answer ?? {};
      const why = thread.trouble() ?? silence(within, thread.isStarted());
      return { traces: { lost: ended, why } };
    },
  };
}

/** On a busy machine, a short run can be over long before the SDK is loaded. */
function silence(within: Duration, isStarted: boolean): string {
  const time = durationText(within);
  if (isStarted) return `no answer within ${time}`;
  return `the OpenTelemetry SDK was still loading after ${time}; OTEL_BSP_EXPORT_TIMEOUT=${4 * within} waits longer`;
}

interface SdkThread {
  post(message: ToSdk): void;
  /** Answers undefined if the thread does not. */
  close(within: Duration): Promise<Undelivered | undefined>;
  leave(within: Duration): void;
  /** True once the SDK is loaded. */
  isStarted(): boolean;
  /** The error that ended the thread. */
  trouble(): string | undefined;
}

function startThread({ sdk, variables, say, print }: SdkOptions): SdkThread {
  const { port1: port, port2 } = new MessageChannel();
  const closed = new SharedArrayBuffer(4);
  const start: SdkStart = { port: port2, sdk: sdk.path, argv: process.argv, closed };
  const worker = new Worker(ownModule('otel/sdk/program'), {
    workerData: start,
    transferList: [port2],
    env: sdkEnvironment(variables),
    execArgv: [],
    name: 'OpenTelemetry',
  });
  let isStarted = false;
  let trouble: string | undefined;
  let answered: ((undelivered: Undelivered | undefined) => void) | undefined;

  function hear(message: FromSdk): void {
    switch (message.type) {
      case 'started':
        isStarted = true;
        return;
      case 'said':
        return say(message.text);
      case 'printed':
        return print(message.text);
      case 'closed':
        answered?.(message.undelivered);
    }
  }

  port.on('message', hear);
  worker.on('error', (error) => {
    trouble = error instanceof Error ? error.message : String(error);
    answered?.(undefined);
  });
  port.unref();
  worker.unref();

  return {
    post: (message) => port.postMessage(message),
    isStarted: () => isStarted,
    trouble: () => trouble,
    async close(within) {
      if (trouble !== undefined) return undefined;
      const undelivered = await new Promise<Undelivered | undefined>((resolve) => {
        // Also keeps the process alive until the thread answers.
        const timer = setTimeout(resolve, within + SLACK, undefined);
        answered = (answer) => {
          clearTimeout(timer);
          resolve(answer);
        };
        port.postMessage({ type: 'close', within } satisfies ToSdk);
      });
      await worker.terminate();
      return undelivered;
    },
    leave(within) {
      if (trouble !== undefined) return;
      port.postMessage({ type: 'close', within } satisfies ToSdk);
      Atomics.wait(new Int32Array(closed), 0, 0, within);
      // No event reaches this process any more.
      for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port))
        hear(next.message);
    },
  };
}
