// Begins the child run of a step, with a template that the parent's template names and the budget reserved for it.
import { present } from '../../base/fault.ts';
import { defined } from '../../base/json.ts';
import type { Instant } from '../../base/quantity.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { Command } from '../../engine/record/command.ts';
import { childTemplateOf } from '../../engine/state/child-run.ts';
import { newState } from '../../engine/state/state.ts';
import { newHolder } from '../../store/holder.ts';
import type { Journal } from '../../store/journal.ts';
import type { Lease } from '../../store/lease.ts';
import { withinBudget } from '../../template/within-budget.ts';
import type { RunHandle } from '../api/engine.ts';
import { driven } from '../api/run-issues.ts';
import { driveRun } from '../drive/drive-run.ts';
import { type EngineParts, modelsOutOfReach, type ParentRun } from '../drive/engine-parts.ts';
import { LEASE_TIME } from '../drive/launch.ts';
import { registryFor } from '../load/load-file.ts';
import { acceptInput } from '../load/run-input.ts';
import type { ChildCall } from '../ports/work.ts';

export async function beginChild(
  parts: EngineParts,
  { state: parent, tape, onDelta, onLogs, onChildEvents }: ParentRun,
  { capability, input, step, key, traceparent, tracestate, child: { run, limit, wallClock } }: ChildCall,
): Promise<Result<RunHandle>> {
  const { journal, clock, capabilities, servers, learning, grants } = parts;
  const granted = grants.get(parent.id) ?? [];
  const named = present(childTemplateOf(parent, capability), `template of ${capability}`);
  const template = withinBudget(named.template, { limit, wallClock }, named.most);
  const registry = await registryFor(template, parent.folder, [...capabilities, ...granted], servers.pinned);
  if (!registry.ok) return registry;
  const accepted = acceptInput(template, input);
  if (!accepted.ok) return accepted;
  const unreachable = modelsOutOfReach(parts, template, tape);
  if (unreachable.length > 0) return bad(unreachable);
  const at = clock.now();
  const lease = await leaseFor(journal, run, template.name, at);
  if (!lease.ok) return lease;
  const state = newState(template);
  Object.assign(state, { folder: parent.folder, parent: { run: parent.id, step, key } });
  const start: Command = {
    type: 'start-run',
    at,
    run,
    template,
    input: accepted.value,
    folder: parent.folder,
    by: parent.startedBy,
    parent: { run: parent.id, step, key },
    learned: learning.learnedFor(template, tape),
    ...defined({ traceparent, tracestate }),
  };
  grants.set(run, granted);
  const countTokens = await parts.tokenCounter();
  const ready = { state, input: accepted.value, registry: registry.value, countTokens, tape, first: [start] };
  const options = defined({ onDelta, onLogs, onChildEvents, onEvents: onChildEvents });
  const host = await parts.findHost();
  return good(driveRun(parts, { lease: lease.value, ...ready, host }, options));
}

/** Creates the stream of the child run. The stream may exist already if a process ended before it wrote the first event. */
async function leaseFor(journal: Journal, run: string, title: string, at: Instant): Promise<Result<Lease>> {
  if (journal.header(run) === undefined)
    return good(await journal.create({ id: run, title, createdAt: at }, newHolder(), LEASE_TIME));
  const acquired = journal.acquire(run, newHolder(), at, LEASE_TIME);
  return acquired.ok ? acquired : bad([driven(run, acquired.error.holder.pid)]);
}
