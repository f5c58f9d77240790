// Finds the result, or the part of a result, that each need of a planner names.
import { defined, type Json } from '../../base/json.ts';
import { isGranted } from '../../contract/grant.ts';
import type { Need } from '../../template/step-spec.ts';
import type { PacketRequest, StepRecord } from '../request.ts';
import { showable } from '../shrink.ts';
import { type ResultSource, sourceOf } from '../source.ts';
import type { CountTokens } from '../tokens.ts';
import { needText } from './need-text.ts';
import { partsOf, schemaOfPart, valueAt } from './result-path.ts';

export interface FoundNeed {
  readonly source: ResultSource;
  /** The need must be shown whole. */
  readonly full: boolean;
  /** The need covers the whole result, which is then left out of `results`. */
  readonly all: boolean;
}

/** A need that cannot be shown, and the reason. */
export interface MissingNeed {
  readonly need: string;
  readonly why: string;
}

export interface NeedMatches {
  readonly needed: readonly FoundNeed[];
  readonly missing: readonly MissingNeed[];
}

/**
 * Applies `look` to each step that a need matches, and collects its answers by name. When `look` answers with a text, the
 * text is the reason for a missing need. The first of two needs with one name wins.
 */
export function lookUpNeeds<Match>(
  needs: readonly Need[],
  records: readonly StepRecord[],
  look: (need: Need, record: StepRecord, name: string) => Match | string,
): { readonly found: readonly (readonly [name: string, Match])[]; readonly missing: readonly MissingNeed[] } {
  const found = new Map<string, Match>();
  const missing: MissingNeed[] = [];
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

/** Reasons for a missing need. */
export const NO_VALUE = 'the step left no value';
export const NO_SUCH_PATH = 'there is nothing at this path of its result';

export function findNeeds(needs: readonly Need[], request: PacketRequest): NeedMatches {
  const { found, missing } = lookUpNeeds(needs, recordsIn(request), (need, record, name): FoundNeed | string => {
    const source = sourceFor(need, record, name, request.countTokens);
    return typeof source === 'string' ? source : { source, full: need.full === true, all: need.path === undefined };
  });
  return { needed: found.map(([, needed]) => needed), missing };
}

/** All steps that a need may name. */
export function recordsIn({ phases, named = [] }: PacketRequest): readonly StepRecord[] {
  return [...phases.flatMap(({ steps }) => steps), ...named];
}

/** A full id matches its step, a name matches the nearest step of that name, a glob matches every fitting step. */
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

/** A text is the reason for a missing need. */
function sourceFor({ path }: Need, record: StepRecord, name: string, countTokens: CountTokens): ResultSource | string {
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

/** Returns `value` itself when no field of it is hidden. */
function shownAt(record: StepRecord, value: Json, path: readonly string[]): Json | undefined {
  const whole = showable(record) ?? null;
  const shown = whole === record.result ? value : valueAt(whole, path);
  return JSON.stringify(shown) === JSON.stringify(value) ? value : shown;
}
