// The brief of a planner that reads everything: all earlier steps, with large values kept beside the brief.
import { type Digest, digestOfText } from '../../base/digest.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { below, type KeepText, type Reference, withoutLarge } from '../../base/references.ts';
import type { Receipt } from '../../context/body.ts';
import { fullPacket } from '../../context/full-packet.ts';
import type { StepRecord } from '../../context/request.ts';
import { ELIDED } from '../../context/shrink/elide.ts';
import { holdsSensitive } from '../../contract/sensitive.ts';
import type { RepairBrief } from '../../planning/repair-brief.ts';
import type { PlannerSpec } from '../../template/step-spec.ts';
import { DEFAULT_VISIBILITY, type VisibilityLimits } from '../queries/visible-phases.ts';
import type { Batch } from '../state/batch.ts';
import type { Step } from '../state/state.ts';
import { plannerFor } from './frame-of.ts';
import { type PlanningFacts, packetRequest } from './packet-request.ts';
import { repairBriefOf } from './repair-brief-of.ts';

export interface FullBrief {
  readonly body: JsonObject;
  readonly repair: RepairBrief | undefined;
  readonly references: readonly Reference[];
  readonly receipt: Receipt;
}

/** Most characters of small results in a brief; further small results are kept beside it like large ones. */
const MOST_INLINE = 64_000;
/** Most characters of one value of a repair in a brief. */
const LARGE = 1_024;

/** The keys of a repair whose values repeat results and may be as large. */
const valuesTried: ReadonlySet<string> = new Set(['input', 'output']);

export function fullBrief(batch: Batch, step: Step, told: Omit<PlanningFacts, 'repair'>): FullBrief {
  const keep = keeper(batch);
  const planner = plannerFor(batch.state, step);
  const repair = repairBriefOf(batch, step, Number.POSITIVE_INFINITY);
  const {
    feedback,
    phases,
    named = [],
    ...request
  } = packetRequest(batch, step, { ...told, repair }, visibleTo(planner, repair));
  const inline = inlining(keep);
  const isCapability = planner.kind === 'capability';
  const small = (record: StepRecord): StepRecord => inline(isCapability ? withheld(record) : record);
  const packet = fullPacket({
    ...request,
    phases: phases.map((phase) => ({ ...phase, steps: phase.steps.map(small) })),
    named: named.map(small),
  });
  const said = feedback === undefined ? undefined : withoutLarge(feedback, valuesTried, LARGE, keep);
  const mending = repair === undefined ? undefined : withoutLarge(asJson(repair), valuesTried, LARGE, keep);
  return {
    body: said === undefined ? packet.value : { ...packet.value, feedback: said.value },
    // Still a repair's brief: only values of steps were replaced by references.
    repair: mending && (mending.value as unknown as RepairBrief),
    references: [
      ...below('packet', packet.references),
      ...below('packet', below('feedback', said?.references ?? [])),
      ...below('repair', mending?.references ?? []),
    ],
    receipt: packet.receipt,
  };
}

const UNBOUNDED: VisibilityLimits = { steps: Number.POSITIVE_INFINITY, phases: Number.POSITIVE_INFINITY };

/** A fixed plan reads nothing until it is repaired, so its brief costs the same in a run of any length. */
function visibleTo({ kind }: PlannerSpec, repair: RepairBrief | undefined): VisibilityLimits {
  return kind === 'fixed' && repair === undefined ? DEFAULT_VISIBILITY : UNBOUNDED;
}

function keeper({ blobs }: Batch): KeepText {
  return (text) => {
    const digest: Digest = digestOfText(text);
    blobs.push({ digest, text });
    return digest;
  };
}

/** Withholds results with sensitive parts: a capability that plans may belong to a server. */
function withheld(record: StepRecord): StepRecord {
  const { schema, result, digest: _, bytes: __, ...rest } = record;
  if (schema === undefined || !holdsSensitive(schema)) return record;
  return result === undefined && record.digest === undefined ? record : { ...rest, schema, result: ELIDED };
}

/** The first small results stand in the brief, so that people can read them there. */
function inlining(keep: KeepText): (record: StepRecord) => StepRecord {
  let inline = 0;
  return (record) => {
    const { result, ...rest } = record;
    if (result === undefined || record.digest !== undefined) return record;
    const text = JSON.stringify(result);
    inline += text.length;
    return inline <= MOST_INLINE ? record : { ...rest, digest: keep(text), bytes: text.length };
  };
}

/** A repair's brief holds JSON values only. */
function asJson(repair: RepairBrief): Json {
  return JSON.parse(JSON.stringify(repair)) as Json;
}
