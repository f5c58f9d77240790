// Finds what a planner asked to see among the results before it: each need, whole or the part that it names.
import type { Json } from '../../base/json.ts';
import { isGranted } from '../../contract/grant.ts';
import type { Need } from '../../template/step-spec.ts';
import type { PacketRequest, StepRecord } from '../request.ts';
import { showable } from '../shrink.ts';
import { type Source, sourceOf } from '../source.ts';
import type { CountTokens } from '../tokens.ts';
import { partsOf, schemaOfPart, valueAt } from './part.ts';

export interface Needed {
  readonly source: Source;
  /** Never shrunk. */
  readonly full: boolean;
  /** All of a result, so that it need not be shown among the results too. */
  readonly all: boolean;
}

/** A need of which nothing can be shown, and why. */
export interface Missing {
  readonly need: string;
  readonly why: string;
}

export interface Found {
  readonly needed: readonly Needed[];
  readonly missing: readonly Missing[];
}

/** `ingest.files`, as a planner writes it. */
export function needText({ step, path }: Need): string {
  return path === undefined ? step : `${step}.${path}`;
}

/** No two are shown under one name: the first to take it has it. */
export function findNeeds(needs: readonly Need[], request: PacketRequest): Found {
  const records = [...request.phases.flatMap(({ steps }) => steps), ...(request.named ?? [])];
  const needed = new Map<string, Needed>();
  const missing: Missing[] = [];
  for (const need of needs) {
    const matching = recordsFor(need, records);
    if (matching.length === 0) missing.push({ need: needText(need), why: 'no step before this one is called that' });
    for (const record of matching) {
      const name = nameFor(need, record, matching.length > 1);
      const source = sourceFor(need, record, name, request.countTokens);
      if (typeof source === 'string') missing.push({ need: name, why: source });
      else if (needed.has(name)) missing.push({ need: name, why: 'another need has that name' });
      else needed.set(name, { source, full: need.full === true, all: need.path === undefined });
    }
  }
  return { needed: [...needed.values()], missing };
}

/** A full id means that step, a name the nearest step of that name, a glob all that match it. */
function recordsFor({ step }: Need, records: readonly StepRecord[]): readonly StepRecord[] {
  if (step.includes('*'))
    return records.filter(({ id, name }) => isGranted(id, [step], []) || isGranted(name, [step], []));
  const found = records.find(({ id }) => id === step) ?? records.find(({ name }) => name === step);
  return found === undefined ? [] : [found];
}

function nameFor({ step, path, as }: Need, { id }: StepRecord, several: boolean): string {
  if (as !== undefined) return several ? `${as}/${id}` : as;
  return needText({ step: step.includes('*') ? id : step, ...(path === undefined ? {} : { path }) });
}

/** Or why there is nothing to show. */
function sourceFor({ path }: Need, record: StepRecord, name: string, countTokens: CountTokens): Source | string {
  const { result, schema } = record;
  if (result === undefined) return 'the step left no value';
  const parts = partsOf(path);
  const value = valueAt(result, parts);
  if (value === undefined) return 'there is nothing at this path of its result';
  const shown = shownAt(record, value, parts);
  if (shown === undefined) return 'it may not be shown';
  const { schema: _, ...rest } = record;
  const declared = schemaOfPart(schema, parts);
  const part = { ...rest, result: value, ...(declared === undefined ? {} : { schema: declared }) };
  return sourceOf(part, shown, { name, section: 'needs', distance: 0 }, countTokens);
}

/** The same value where nothing in it is hidden. */
function shownAt(record: StepRecord, value: Json, path: readonly string[]): Json | undefined {
  const whole = showable(record) ?? null;
  const shown = whole === record.result ? value : valueAt(whole, path);
  return JSON.stringify(shown) === JSON.stringify(value) ? value : shown;
}
