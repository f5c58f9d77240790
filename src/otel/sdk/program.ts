// The program of the OpenTelemetry thread: feeds ended spans to the SDK that the environment configures.
import { format } from 'node:util';
import { workerData } from 'node:worker_threads';
import { type Duration, durationText } from '../../base/quantity.ts';
import type { LogLine } from '../../engine/record/log-line.ts';
import { type Measure, measureWith } from '../../runtime/trace/meter.ts';
import { measurementsOf } from '../../telemetry/metrics.ts';
import type { SpanRecord } from '../../telemetry/span-record.ts';
import { isRefused } from '../ask-endpoint.ts';
import { configFile, type Endpoint, endpointOf, portHint, settingOf, signals } from '../environment.ts';
import { ownScope } from '../origin-name.ts';
import { reasonOf } from './deliveries.ts';
import { logRecorder } from './log-records.ts';
import { type Replay, replayer } from './replay.ts';
import { chunkSize, type StartedSdk, startSdk } from './start-sdk.ts';
import type { FromSdk, SdkStart, Signal, ToSdk, Undelivered } from './wire.ts';

const { port, sdk: path, argv, closed }: SdkStart = workerData;
process.argv = [...argv];
redirectOutput();

/** Spans that wait for the exporters; more are dropped. */
const MOST_QUEUED = 65_536;
/** An endpoint that refuses connections is not waited for any longer. */
const PATIENCE: Duration = 1_000;

const sdk = tryStart();
say({ type: 'started' });
const chunk = chunkSize(process.env);
const templates = new Map<number, string>();
const queue: { readonly run: number; readonly record: SpanRecord }[] = [];
let pumping: Promise<void> = Promise.resolve();
let isPumping = false;
let fed = 0;

port.on('message', (message: ToSdk) => {
  switch (message.type) {
    case 'run':
      templates.set(message.run, message.followed.template);
      sdk?.replay.begin(message.run, message.followed);
      return;
    case 'spans':
      if (sdk === undefined) return;
      for (const record of message.records) take(sdk, message.run, record);
      if (!isPumping) pumping = pump(sdk);
      return;
    case 'logs':
      for (const line of message.lines) sdk?.log(line);
      return;
    case 'close':
      void close(message.within);
  }
});

interface Working extends StartedSdk {
  readonly replay: Replay;
  readonly measure: Measure;
  log(line: LogLine): void;
}

function tryStart(): Working | undefined {
  try {
    const started = startSdk(path, process.env, (text) => say({ type: 'said', text }));
    const scope = ownScope();
    const measure = measureWith(started.api.metrics.getMeter(scope.name, scope.version));
    return { ...started, replay: replayer(started, process.env), measure, log: logRecorder(started) };
  } catch (error) {
    say({ type: 'said', text: `the OpenTelemetry SDK did not start: ${reasonOf(error)}` });
    return undefined;
  }
}

function take(working: Working, run: number, record: SpanRecord): void {
  working.measure(measurementsOf(record, templates.get(run) ?? ''));
  if (queue.length < MOST_QUEUED) queue.push({ run, record });
  else working.deliveries.ended('traces', 1);
}

/** Feeds as many spans as the SDK's queue holds, and waits until they are sent before it goes on. */
async function pump(working: Working): Promise<void> {
  isPumping = true;
  for (let each = queue.shift(); each !== undefined; each = queue.shift()) {
    if (working.replay.span(each.run, each.record)) working.deliveries.ended('traces', 1);
    fed += 1;
    if (fed % chunk === 0) await working.flush();
  }
  isPumping = false;
}

async function close(within: Duration): Promise<void> {
  const outcome = sdk === undefined ? 'done' : await Promise.race([finish(sdk), refusal(), late(within)]);
  // Spans that were never fed are lost too.
  sdk?.deliveries.ended('traces', queue.length);
  const otherwise =
    typeof outcome === 'string' ? `no answer within ${durationText(within)}` : `nobody listens at ${outcome.url}`;
  const undelivered = sdk?.deliveries.undelivered(otherwise, outcome === 'done', isAsked) ?? {};
  say({ type: 'closed', undelivered: withPortHints(undelivered) });
  Atomics.store(new Int32Array(closed), 0, 1);
  Atomics.notify(new Int32Array(closed), 0);
}

function withPortHints(undelivered: Undelivered): Undelivered {
  return Object.fromEntries(
    signals.flatMap((signal) => {
      const lost = undelivered[signal];
      const endpoint = endpointOf(process.env, signal);
      const hint = endpoint === undefined ? undefined : portHint(endpoint);
      if (lost === undefined) return [];
      return [[signal, hint === undefined ? lost : { ...lost, why: `${lost.why}; ${hint}` }]];
    }),
  );
}

async function finish(working: Working): Promise<'done'> {
  await pumping;
  // At its shutdown, the processor of console exporters forgets spans that wait for the resource.
  await working.flush();
  await working.shutdown();
  return 'done';
}

/** The exporters would try again until their timeout ends. */
async function refusal(): Promise<Endpoint> {
  const endpoints = signals.flatMap((signal) => endpointOf(process.env, signal) ?? []);
  await pass(PATIENCE);
  const refused = await Promise.all(endpoints.map(isRefused));
  if (endpoints[0] !== undefined && refused.every((each) => each)) return endpoints[0];
  return new Promise(() => {});
}

async function late(within: Duration): Promise<'late'> {
  await pass(within);
  return 'late';
}

function pass(duration: Duration): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, duration));
}

function isAsked(signal: Signal): boolean {
  const name = signal.toUpperCase();
  return [`OTEL_${name}_EXPORTER`, `OTEL_EXPORTER_OTLP_${name}_ENDPOINT`].some(
    (each) => settingOf(process.env, each) !== undefined,
  );
}

function say(message: FromSdk): void {
  port.postMessage(message);
}

/** Everything that is printed here goes through the main thread, which knows where it may print. */
function redirectOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.write = (part: string | Uint8Array, second?: unknown, third?: unknown) => {
      say({ type: 'printed', text: typeof part === 'string' ? part : Buffer.from(part).toString() });
      const written = typeof second === 'function' ? second : third;
      if (typeof written === 'function') process.nextTick(written);
      return true;
    };
  }
  // The SDK's own log, which OTEL_LOG_LEVEL or the configuration file switches on. The file's default is information.
  const isUsual = configFile(process.env) !== undefined;
  const levels = ['error', 'warn', 'info', 'debug', 'trace'] as const;
  for (const level of levels) {
    console[level] = (...parts: readonly unknown[]) => {
      if (level !== 'info' || !isUsual) say({ type: 'said', text: format(...parts) });
    };
  }
}
