// Begins a run for a step of another: of the template that was loaded with that one's, within what is set aside for it.
import { present } from '../../base/fault.ts';
import type { Issue } from '../../base/issue.ts';
import type { Json } from '../../base/json.ts';
import type { Instant } from '../../base/quantity.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { Registry } from '../../capabilities/registry.ts';
import type { Command } from '../../engine/record/command.ts';
import { childTemplateOf } from '../../engine/state/child-run.ts';
import { newState, type RunState } from '../../engine/state/state.ts';
import type { Learned } from '../../goals/learned.ts';
import { newHolder } from '../../store/holder.ts';
import type { Journal } from '../../store/journal.ts';
import type { Lease } from '../../store/lease.ts';
import type { Template } from '../../template/template.ts';
import { withinBudget } from '../../template/within-budget.ts';
import type { RunHandle } from '../api/engine.ts';
import { driven } from '../api/run-issues.ts';
import { LEASE_TIME } from '../drive/launch.ts';
import { acceptInput } from '../load/run-input.ts';
import type { Clock } from '../ports/clock.ts';
import type { ChildCall } from '../ports/work.ts';

interface Nursery {
  readonly journal: Journal;
  readonly clock: Clock;
  registryOf(template: Template): Promise<Result<Registry>>;
  /** Models that it would ask and that cannot be reached. */
  unasked(template: Template): readonly Issue[];
  learned(template: Template): Learned | undefined;
  drive(lease: Lease, state: RunState, input: Json, registry: Registry, first: Command): Promise<RunHandle>;
}

export async function beginChild(
  { journal, clock, registryOf, unasked, learned, drive }: Nursery,
  parent: RunState,
  { capability, input, step, key, child: { run, limit, wallClock } }: ChildCall,
): Promise<Result<RunHandle>> {
  const found = present(childTemplateOf(parent, capability), `template of ${capability}`);
  const template = withinBudget(found.template, { limit, wallClock }, found.most);
  const registry = await registryOf(template);
  if (!registry.ok) return registry;
  const accepted = acceptInput(template, input);
  if (!accepted.ok) return accepted;
  const lacking = unasked(template);
  if (lacking.length > 0) return bad(lacking);
  const at = clock.now();
  const lease = await leaseFor(journal, run, template.name, at);
  if (!lease.ok) return lease;
  const state = newState(template);
  Object.assign(state, { folder: parent.folder, parent: { run: parent.id, step, key } });
  const first: Command = {
    type: 'start-run',
    at,
    run,
    template,
    input: accepted.value,
    folder: parent.folder,
    by: parent.startedBy,
    parent: { run: parent.id, step, key },
    learned: learned(template),
  };
  return good(await drive(lease.value, state, accepted.value, registry.value, first));
}

/** A process may have made room for a run and ended before its first event. */
async function leaseFor(journal: Journal, run: string, title: string, at: Instant): Promise<Result<Lease>> {
  if (journal.header(run) === undefined)
    return good(await journal.create({ id: run, title, createdAt: at }, newHolder(), LEASE_TIME));
  const acquired = journal.acquire(run, newHolder(), at, LEASE_TIME);
  return acquired.ok ? good(acquired.lease) : bad([driven(run, acquired.holder.pid)]);
}
