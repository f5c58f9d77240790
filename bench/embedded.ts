// PERF11: measures what the engine's own tracing adds to trivial steps: in a program without OpenTelemetry, and in one with it.
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import { runLayered } from './layered.ts';
import { printTable } from './table.ts';

/** Short rounds in turn: on a machine that does other work, the least time of many says most. */
const ROUNDS = 25;
const layers = { steps: 4_000, width: 20 };

type Way = 'off' | 'none' | 'provider';

async function cpuOf(way: Way): Promise<number> {
  const provider = way === 'provider' ? register() : undefined;
  const settings = way === 'off' ? { telemetry: false, propagation: false } : {};
  const { cpu } = await runLayered('', layers, 'memory', undefined, undefined, settings);
  trace.disable();
  context.disable();
  await provider?.shutdown();
  return cpu;
}

function register(): TracerProvider {
  const exporter: SpanExporter = { export: (_, answer) => answer({ code: 0 }), shutdown: async () => {} };
  const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize: 65_536 })] });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return provider;
}

const found: Record<Way, number[]> = { off: [], none: [], provider: [] };
for (let round = 0; round <= ROUNDS; round++) {
  for (const way of ['off', 'none', 'provider'] as const) {
    const cpu = await cpuOf(way);
    if (round > 0) found[way].push(cpu);
  }
}
const least = (way: Way): number => Math.min(...found[way]);
const row = (name: string, way: Way, goal: string) => [name, least(way), (least(way) / least('off') - 1) * 100, goal];
printTable(
  `PERF11: ${layers.steps} steps in layers of ${layers.width} in memory, the least of ${ROUNDS} rounds`,
  ['tracing by the engine', 'µs of processor per step', 'added %', 'goal'],
  [
    row('off', 'off', ''),
    row('on, no provider registered', 'none', '≤ 2'),
    row('on, provider with a batch processor, nothing sent', 'provider', ''),
  ],
);
