// Takes up a run that no process drives: checks that it can go on, acquires its lease, and drives it.
import type { Issue } from '../../base/issue.ts';
import { defined } from '../../base/json.ts';
import type { Instant } from '../../base/quantity.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { createRegistry, type Registry } from '../../capabilities/registry.ts';
import type { Command } from '../../engine/record/command.ts';
import { childUnderWay, stepsWithChild } from '../../engine/state/child-run.ts';
import { leadOver } from '../../engine/state/run-time.ts';
import type { RunState } from '../../engine/state/state.ts';
import { newHolder } from '../../store/holder.ts';
import type { Journal } from '../../store/journal.ts';
import type { DriveOptions, RunHandle } from '../api/engine.ts';
import { driven, ended } from '../api/run-issues.ts';
import { stirringIn } from '../drive/child-runs.ts';
import { driveRun } from '../drive/drive-run.ts';
import { type EngineParts, type HowToTakeUp, modelsStillOutOfReach, registryOf } from '../drive/engine-parts.ts';
import { LEASE_TIME } from '../drive/launch.ts';
import { findRun } from '../journal/read-run.ts';
import { type StateReader, stateReader } from '../journal/state-reader.ts';
import { inputOf } from '../load/run-input.ts';
import { openTape } from '../ports/tape.ts';
import { callerOf } from '../trace/host.ts';
import { missingCapabilities } from './missing-capabilities.ts';

/** Issues: RUN_UNKNOWN, RUN_ENDED, RUN_DRIVEN, CAPABILITY_GONE, and those of models and cassettes. */
export async function takeUp(
  parts: EngineParts,
  named: string,
  { by = 'api', ...options }: DriveOptions,
  how: HowToTakeUp,
): Promise<Result<RunHandle<never>>> {
  const { journal, clock, folder } = parts;
  const { isEnding = false, onTaken } = how;
  const found = findRun(journal, named);
  if (!found.ok) return found;
  const { states = stateReader(journal) } = how;
  const read = states(found.value);
  if (!read.ok) return read;
  const state = read.value;
  if (state.status === 'ended') return bad([ended(state)]);
  const registry = isEnding ? createRegistry([]) : await registryToGoOn(parts, state, states);
  if (!registry.ok) return registry;
  const tape = how.tape === undefined ? await openTape(options, state.template.name, folder) : good(how.tape);
  if (!tape.ok) return tape;
  const unreachable = isEnding ? [] : await modelsStillOutOfReach(parts, state, tape.value);
  if (unreachable.length > 0) return bad(unreachable);
  const countTokens = await parts.tokenCounter();
  const acquired = journal.acquire(state.id, newHolder(), clock.now(), LEASE_TIME);
  if (!acquired.ok) return bad([driven(state.id, acquired.error.holder.pid)]);
  const lease = acquired.value;
  // The last driver may have written more before it let go of the lease.
  const latest = states(state.id);
  if (!latest.ok) return latest;
  onTaken?.();
  const input = inputOf(latest.value, journal);
  const host = await parts.findHost();
  const { traceparent } = state.parent === undefined ? callerOf(options, host) : {};
  const first = firstCommands(journal, latest.value, clock.now(), { by, traceparent }, how);
  const ready = {
    lease,
    host,
    state: latest.value,
    input,
    registry: registry.value,
    countTokens,
    tape: tape.value,
    first,
  };
  return good(driveRun(parts, ready, options));
}

/** The run handles gates and accounts that expired meanwhile before any order. */
function firstCommands(
  journal: Journal,
  state: RunState,
  now: Instant,
  about: { readonly by: string; readonly traceparent: string | undefined },
  { isEnding = false, isResumed = false }: HowToTakeUp,
): readonly Command[] {
  const lead = leadOver(state, now);
  const at = now + lead;
  const stirring = isEnding ? [] : stirringIn(journal, state);
  const { by, traceparent } = about;
  return [
    { type: 'attach', at, by, lead, ...defined({ traceparent }) },
    { type: 'expire', at },
    ...(isResumed ? [{ type: 'resume', at, by } as const] : []),
    ...stirring.map((step) => ({ type: 'wake', step, at }) as const),
  ];
}

/** The run's registry, if it and the registries of unfinished child runs have every capability that they need. */
async function registryToGoOn(parts: EngineParts, state: RunState, states: StateReader): Promise<Result<Registry>> {
  const registry = await registryFor(parts, state);
  if (!registry.ok) return registry;
  const missing = await missingInChildren(parts, state, states);
  return missing.length > 0 ? bad(missing) : registry;
}

async function registryFor(parts: EngineParts, state: RunState): Promise<Result<Registry>> {
  const registry = await registryOf(parts, state.template, state.folder, parts.grants.get(state.id));
  if (!registry.ok) return registry;
  const gone = missingCapabilities(registry.value, state);
  return gone.length > 0 ? bad(gone) : registry;
}

async function missingInChildren(parts: EngineParts, state: RunState, states: StateReader): Promise<readonly Issue[]> {
  const children = stepsWithChild(state).flatMap((step) => childUnderWay(state, step) ?? []);
  const found = children.map(async (child): Promise<readonly Issue[]> => {
    const read = states(child);
    if (!read.ok || read.value.status === 'ended') return [];
    const registry = await registryFor(parts, read.value);
    return [...(registry.ok ? [] : registry.error), ...(await missingInChildren(parts, read.value, states))];
  });
  return (await Promise.all(found)).flat();
}
