// The body of a packet: the sections in which a planner reads it, whatever was chosen to stand in them.
import type { Json, JsonObject } from '../base/json.ts';
import { type Choice, isPartial, wholeChoice } from './choice.ts';
import { indexLines } from './index-lines.ts';
import { type ReceiptItem, receiptItem, receiptLine } from './receipt.ts';
import type { PacketRequest, PhaseRecord, StepRecord } from './request.ts';
import type { Source } from './source.ts';

/** Plain data, immutable; the body is what is stored, read by rule planners and rendered for models. */
export interface Packet {
  readonly body: JsonObject;
  /** One item for each step that left a value. */
  readonly receipt: readonly ReceiptItem[];
  /** Of the body's JSON. */
  readonly tokens: number;
}

/** The sections beside the problem, as they are shown. */
export interface Sections {
  readonly choices: readonly Choice[];
  readonly failures: readonly Json[];
  readonly phases: readonly Json[];
  readonly index: readonly Json[];
  /** What was not included. */
  readonly receipt: readonly Json[];
}

export const nothingShown: Sections = { choices: [], failures: [], phases: [], index: [], receipt: [] };

/** Everything that may be shown, whole. */
export function wholeSections(request: PacketRequest, sources: readonly Source[]): Sections {
  const choices = sources.map(wholeChoice);
  return {
    choices,
    failures: failureLines(request),
    phases: phaseLines(request),
    index: indexLines(request, sources),
    receipt: choices.filter(isPartial).map(receiptLine),
  };
}

export function packetOf(request: PacketRequest, sections: Sections): Packet {
  const body = bodyOf(request, sections);
  return { body, receipt: sections.choices.map(receiptItem), tokens: request.countTokens(JSON.stringify(body)) };
}

export function bodyOf(request: PacketRequest, { choices, failures, phases, index, receipt }: Sections): JsonObject {
  const { problem, feedback, clarifications = [], budget, target } = request;
  return {
    problem: { ...problem },
    ...(feedback === undefined ? {} : { feedback }),
    ...(clarifications.length === 0 ? {} : { clarifications }),
    budget,
    target,
    results: Object.fromEntries(
      choices.flatMap(({ source, part }) => (part === undefined ? [] : [[source.record.id, part.value] as const])),
    ),
    failures,
    phases,
    index,
    receipt,
  };
}

export function failureLines({ phases }: PacketRequest): readonly JsonObject[] {
  return phases.flatMap(({ steps }) => steps.flatMap(failureLine));
}

function failureLine({ id, failure }: StepRecord): readonly JsonObject[] {
  if (failure === undefined) return [];
  const { code, message, rootCause } = failure;
  return [{ step: id, code, message, ...(rootCause === undefined ? {} : { root: rootCause }) }];
}

export function phaseLines({ phases }: PacketRequest): readonly JsonObject[] {
  return phases.map(phaseLine);
}

function phaseLine({ id, rationale, steps }: PhaseRecord): JsonObject {
  return { id, ...(rationale === undefined ? {} : { rationale }), steps: steps.map((step) => step.id) };
}
