// Loads the capabilities of a module into this thread, or into threads of their own.
import { resolve } from 'node:path';
import { type Issue, issue } from '../base/issue.ts';
import { type Duration, durationText } from '../base/quantity.ts';
import { bad, good, type Result } from '../base/result.ts';
import type { Isolation } from '../contract/isolation.ts';
import { type Capability, capabilityOf } from './capability.ts';
import { importModule } from './import-module.ts';
import { type ThreadPool, threadPool } from './thread/pool.ts';
import type { ExportedCapability } from './thread/wire.ts';

/**
 * Isolates the capabilities that ask for it. With `isolation`, isolates all of them and never imports the module into
 * this thread. Issues: those of `importModule`, and MODULE_UNANSWERED.
 * @param path as written, relative to `folder`
 */
export async function loadModule(
  path: string,
  folder: string,
  isolation?: Isolation,
): Promise<Result<readonly Capability[]>> {
  if (isolation !== undefined) return loadApart(path, folder, isolation);
  const imported = await importModule(path, folder);
  if (!imported.ok) return imported;
  return good(
    imported.value.map((each) =>
      each.isolation === undefined ? each : inThread(each.declaration.name, each, poolOf(path, folder, each.isolation)),
    ),
    imported.warnings,
  );
}

async function loadApart(path: string, folder: string, isolation: Isolation): Promise<Result<readonly Capability[]>> {
  const pool = poolOf(path, folder, isolation);
  const exported = await pool.exported();
  if (!exported.ok) return bad(exported.error === 'late' ? [unanswered(path)] : exported.error);
  return good(exported.value.map((each) => inThread(each.declaration.name, each, pool)));
}

/**
 * Reads the newest exports of a module in a new thread, where the module cannot stop or change this process. Issues: as `loadModule`.
 */
export async function readModule(path: string, folder: string): Promise<Result<readonly Capability[]>> {
  const pool = threadPool({ path, folder: resolve(folder), loadTime: LOAD_TIME, memory: READING_MEMORY });
  const exported = await pool.exported();
  if (!exported.ok) return bad(exported.error === 'late' ? [unanswered(path)] : exported.error);
  return good(exported.value.map((each) => inThread(each.declaration.name, each, pool)));
}

const READING_MEMORY = 512_000_000;

function inThread(name: string, { declaration }: ExportedCapability, pool: ThreadPool): Capability {
  return capabilityOf(declaration, (input, ctx) => pool.call(name, input, ctx));
}

/** One pool for each module and limit, so that all runs share idle threads. */
const pools = new Map<string, ThreadPool>();

function poolOf(path: string, folder: string, isolation: Isolation): ThreadPool {
  const key = JSON.stringify([resolve(folder, path), path, isolation.memory]);
  const known = pools.get(key) ?? threadPool({ path, folder: resolve(folder), loadTime: LOAD_TIME, ...isolation });
  pools.set(key, known);
  return known;
}

const LOAD_TIME: Duration = 30_000;

function unanswered(path: string): Issue {
  return issue(
    'MODULE_UNANSWERED',
    `"${path}" did not load within ${durationText(LOAD_TIME)}, or took too much memory`,
    {
      hint: 'move slow work into run, where the timeout of the step applies',
    },
  );
}
