// Engines over a store in a temporary folder that is removed after each test, and capabilities for their runs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Result } from '../../src/base/result.ts';
import { defineCapability } from '../../src/capabilities/capability.ts';
import type { Engine } from '../../src/runtime/api/engine.ts';
import type { EngineOptions } from '../../src/runtime/api/engine-options.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import type { Clock } from '../../src/runtime/ports/clock.ts';

let folder: string | undefined;

/** A path in the temporary folder of this test, which exists from the first call on. */
export function pathTo(...names: readonly string[]): string {
  return join(temporaryFolder(), ...names);
}

function temporaryFolder(): string {
  if (folder !== undefined) return folder;
  const made = mkdtempSync(join(tmpdir(), 'reconverge-'));
  folder = made;
  onTestFinished(() => {
    folder = undefined;
    rmSync(made, { recursive: true, force: true });
  });
  return made;
}

export const answer = defineCapability({
  name: 'work',
  description: 'Answers.',
  effects: ['compute'],
  run: () => ({ n: 1 }),
});

export function engineOf(options: EngineOptions = {}): Engine {
  const engine = createEngine({ folder: temporaryFolder(), capabilities: [answer], ...options });
  onTestFinished(() => engine.close());
  return engine;
}

/** A capability that runs until `open` is called or its call is aborted; `begun` resolves when the first call begins. */
export function gated() {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  let calls = 0;
  const capability = defineCapability({
    name: 'work',
    description: 'Waits to be let go.',
    effects: ['compute'],
    run: async (_, { signal }) => {
      calls += 1;
      begin();
      await Promise.race([gate, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
      return { aborted: signal.aborted };
    },
  });
  return { capability, begun, open, calls: () => calls };
}

export function good<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

export const codes = <T>(result: Result<T>): string[] => (result.ok ? [] : result.error.map(({ code }) => code));

/** A clock that jumps to the next wake-up instead of waiting, once `ready` has resolved; `pass` moves its time. */
export function hurried(now = 1_000_000, ready?: Promise<void>): Clock & { pass(duration: number): void } {
  const sleepers = new Set<{ readonly at: number; readonly callback: () => void }>();
  const next = (): void => {
    const [first] = [...sleepers].sort((one, other) => one.at - other.at);
    if (first === undefined) return;
    sleepers.delete(first);
    time = Math.max(time, first.at);
    first.callback();
  };
  let time = now;
  return {
    now: () => time,
    pass: (duration) => {
      time += duration;
    },
    wake: (after, callback) => {
      const sleeper = { at: time + after, callback };
      sleepers.add(sleeper);
      if (ready === undefined) setImmediate(next);
      else void ready.then(() => setImmediate(next));
      return () => sleepers.delete(sleeper);
    },
  };
}
