// trace: shows the spans of a run as a tree, or exports them to a file or an OpenTelemetry collector.
import { writeFileSync } from 'node:fs';
import { fileReason } from '../../base/file-reason.ts';
import { issue } from '../../base/issue.ts';
import { defined } from '../../base/json.ts';
import type { SpanRecord } from '../../telemetry/span-record.ts';
import { span } from '../../view/line.ts';
import type { ExportedAnswer } from '../answers/runs.schema.ts';
import type { Call, Command } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { readingRuns } from '../open-engine.ts';
import { refuse } from '../refuse.ts';
import { runArgument } from '../run-argument.ts';
import { storeFlag } from '../store-file.ts';
import { familyRecords } from '../trace/family-records.ts';
import { traceLines } from '../trace/trace-lines.ts';

export const command: Command = {
  arguments: [runArgument],
  flags: [
    {
      name: '--otlp <file|url>',
      description:
        'Export the trace as OTLP JSON to a file (- is standard output), or over HTTP to a URL, with the settings OTEL_EXPORTER_OTLP_*.',
    },
    storeFlag,
    jsonFlag,
  ],
  examples: [
    { command: 'reconverge trace latest', does: 'show times and costs' },
    { command: 'reconverge trace latest --otlp trace.json', does: 'write a file for Jaeger' },
    { command: 'reconverge trace latest --otlp http://localhost:4318', does: 'send a past run to a collector' },
  ],

  run: (call) =>
    readingRuns(call, async (engine) => {
      const read = engine.read(call.given.arguments[0] ?? '');
      if (!read.ok) return refuse(call, read.error);
      const { state } = read.value;
      const records = familyRecords(engine, read.value);
      const to = call.given.text('otlp');
      if (to !== undefined) return exportTo(call, state.id, records, to);
      const { given, terminal } = call;
      if (given.has('json')) terminal.json({ run: state.id, trace: records[0]?.trace, spans: records.map(answered) });
      else terminal.print(traceLines(records));
      return exitCodes.done;
    }),
};

/** The answer's times are milliseconds. */
function answered({ micros: _, events, ...record }: SpanRecord) {
  return { ...record, events: events.map(({ micros: __, ...event }) => event) };
}

async function exportTo(call: Call, run: string, records: readonly SpanRecord[], to: string): Promise<ExitCode> {
  const { otlpText, sendTo } = await import('../../otel/export-run.ts');
  const { given, terminal } = call;
  if (to === '-') {
    terminal.write(otlpText(records));
    return exitCodes.done;
  }
  if (isAddress(to)) {
    if (!/^https?:\/\//.test(to)) return refuse(call, [unsent(to, 'it is not an HTTP address')]);
    if (!URL.canParse(to)) return refuse(call, [unsent(to, 'it is not a URL')]);
    const { sent, trouble } = await sendTo(new URL(to), records, process.env);
    if (sent < records.length) return refuse(call, [unsent(to, trouble ?? 'no answer')]);
  } else {
    try {
      writeFileSync(to, otlpText(records), { mode: 0o600 });
    } catch (error) {
      return refuse(call, [unsent(to, fileReason(error))]);
    }
  }
  const exported = { spans: records.length, to };
  if (given.has('json'))
    terminal.json({ run, ...defined({ trace: records[0]?.trace }), exported } satisfies ExportedAnswer);
  else terminal.say([[span(`${records.length} spans to ${to}`)]]);
  return exitCodes.done;
}

/** A target without `http://` or with another protocol also counts as an address: nobody means a file called localhost:4318. */
function isAddress(to: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(to) || /^[\w.-]+:\d+$/.test(to);
}

function unsent(to: string, why: string) {
  return issue('TRACE_UNSENT', `the trace could not be exported to ${to}: ${why}`, {
    hint: 'give a file that can be written, or the URL of an OTLP collector, such as http://localhost:4318',
  });
}
