// The body of a packet: the sections in which a planner reads it, whatever was chosen to stand in them.
import type { Json, JsonObject } from '../base/json.ts';
import { type ReceiptItem, receiptItem, receiptLine, type Shown } from './receipt.ts';
import type { PacketRequest, PhaseRecord, StepRecord } from './request.ts';
import { bytesOf } from './tokens.ts';

/** Plain data, immutable; the body is what is stored, read by rule planners and rendered for models. */
export interface Packet {
  readonly body: JsonObject;
  /** One item for each step that left a value. */
  readonly receipt: readonly ReceiptItem[];
  /** Of the body's JSON. */
  readonly tokens: number;
}

/** A step's result, and what is shown of it. */
export interface Choice {
  readonly record: StepRecord;
  readonly shown: Shown;
  /** Absent when it is left out. */
  readonly value?: Json;
}

export function verbatim(request: PacketRequest): Packet {
  const choices = stepsOf(request).flatMap((record): Choice[] =>
    record.result === undefined ? [] : [{ record, shown: 'included', value: record.result }],
  );
  return packetOf(request, choices);
}

/** Nearest first. */
export function stepsOf({ phases }: PacketRequest): readonly StepRecord[] {
  return phases.flatMap(({ steps }) => steps);
}

export function packetOf(request: PacketRequest, choices: readonly Choice[]): Packet {
  const { countTokens } = request;
  const extent = (value: Json | undefined) => {
    const text = value === undefined ? '' : JSON.stringify(value);
    return { bytes: bytesOf(text), tokens: countTokens(text) };
  };
  const receipt = choices.map(({ record, shown, value }) => {
    const before = extent(record.result);
    return receiptItem(record, shown, before, value === record.result ? before : extent(value));
  });
  const body = bodyOf(request, choices, receipt);
  return { body, receipt, tokens: countTokens(JSON.stringify(body)) };
}

function bodyOf(request: PacketRequest, choices: readonly Choice[], receipt: readonly ReceiptItem[]): JsonObject {
  const { problem, feedback, budget, target, phases } = request;
  return {
    problem: { ...problem },
    ...(feedback === undefined ? {} : { feedback }),
    budget,
    target,
    results: Object.fromEntries(
      choices.flatMap(({ record, value }) => (value === undefined ? [] : [[record.id, value] as const])),
    ),
    failures: stepsOf(request).flatMap(failureLine),
    phases: phases.map(phaseLine),
    index: [],
    receipt: receipt.filter(({ shown }) => shown !== 'included').map(receiptLine),
  };
}

function failureLine({ id, failure }: StepRecord): JsonObject[] {
  if (failure === undefined) return [];
  const { code, message, rootCause } = failure;
  return [{ step: id, code, message, ...(rootCause === undefined ? {} : { root: rootCause }) }];
}

function phaseLine({ id, rationale, steps }: PhaseRecord): JsonObject {
  return { id, ...(rationale === undefined ? {} : { rationale }), steps: steps.map((step) => step.id) };
}
