// The packet of a planner that reads everything: no result is shrunk or left out, and large results are references.
import type { Json, JsonObject } from '../base/json.ts';
import { below, placeholder, type Reference, type ReferencedValue } from '../base/references.ts';
import { bodyWith, failureLines, phaseLines, type Receipt, retriedLines } from './body.ts';
import { indexLines } from './index-lines.ts';
import { lookUpNeeds, NO_SUCH_PATH, NO_VALUE, recordsIn } from './needs/look-up.ts';
import { partsOf, valueAt } from './needs/result-path.ts';
import { missingLine } from './receipt.ts';
import type { PacketRequest, StepRecord } from './request.ts';

export interface FullPacket extends ReferencedValue<JsonObject> {
  readonly receipt: Receipt;
}

/** A record with a `digest` becomes a reference, even when its result is loaded. The same request always gives the same packet. */
export function fullPacket(request: PacketRequest): FullPacket {
  const records = request.phases.flatMap(({ steps }) => steps);
  const results = sectionOf(
    records.flatMap((record) => {
      const part = partOf(record, []);
      return typeof part === 'string' ? [] : [[record.id, part] as const];
    }),
  );
  const wanted = [...(request.asked ?? []), ...(request.needs ?? [])];
  const { found, missing } = lookUpNeeds(wanted, recordsIn(request), ({ path }, record) =>
    partOf(record, partsOf(path)),
  );
  const needs = sectionOf(found);
  const bytes = new Map(records.flatMap(({ id, result, bytes }) => sizeIn(id, result, bytes)));
  const value = bodyWith(request, {
    results: results.value,
    ...(wanted.length === 0 ? {} : { needs: needs.value }),
    failures: failureLines(request),
    retried: retriedLines(request),
    phases: phaseLines(request),
    index: indexLines(request, bytes),
    receipt: missing.map(missingLine),
  });
  return {
    value,
    references: [...below('results', results.references), ...below('needs', needs.references)],
    receipt: {
      items: [],
      missing,
      full: { results: bytes.size, bytes: [...bytes.values()].reduce((sum, each) => sum + each, 0) },
    },
  };
}

/** A result or a part of it, as the packet holds it. */
interface PacketPart {
  readonly value: Json;
  readonly reference?: Omit<Reference, 'at'>;
}

/** A text is the reason for a missing part. The path into a referenced result is only checked when the result is read. */
function partOf({ id, attempt, digest, bytes = 0, result }: StepRecord, path: readonly string[]): PacketPart | string {
  if (digest !== undefined) {
    const reference = { digest, bytes, ...(path.length === 0 ? {} : { path }) };
    return { value: placeholder(bytes, `${id}#${attempt}`), reference };
  }
  if (result === undefined) return NO_VALUE;
  const value = valueAt(result, path);
  return value === undefined ? NO_SUCH_PATH : { value };
}

function sectionOf(parts: readonly (readonly [string, PacketPart])[]): ReferencedValue<JsonObject> {
  return {
    value: Object.fromEntries(parts.map(([name, { value }]) => [name, value])),
    references: parts.flatMap(([name, { reference }]) =>
      reference === undefined ? [] : [{ at: [name], ...reference }],
    ),
  };
}

function sizeIn(
  id: string,
  result: Json | undefined,
  bytes: number | undefined,
): readonly (readonly [string, number])[] {
  if (bytes !== undefined) return [[id, bytes]];
  return result === undefined ? [] : [[id, JSON.stringify(result).length]];
}
