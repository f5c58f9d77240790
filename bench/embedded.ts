// PERF11: measures what the engine's own tracing adds to trivial steps: in a program without OpenTelemetry, and in one with it.
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Recorded } from '../src/engine/record/event.schema.ts';
import { newState } from '../src/engine/state/state.ts';
import { tracedHttp } from '../src/runtime/perform/traced-http.ts';
import type { Work } from '../src/runtime/ports/work.ts';
import { journalTrace } from '../src/runtime/trace/run-trace.ts';
import { layered, runLayered } from './layered.ts';
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

/** The work of tracing alone, for one step after the other: a whole run varies more than tracing costs. */
function alone(): number {
  const steps = Array.from({ length: layers.steps }, (_, i) => `s${i}`);
  const trace = journalTrace(Object.assign(newState(layered({ steps: 20, width: 20 })), { id: 'run', startedAt: 1 }));
  const http = { send: () => Promise.reject(new Error('nothing is sent')) };
  const before = process.cpuUsage();
  let length = 0;
  for (const [version, step] of steps.entries()) {
    const at = { version, at: 1, cause: 0 };
    const started: Recorded = { ...at, event: { type: 'attempt.started', step, attempt: 1 } };
    const completed: Recorded = { ...at, event: { type: 'step.completed', step, value: { value: 1 } } };
    trace.see([started]);
    const attempt = { step, attempt: 1, delivery: 1, key: step, timeout: 1, input: null };
    const work: Work = { type: 'call-capability', capability: 'work', ...attempt };
    const own = trace.of(work);
    length += own.within(() => ({ http: tracedHttp(http, own), context: own.traceparent() ?? '' })).context.length;
    trace.see([completed]);
  }
  const { user, system } = process.cpuUsage(before);
  if (length === 0) throw new Error('no context was made');
  return (user + system) / layers.steps;
}

const costs = Array.from({ length: 200 }, alone);
printTable('PERF11: the trace context of a step by itself', ['µs of processor per step'], [[Math.min(...costs)]]);
