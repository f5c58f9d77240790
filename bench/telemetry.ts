// PERF11: measures what telemetry adds to 10,000 trivial steps: switched off, with a batch processor, and sent by OTLP to another process.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace';
import { openTelemetry, type Telemetry } from '../src/otel/open-telemetry.ts';
import type { Engine } from '../src/runtime/api/engine.ts';
import type { Durability } from './floor.ts';
import { type Measured, runLayered } from './layered.ts';
import { scratch } from './scratch.ts';
import { median, printTable } from './table.ts';

const PAIRS = 5;
const layers = { steps: 10_000, width: 20 };

if (process.argv[2] === 'collector') collect();
else await bench();

/** Reads requests and discards them. */
function collect(): void {
  const server = createServer((message, response) => {
    message.resume().on('end', () => response.end());
  });
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
}

async function bench(): Promise<void> {
  const collector = fork(import.meta.filename, ['collector']);
  const [{ port }] = (await once(collector, 'message')) as [{ port: number }];
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${port}`;
  process.env.OTEL_METRICS_EXPORTER = 'none';
  const store = scratch();
  const time = (durability: Durability, telemetry?: (engine: Engine) => Promise<Telemetry>) =>
    runLayered(store.file(), layers, durability, telemetry);
  const rows = [];
  for (const durability of ['strict', 'relaxed'] as const) {
    const runs: { off: Measured; again: Measured; told: Measured; sent: Measured }[] = [];
    for (let i = 0; i <= PAIRS; i++) {
      const off = await time(durability);
      const again = await time(durability);
      const told = await time(durability, toldOnly);
      const sent = await time(durability, (engine) => openTelemetry(engine));
      if (i > 0) runs.push({ off, again, told, sent });
    }
    const row = (name: string, which: 'again' | 'told' | 'sent', goal: string) => [
      durability,
      name,
      median(runs.map((run) => run.off.perStep)),
      median(runs.map((run) => run[which].perStep / run.off.perStep - 1)) * 100,
      goal,
      median(runs.map((run) => run.off.cpu)),
      median(runs.map((run) => run[which].cpu - run.off.cpu)),
    ];
    rows.push(row('off, once more', 'again', '≤ 2'));
    rows.push(row('batch processor, nothing sent', 'told', '≤ 25'));
    rows.push(row('batch processor, OTLP to another process', 'sent', '≤ 25'));
  }
  printTable(
    `PERF11: ${layers.steps} steps in layers of ${layers.width}, medians of ${PAIRS} rounds`,
    ['durability', 'telemetry', 'off, µs per step', 'added %', 'goal', 'off, µs of processor', 'added µs of processor'],
    rows,
  );
  store.remove();
  collector.kill();
}

/** All work in this process except serialization. */
async function toldOnly(engine: Engine): Promise<Telemetry> {
  const exporter: SpanExporter = { export: (_, answer) => answer({ code: 0 }), shutdown: async () => {} };
  const spanProcessors = [new BatchSpanProcessor({ exporter, maxQueueSize: 65_536 })];
  return openTelemetry(engine, { spanProcessors, metricReaders: [] });
}
