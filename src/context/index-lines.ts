// The index: one line for each step of the nearest phase and one for each older phase, so that every step can be found.
import { counted } from '../base/counted.ts';
import { isJsonArray, isJsonObject, type Json, nameOfKind } from '../base/json.ts';
import type { PacketRequest, PhaseRecord, StepRecord } from './request.ts';

const MOST_NAMES = 8;

/** `bytes` holds the sizes of results by step id. */
export function indexLines({ phases }: PacketRequest, bytes: ReadonlyMap<string, number>): readonly string[] {
  const [nearest, ...older] = phases;
  return [
    ...(nearest?.steps ?? []).map((step) => stepLine(step, bytes.get(step.id))),
    ...older.map((phase) => phaseLine(phase, bytes)),
  ];
}

/** For example `ingest#1 completed files.list 2412 bytes {files list(31), root string}`. */
function stepLine({ id, attempt, status, capability, result, schema }: StepRecord, bytes: number | undefined): string {
  const what = [`${id}#${attempt}`, status, ...(capability === undefined ? [] : [capability])];
  if (bytes === undefined) return what.join(' ');
  const size = [...what, counted(bytes, 'byte')];
  if (result === undefined) return size.join(' ');
  const shape = shapeText(result);
  return [...size, shape, ...(schema === undefined ? ['inferred'] : [])].join(' ');
}

/** For example `phase plan_recon: 7 steps, 12033 bytes`. */
function phaseLine({ id, steps }: PhaseRecord, bytes: ReadonlyMap<string, number>): string {
  const total = steps.reduce((sum, step) => sum + (bytes.get(step.id) ?? 0), 0);
  return `phase ${id}: ${counted(steps.length, 'step')}, ${counted(total, 'byte')}`;
}

/** The names and types of the first level, without data. */
function shapeText(value: Json): string {
  if (!isJsonObject(value)) return typeText(value);
  const fields = Object.entries(value);
  const named = fields.slice(0, MOST_NAMES).map(([name, inside]) => `${name} ${typeText(inside)}`);
  const more = fields.length > MOST_NAMES ? [`${fields.length - MOST_NAMES} more`] : [];
  return `{${[...named, ...more].join(', ')}}`;
}

function typeText(value: Json): string {
  return isJsonArray(value) ? `list(${value.length})` : nameOfKind(value);
}
