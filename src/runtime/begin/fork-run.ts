// Starts another run with what a run did up to a point, and drives it on from there.
import { defined } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { ForkOptions, ForkPoint, RunHandle } from '../api/engine.ts';
import { driveRun } from '../drive/drive-run.ts';
import { type EngineParts, modelsOutOfReach, registryOf } from '../drive/engine-parts.ts';
import { readRun } from '../journal/read-run.ts';
import { inputOf } from '../load/run-input.ts';
import { openTape } from '../ports/tape.ts';
import { callerOf } from '../trace/host.ts';
import { beginningOf, firstOrders, keepBeginning } from './fork-beginning.ts';
import { missingCapabilities } from './missing-capabilities.ts';
import { newRunId } from './run-id.ts';

export async function forkRun(
  parts: EngineParts,
  named: string,
  point: ForkPoint,
  {
    by = 'api',
    why,
    onEvents,
    onDelta,
    onLogs,
    onChildEvents,
    record,
    replay,
    wait,
    traceparent,
    tracestate,
    ...differences
  }: ForkOptions = {},
): Promise<Result<RunHandle<never>>> {
  const { journal, clock, folder, grants } = parts;
  const read = readRun(journal, named, clock.now());
  if (!read.ok) return read;
  const host = await parts.findHost();
  const at = clock.now();
  const id = newRunId();
  const beginning = beginningOf(read.value, point, differences, {
    id,
    at,
    by,
    why,
    ...callerOf(defined({ traceparent, tracestate }), host),
  });
  if (!beginning.ok) return beginning;
  const { template, state } = beginning.value;
  const granted = grants.get(read.value.state.id) ?? [];
  const registry = await registryOf(parts, template, state.folder, granted);
  if (!registry.ok) return registry;
  grants.set(id, granted);
  const gone = missingCapabilities(registry.value, state);
  if (gone.length > 0) return bad(gone);
  const options = defined({ onEvents, onChildEvents, onDelta, onLogs, record, replay, wait });
  const tape = await openTape(options, template.name, folder);
  if (!tape.ok) return tape;
  const unreachable = modelsOutOfReach(parts, template, tape.value);
  if (unreachable.length > 0) return bad(unreachable);
  const countTokens = await parts.tokenCounter();
  const lease = await keepBeginning(journal, beginning.value, id, at);
  const first = firstOrders(beginning.value, differences, at, by);
  const input = inputOf(state, journal);
  const ready = { lease, host, state, input, registry: registry.value, countTokens, tape: tape.value, first };
  return good(driveRun(parts, ready, options));
}
