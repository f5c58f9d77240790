// Opens the engine for commands that read or drive runs.
import { userInfo } from 'node:os';
import { issue } from '../base/issue.ts';
import { defined } from '../base/json.ts';
import type { Engine } from '../runtime/api/engine.ts';
import type { RunRecord } from '../runtime/api/run-record.ts';
import type { StoreAccess } from '../store/sqlite-journal.ts';
import { isPostgresAddress } from '../store/store-address.ts';
import type { Call, Flag } from './command.ts';
import type { ExitCode } from './exit-codes.ts';
import { openStore } from './open-store.ts';
import { refuse } from './refuse.ts';
import { localStore, storeExists, storeFile } from './store-file.ts';

export const durabilityFlags: readonly Flag[] = [
  {
    name: '--durability <kind>',
    description: 'strict: a completed step survives a power loss; relaxed: it survives the end of the process.',
    choices: ['strict', 'relaxed'],
  },
  { name: '--relaxed', description: 'The same as --durability relaxed.' },
  { name: '--paranoid', description: 'Check the invariants of the run at each commit; slower, to find bugs.' },
];

type Work = (engine: Engine) => Promise<ExitCode>;

/** Opens the store, creating it if needed, for the duration of the work. With `any`, a read-only store is opened for reading. */
export async function withEngine(call: Call, work: Work, access: StoreAccess = 'write'): Promise<ExitCode> {
  const { given } = call;
  const relaxed = given.has('relaxed') || given.text('durability') === 'relaxed';
  const { createOwnEngine } = await import('../runtime/create-engine.ts');
  const durability = relaxed ? 'relaxed' : 'strict';
  const journal = isPostgresAddress(storeFile(given)) ? await openStore(given, { access, durability }) : undefined;
  const engine = createOwnEngine({
    store: localStore(given),
    durability,
    access,
    ...defined({ journal }),
    ...(given.has('paranoid') ? { paranoid: true } : {}),
  });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

/** Like `withEngine`, for commands that need an existing store. */
export async function withRuns(call: Call, work: Work, access: StoreAccess = 'write'): Promise<ExitCode> {
  if (storeExists(call.given)) return withEngine(call, work, access);
  return refuse(call, [
    issue('STORE_MISSING', `there is no store at ${storeFile(call.given)}`, {
      hint: 'start a run here, or name its store with --store or RECONVERGE_STORE',
    }),
  ]);
}

/** Like `withRuns`, for commands that only read: they also work on a read-only store. */
export function readingRuns(call: Call, work: Work): Promise<ExitCode> {
  return withRuns(call, work, 'any');
}

/** Finds the run that the first argument names, for commands that only read. */
export async function withRun(
  call: Call,
  work: (record: RunRecord, engine: Engine) => ExitCode | Promise<ExitCode>,
): Promise<ExitCode> {
  return readingRuns(call, async (engine) => {
    const record = engine.read(call.given.arguments[0] ?? '');
    return record.ok ? await work(record.value, engine) : refuse(call, record.error);
  });
}

/** The name of the person who gives an order. */
export function orderer(): string {
  try {
    return userInfo().username;
  } catch {
    return 'cli';
  }
}
