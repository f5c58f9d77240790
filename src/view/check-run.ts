// Checks a journal: two folds are equal, its values exist, and its invariants hold.
import { type Digest, digestOf } from '../base/digest.ts';
import { isJsonObject, type Json } from '../base/json.ts';
import { snapshotText } from '../engine/codec/snapshot-codec.ts';
import type { Recorded } from '../engine/record/event.schema.ts';
import { batchEnds } from '../engine/state/batch-ends.ts';
import { evolve } from '../engine/state/evolve.ts';
import { fold } from '../engine/state/fold.ts';
import { invariants } from '../engine/state/invariants.ts';
import type { RunView } from '../engine/state/run-view.ts';
import { newState } from '../engine/state/state.ts';
import type { Template } from '../template/template.ts';
import { summaryOf } from './summary.ts';

interface RunCheck {
  /** The number of batches after which the invariants were checked. */
  readonly checked: number;
  /** The number of values kept beside the events. */
  readonly values: number;
  readonly broken: readonly string[];
}

/** Checks of a long run are spread evenly, because each takes time in proportion to the run. */
const MOST_CHECKS = 250;

export function checkRun(
  template: Template,
  events: readonly Recorded[],
  isThere: (digest: Digest) => boolean,
  snapshot?: { readonly version: number; readonly text: string },
): RunCheck {
  const digests = new Set(events.flatMap(({ event }) => digestsIn(event as unknown as Json)));
  const missing = [...digests].filter((digest) => !isThere(digest));
  const { state, checked, broken } = foldChecked(template, events);
  const again = fold(template, events);
  return {
    checked,
    values: digests.size,
    broken: [
      ...gapsIn(events),
      ...missing.map((digest) => `the value ${digest} is not in the store`),
      ...broken,
      ...(standing(state) === standing(again) ? [] : ['two folds of the events differ']),
      ...(snapshot === undefined || isFoldOf(template, events, snapshot)
        ? []
        : [
            `the snapshot after event ${snapshot.version} differs from the fold of its events: continue with a fork, which folds them`,
          ]),
    ],
  };
}

function isFoldOf(
  template: Template,
  events: readonly Recorded[],
  { version, text }: { readonly version: number; readonly text: string },
): boolean {
  const folded = snapshotText(fold(template, events.slice(0, version)));
  return digestOf(JSON.parse(folded)) === digestOf(JSON.parse(text));
}

function gapsIn(events: readonly Recorded[]): readonly string[] {
  return events.flatMap(({ version, cause }, place) => [
    ...(version === place + 1 ? [] : [`event ${place + 1} has the version ${version}`]),
    ...(cause < version ? [] : [`event ${version} is caused by ${cause}`]),
  ]);
}

function foldChecked(template: Template, events: readonly Recorded[]) {
  const state = newState(template);
  const broken: string[] = [];
  const ends = batchEnds(events);
  const every = Math.ceil(ends.length / MOST_CHECKS);
  const checkpoints = new Set(ends.filter((_, place) => (ends.length - 1 - place) % every === 0));
  for (const recorded of events) {
    evolve(state, recorded);
    state.consequences.length = 0;
    if (!checkpoints.has(recorded.version)) continue;
    const found = invariants.flatMap((holds) => holds(state));
    broken.push(...found.map((text) => `after event ${recorded.version}: ${text}`));
  }
  return { state, checked: checkpoints.size, broken };
}

/** The run as people see it, with the result of every step. */
function standing(state: RunView): string {
  const steps = [...state.steps.values()].map(({ id, status, attempt, result }) => ({ id, status, attempt, result }));
  return digestOf(JSON.parse(JSON.stringify({ summary: summaryOf(state), steps })));
}

/** The digests of values kept in blobs: `{ digest, bytes }`. */
function digestsIn(value: Json): readonly Digest[] {
  if (Array.isArray(value)) return value.flatMap((each: Json) => digestsIn(each));
  if (!isJsonObject(value)) return [];
  const { digest, bytes } = value;
  if (typeof digest === 'string' && typeof bytes === 'number' && Object.keys(value).length === 2) return [digest];
  return Object.values(value).flatMap(digestsIn);
}
