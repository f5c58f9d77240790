// The measured job: a template of layers of trivial steps with contracts, run by the engine from start to end.

import { defineCapability } from '../src/capabilities/capability.ts';
import type { Telemetry } from '../src/otel/open-telemetry.ts';
import type { Engine } from '../src/runtime/api/engine.ts';
import type { EngineOptions } from '../src/runtime/api/engine-options.ts';
import { createEngine } from '../src/runtime/create-engine.ts';
import { openMemoryJournal } from '../src/store/memory-journal.ts';
import type { Template } from '../src/template/template.ts';
import { type StepSketch, stepOf, templateOf } from '../test/engine/template-of.ts';
import type { Durability, Layers } from './floor.ts';

const output = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } } as const;

export const trivial = defineCapability({
  name: 'work',
  description: 'Answers at once.',
  input: { type: 'object' },
  output,
  effects: ['compute'],
  run: () => ({ n: 1 }),
});

/** Each step waits for two steps of the layer above, has a contract, and is charged to the ledger. */
export function layered({ steps, width }: Layers, last: readonly StepSketch[] = []): Template {
  const frame = templateOf({
    concurrency: width,
    capabilities: [trivial.declaration, holding.declaration],
    budget: {
      limit: { steps: steps + last.length, tool_calls: steps * 2, phases: 5, cost_usd: 5_000_000 },
      wallClock: 3_600_000,
    },
    steps: [],
  });
  // The steps are added afterwards, because their digest would take more memory than their run.
  return { ...frame, steps: [...Array.from({ length: steps }, (_, i) => stepAt(i, width)), ...last].map(stepOf) };
}

function stepAt(i: number, width: number): StepSketch {
  const layer = Math.floor(i / width);
  const above = (layer - 1) * width;
  const after = layer === 0 ? [] : [`s${above + (i % width)}`, `s${above + ((i + 1) % width)}`];
  return { name: `s${i}`, after, input: { i } };
}

/** Never returns, so that a run stays live with all earlier steps finished. */
const holding = defineCapability({
  name: 'hold',
  description: 'Answers never.',
  effects: ['compute'],
  run: (_input, { signal }) => new Promise<null>((_resolve, reject) => signal.addEventListener('abort', reject)),
});

/** Runs all layers, and stops at a last step, `held`, after them. */
export async function runUntilHeld(file: string, layers: Layers): Promise<void> {
  const engine = createEngine({ store: file, durability: 'relaxed', capabilities: [trivial, holding] });
  const last = Array.from({ length: layers.width }, (_, i) => `s${layers.steps - 1 - i}`);
  const { promise: held, resolve } = Promise.withResolvers<void>();
  const started = await engine.start(layered(layers, [{ name: 'held', after: last, capability: 'hold' }]), {
    onEvents: (events) => {
      for (const { event } of events) if (event.type === 'attempt.started' && event.step === 'held') resolve();
    },
  });
  if (!started.ok) throw new Error(JSON.stringify(started.error));
  await held;
  started.value.stop();
  started.value.stop();
  await started.value.done;
  await engine.close();
}

export interface Measured {
  /** Microseconds. */
  readonly perStep: number;
  /** Microseconds of processor time, without other processes. */
  readonly cpu: number;
  /** Time per step in the last tenth ÷ in the first. */
  readonly growth: number;
}

/**
 * `memory`: no store. `telemetry`: the listener of the engine's runs; the time to send the rest does not count.
 * `ended` is called at the end of each step.
 */
export async function runLayered(
  file: string,
  layers: Layers,
  durability: Durability | 'memory',
  telemetry?: (engine: Engine) => Promise<Telemetry>,
  ended?: () => void,
  settings: EngineOptions = {},
): Promise<Measured> {
  const store = durability === 'memory' ? { journal: openMemoryJournal() } : { store: file, durability };
  const engine = createEngine({ ...store, capabilities: [trivial], ...settings });
  const tenth = layers.steps / 10;
  const marks: number[] = [];
  let completed = 0;
  const template = layered(layers);
  const told = await telemetry?.(engine);
  const began = performance.now();
  const before = process.cpuUsage();
  const started = await engine.start(template, {
    onEvents: (events, state, blob) => {
      told?.onEvents(events, state, blob);
      for (const { event } of events) {
        if (event.type !== 'step.completed') continue;
        ended?.();
        if (++completed % tenth === 0) marks.push(performance.now());
      }
    },
  });
  if (!started.ok) throw new Error(JSON.stringify(started.error));
  const report = await started.value.done;
  const took = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  if (report.status !== 'completed' || completed !== layers.steps)
    throw new Error(`the run ended ${report.status} after ${completed} steps`);
  const undelivered = await told?.close(30_000);
  if ((undelivered?.lost ?? 0) > 0) throw new Error(JSON.stringify(undelivered));
  await engine.close();
  const [first = 0, second = 0] = marks;
  const last = (marks.at(-1) ?? 0) - (marks.at(-2) ?? 0);
  return {
    perStep: (took * 1_000) / layers.steps,
    cpu: (user + system) / layers.steps,
    growth: last / (second - first),
  };
}
