// Finds what a planner asked to see among the results before it: each need, whole or the part that it names.
import { defined, type Json } from '../../base/json.ts';
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

/**
 * What `look` finds of each step that a need means, under the name that the need is shown by; a text of it says why there is
 * nothing. No two have one name: the first to take it has it.
 */
export function lookedUp<Found>(
  needs: readonly Need[],
  records: readonly StepRecord[],
  look: (need: Need, record: StepRecord, name: string) => Found | string,
): { readonly found: readonly (readonly [name: string, Found])[]; readonly missing: readonly Missing[] } {
  const found = new Map<string, Found>();
  const missing: Missing[] = [];
  for (const need of needs) {
    const matching = recordsFor(need, records);
    if (matching.length === 0) missing.push({ need: needText(need), why: 'no step before this one is called that' });
    for (const record of matching) {
      const name = nameFor(need, record, matching.length > 1);
      const seen = look(need, record, name);
      if (typeof seen === 'string') missing.push({ need: name, why: seen });
      else if (found.has(name)) missing.push({ need: name, why: 'another need has that name' });
      else found.set(name, seen);
    }
  }
  return { found: [...found], missing };
}

/** Why a need shows nothing. */
export const NO_VALUE = 'the step left no value';
export const NO_SUCH_PATH = 'there is nothing at this path of its result';

export function findNeeds(needs: readonly Need[], request: PacketRequest): Found {
  const { found, missing } = lookedUp(needs, recordsIn(request), (need, record, name): Needed | string => {
    const source = sourceFor(need, record, name, request.countTokens);
    return typeof source === 'string' ? source : { source, full: need.full === true, all: need.path === undefined };
  });
  return { needed: found.map(([, needed]) => needed), missing };
}

/** All that needs may mean. */
export function recordsIn({ phases, named = [] }: PacketRequest): readonly StepRecord[] {
  return [...phases.flatMap(({ steps }) => steps), ...named];
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
  return needText({ step: step.includes('*') ? id : step, ...defined({ path }) });
}

/** Or why there is nothing to show. */
function sourceFor({ path }: Need, record: StepRecord, name: string, countTokens: CountTokens): Source | string {
  const { result, schema } = record;
  if (result === undefined) return NO_VALUE;
  const parts = partsOf(path);
  const value = valueAt(result, parts);
  if (value === undefined) return NO_SUCH_PATH;
  const shown = shownAt(record, value, parts);
  if (shown === undefined) return 'it may not be shown';
  const { schema: _, ...rest } = record;
  const declared = schemaOfPart(schema, parts);
  const part = { ...rest, result: value, ...defined({ schema: declared }) };
  return sourceOf(part, shown, { name, section: 'needs', distance: 0 }, countTokens);
}

/** The same value where nothing in it is hidden. */
function shownAt(record: StepRecord, value: Json, path: readonly string[]): Json | undefined {
  const whole = showable(record) ?? null;
  const shown = whole === record.result ? value : valueAt(whole, path);
  return JSON.stringify(shown) === JSON.stringify(value) ? value : shown;
}
