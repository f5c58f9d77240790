// Makes one measured run with the real engine in a durable store: to its gate, stopped in its middle, or with many failures.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Instant } from '../../src/base/quantity.ts';
import type { RunView } from '../../src/engine/state/run-view.ts';
import type { RunReport } from '../../src/runtime/api/run-report.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { openModelServer } from '../../src/testing/model-server.ts';
import { fastClock } from './clock.ts';
import { scriptFor } from './script.ts';
import { shapeFor, templateFor } from './template.ts';

export type Variant = 'gate' | 'living' | 'failing';

export interface MadeRun {
  readonly report: RunReport;
  /** Steps by status. */
  readonly counts: ReadonlyMap<string, number>;
}

export interface RunRequest {
  readonly store: string;
  readonly steps: number;
  /** `gate` ends at a question; `living` stops with steps at work; in `failing`, 40 % of the calls fail. */
  readonly variant: Variant;
  readonly name?: string;
  /** Milliseconds of the run in each millisecond of this machine. */
  readonly speed?: number;
  readonly start?: Instant;
  /** Called while the steps of a living run are at work; the run is stopped afterwards. */
  readonly atWork?: () => Promise<unknown>;
}

export async function makeRun({
  store,
  steps,
  variant,
  name = 'months',
  speed = 40,
  start = Date.now() - 7_200_000,
  atWork: look,
}: RunRequest): Promise<MadeRun> {
  const folder = dirname(store);
  const file = join(folder, 'templates', `${name}-${steps}.yaml`);
  mkdirSync(join(folder, 'templates', 'reports'), { recursive: true });
  writeFileSync(file, JSON.stringify(templateFor(steps, name), null, 1));
  const shape = shapeFor(steps);
  const server = await openModelServer({ script: scriptFor(shape.regions) });
  const surroundings: Record<string, string> = {
    OPENAI_BASE_URL: server.url,
    OPENAI_API_KEY: 'bench',
    RECONVERGE_BENCH_SPEED: String(speed),
    RECONVERGE_BENCH_FAILING: variant === 'failing' ? '0.4' : '0',
  };
  const engine = createEngine({
    store,
    folder,
    durability: 'relaxed',
    learning: false,
    clock: fastClock(start, speed),
    surroundings,
  });
  const half = Promise.withResolvers<void>();
  const atWork = Promise.withResolvers<void>();
  let completed = 0;
  let last: RunView | undefined;
  const loaded = await engine.load(file);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error, null, 1));
  const started = await engine.start(loaded.value, {
    onEvents: (events, state) => {
      last = state;
      if (variant !== 'living') return;
      for (const { event } of events) if (event.type === 'step.completed') completed += 1;
      if (completed < steps / 2) return;
      half.resolve();
      surroundings.RECONVERGE_BENCH_HOLD = '1';
      const counts = statuses(state.steps.values());
      if ((counts.get('running') ?? 0) >= 10) atWork.resolve();
    },
  });
  if (!started.ok) throw new Error(JSON.stringify(started.error, null, 1));
  if (variant === 'living') {
    await Promise.race([half.promise, started.value.done]);
    await Promise.race([atWork.promise, started.value.done, new Promise((resolve) => setTimeout(resolve, 3_000))]);
    await look?.();
    started.value.stop();
    started.value.stop();
  }
  const report = await started.value.done;
  await engine.close();
  await server.close();
  return { report, counts: statuses(last?.steps.values() ?? []) };
}

export function statuses(steps: Iterable<{ readonly status: string }>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { status } of steps) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}
