// Telemetry for a run that is driven here. The telemetry modules are loaded only if the environment asks for telemetry.
import { defined } from '../../base/json.ts';
import type { Duration } from '../../base/quantity.ts';
import { isSignalOn, isTelemetryWanted } from '../../otel/environment.ts';
import type { DriveOptions, Engine, Listener } from '../../runtime/api/engine.ts';
import type { OnLogs } from '../../runtime/logs/run-log.ts';
import { findHost } from '../../runtime/trace/host.ts';
import { copyable, type Line, span } from '../../view/line.ts';
import type { Call } from '../command.ts';
import { commandLine } from '../store-file.ts';

export interface RunTelemetry {
  /** The telemetry options that the engine gets with the run. */
  readonly options: Pick<DriveOptions, 'traceparent' | 'tracestate'>;
  readonly see: Listener;
  /** Absent: log records are not sent. */
  readonly hearLogs?: OnLogs;
  /** Messages go through this function from now on, because it knows what the screen shows. */
  noteThrough(note: (line: Line) => void): void;
  /** Waits for exporters within limits, and reports data that could not be sent. */
  close(): Promise<void>;
}

/** The time for sending what is left at the end of a run, unless the environment names one. */
const LONGEST_FLUSH: Duration = 5_000;

function longestFlush({ OTEL_BSP_EXPORT_TIMEOUT: said }: NodeJS.ProcessEnv): Duration {
  const named = Number(said);
  return named > 0 ? named : LONGEST_FLUSH;
}

export async function telemetryFor(engine: Engine, call: Call): Promise<RunTelemetry> {
  const { TRACEPARENT: traceparent, TRACESTATE: tracestate } = process.env;
  const options = defined({ traceparent, tracestate });
  // Providers that an instrumentation has registered (node --import) take the spans from the engine itself.
  if (!isTelemetryWanted(process.env) || (await findHost()) !== undefined) {
    return { options, see: () => {}, noteThrough: () => {}, close: async () => {} };
  }
  const messages = messagesOf(call);
  const { findSdk } = await import('../../otel/sdk/find-sdk.ts');
  const sdk = findSdk(process.cwd());
  const opened =
    sdk === undefined ? await ownExport(engine, messages) : await sdkExport(engine, { sdk, call, messages });
  let run: string | undefined;
  // A handler may end the process, and nobody should wait long for telemetry then.
  process.on('exit', opened.leave);
  return {
    options,
    see(events, state, blob) {
      // Child runs come later, and are in the trace of their caller.
      run ??= state.id;
      opened.see(events, state, blob);
    },
    ...defined({ hearLogs: opened.hearLogs }),
    noteThrough: messages.through,
    async close() {
      process.off('exit', opened.leave);
      const lost = await opened.close();
      if (lost === undefined) return;
      const again = copyable(commandLine(call.given, 'trace', run ?? 'RUN', '--otlp', 'URL'));
      const how = lost.isTrace ? [span('; to send the trace again: '), again] : [];
      call.terminal.say([[span('telemetry', 'warn'), span(`: ${lost.text}`), ...how]]);
    },
  };
}

interface OpenedExport {
  readonly see: Listener;
  readonly hearLogs?: OnLogs;
  leave(): void;
  close(): Promise<{ readonly text: string; readonly isTrace: boolean } | undefined>;
}

const nowhere: OpenedExport = { see: () => {}, leave: () => {}, close: async () => undefined };

interface Messages {
  readonly say: (text: string) => void;
  readonly through: (note: (line: Line) => void) => void;
  /** Prints a line through the same function. */
  readonly note: (line: Line) => void;
}

/** Each message is shown once. */
function messagesOf({ terminal }: Call): Messages {
  const said = new Set<string>();
  let note = (line: Line): void => terminal.say([line]);
  return {
    through: (better) => {
      note = better;
    },
    note: (line) => note(line),
    say: (text) => {
      if (said.has(text)) return;
      said.add(text);
      note([span('telemetry', 'warn'), span(`: ${text}`)]);
    },
  };
}

/** The export without @opentelemetry/sdk-node: OTLP over HTTP, of spans and metrics. */
async function ownExport(engine: Engine, { say }: Messages): Promise<OpenedExport> {
  const { isOtlpWanted, notHeard } = await import('../../otel/settings.ts');
  const { wrongEndpoints } = await import('../../otel/wrong-settings.ts');
  const wrong = wrongEndpoints(process.env);
  for (const text of [...wrong, ...notHeard(process.env)]) say(text);
  if (wrong.length > 0 || !isOtlpWanted(process.env)) return nowhere;
  const { openTelemetry } = await import('../../otel/open-telemetry.ts');
  const telemetry = await openTelemetry(engine);
  return {
    see: telemetry.onEvents,
    leave: telemetry.leave,
    async close() {
      const { lost, why } = await telemetry.close();
      return lost === 0 ? undefined : { text: `${lost} spans could not be sent: ${why}`, isTrace: true };
    },
  };
}

interface SdkExport {
  readonly sdk: Parameters<typeof import('../../otel/sdk/open-sdk.ts').openSdk>[1]['sdk'];
  readonly call: Call;
  readonly messages: Messages;
}

async function sdkExport(engine: Engine, { sdk, call, messages }: SdkExport): Promise<OpenedExport> {
  const [{ openSdk }, { undeliveredText }, { checkSettings }] = await Promise.all([
    import('../../otel/sdk/open-sdk.ts'),
    import('../../otel/sdk/undelivered-text.ts'),
    import('../../otel/wrong-settings.ts'),
  ]);
  const { variables, warnings } = checkSettings(process.env);
  for (const text of warnings) messages.say(text);
  if (!isTelemetryWanted(variables)) return nowhere;
  const telemetry = openSdk(engine, { sdk, variables, say: messages.say, print: printer(call, messages) });
  return {
    see: telemetry.onEvents,
    ...(isSignalOn(variables, 'logs') ? { hearLogs: telemetry.onLogs } : {}),
    leave: telemetry.leave,
    async close() {
      const undelivered = await telemetry.close(longestFlush(process.env));
      const text = undeliveredText(undelivered);
      return text === undefined ? undefined : { text, isTrace: undelivered.traces !== undefined };
    },
  };
}

/** Console exporters print to standard output, but not between the lines of --json, and not into the live tree. */
function printer({ given, terminal }: Call, { note }: Messages): (text: string) => void {
  if (!given.has('json') && terminal.screen === undefined) return terminal.write;
  return (text) => {
    for (const line of text.replace(/\n$/, '').split('\n')) note([span(line)]);
  };
}
