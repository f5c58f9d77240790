// Telemetry for a run that is driven here. The telemetry modules are loaded only if the environment names an endpoint.
import { defined } from '../../base/json.ts';
import { isTelemetryWanted, unknownIn } from '../../otel/settings.ts';
import type { DriveOptions, Engine, Listener } from '../../runtime/api/engine.ts';
import { copyable, span } from '../../view/line.ts';
import type { Call } from '../command.ts';
import { commandLine } from '../store-file.ts';

export interface RunTelemetry {
  /** The telemetry options that the engine gets with the run. */
  readonly options: Pick<DriveOptions, 'traceparent'>;
  readonly see: Listener;
  /** Takes at most one second, and reports data that could not be sent. */
  close(): Promise<void>;
}

export async function telemetryFor(engine: Engine, { given, terminal }: Call): Promise<RunTelemetry> {
  const { TRACEPARENT: traceparent } = process.env;
  const options = defined({ traceparent });
  if (!isTelemetryWanted(process.env)) return { options, see: () => {}, close: async () => {} };
  const { openTelemetry } = await import('../../otel/open-telemetry.ts');
  const telemetry = await openTelemetry(engine);
  terminal.say(unknownIn(process.env).map((text) => [span('telemetry', 'warn'), span(`: ${text}`)]));
  // A handler may end the process, and nobody should wait for telemetry then.
  process.on('exit', telemetry.leave);
  return {
    options,
    see: telemetry.onEvents,
    async close() {
      process.off('exit', telemetry.leave);
      const { lost, why } = await telemetry.close();
      if (lost === 0) return;
      const message = `: ${lost} spans of the trace could not be sent: ${why}; to send them again: `;
      const again = copyable(commandLine(given, 'trace', 'RUN', '--otlp', 'URL'));
      terminal.say([[span('telemetry', 'warn'), span(message), again]]);
    },
  };
}
