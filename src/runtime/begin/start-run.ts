// Loads templates and starts their runs.
import type { Json, JsonObject } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { Command } from '../../engine/record/command.ts';
import { newState } from '../../engine/state/state.ts';
import { newHolder } from '../../store/holder.ts';
import type { Template } from '../../template/template.ts';
import { capabilitiesWith } from '../api/define-template.ts';
import type { LoadOptions, RunHandle, StartOptions } from '../api/engine.ts';
import { driveRun } from '../drive/drive-run.ts';
import { type EngineParts, isAnswered, modelsOutOfReach, registryOf } from '../drive/engine-parts.ts';
import { LEASE_TIME } from '../drive/launch.ts';
import { finishedIn } from '../journal/read-run.ts';
import { loadDocument, loadFile } from '../load/load-file.ts';
import { acceptInput } from '../load/run-input.ts';
import { withoutDifferences } from '../lock/lock-at-load.ts';
import { listedBy } from '../perform/tool-servers.ts';
import { openTape } from '../ports/tape.ts';
import { callerOf } from '../trace/host.ts';
import { chosenTemplate } from './chosen-template.ts';
import { newRunId } from './run-id.ts';

export async function loadTemplate(
  { folder, capabilities: own, models, servers, boundary, surroundings, loaded }: EngineParts,
  source: string | JsonObject,
  { environment, capabilities = [] }: LoadOptions = {},
): Promise<Result<Template>> {
  const brought = typeof source === 'string' ? [] : capabilitiesWith(source);
  const granted = [...new Set([...brought, ...capabilities])].filter((each) => !own.includes(each));
  const settings = {
    own: [...own, ...granted],
    tools: servers.tools,
    listed: listedBy(servers, boundary),
    environment,
    surroundings,
    handedOver: Object.fromEntries(Object.entries(models).map(([name, { profile }]) => [name, profile])),
  };
  const read = await (typeof source === 'string'
    ? loadFile(source, folder, settings)
    : loadDocument(source, folder, settings));
  if (!read.ok) return read;
  const { template, registry } = read.value;
  loaded.set(template, { registry, granted });
  return good(template, read.warnings);
}

/** `source`: a template as `loadTemplate` returned it. */
export async function startRun(
  parts: EngineParts,
  source: Template,
  { input = {}, reuse, given = {}, by = 'api', ...options }: StartOptions = {},
): Promise<Result<RunHandle<never>>> {
  const { folder, journal, clock, learning, grants } = parts;
  const registry = await registryOf(parts, source, folder);
  if (!registry.ok) return registry;
  const narrowed = await chosenTemplate(source, options);
  if (!narrowed.ok) return narrowed;
  const accepted = acceptInput(narrowed.value, input);
  if (!accepted.ok) return accepted;
  const reused = reuse === undefined ? good([]) : finishedIn(journal, reuse);
  if (!reused.ok) return reused;
  const tape = await openTape(options, source.name, folder);
  if (!tape.ok) return tape;
  const template = isAnswered(parts, tape.value) ? withoutDifferences(narrowed.value) : narrowed.value;
  const unreachable = modelsOutOfReach(parts, template, tape.value);
  if (unreachable.length > 0) return bad(unreachable);
  const run = newRunId();
  grants.set(run, parts.loaded.get(source)?.granted ?? []);
  const host = await parts.findHost();
  const at = clock.now();
  const countTokens = await parts.tokenCounter();
  const lease = await journal.create({ id: run, title: source.name, createdAt: at }, newHolder(), LEASE_TIME);
  const value: Json = accepted.value;
  const start: Command = {
    type: 'start-run',
    at,
    run,
    template,
    input: value,
    folder,
    by,
    reuse: reused.value,
    given,
    learned: learning.learnedFor(template, tape.value),
    ...callerOf(options, host),
  };
  const state = newState(template);
  state.folder = folder;
  const ready = {
    lease,
    host,
    state,
    input: value,
    registry: registry.value,
    countTokens,
    tape: tape.value,
    first: [start],
  };
  return good(driveRun(parts, ready, options));
}
