// The body of a packet: the sections in which a planner reads it, whatever was chosen to stand in them.
import type { Json, JsonObject } from '../base/json.ts';
import { indexLines } from './index-lines.ts';
import { type ReceiptItem, receiptItem, receiptLine, type Shown } from './receipt.ts';
import type { PacketRequest, PhaseRecord, StepRecord } from './request.ts';
import type { Source } from './source.ts';
import { bytesOf } from './tokens.ts';

/** Plain data, immutable; the body is what is stored, read by rule planners and rendered for models. */
export interface Packet {
  readonly body: JsonObject;
  /** One item for each step that left a value. */
  readonly receipt: readonly ReceiptItem[];
  /** Of the body's JSON. */
  readonly tokens: number;
}

/** What is shown of a result; no value when it is left out. */
export interface Choice {
  readonly source: Source;
  readonly shown: Shown;
  readonly value?: Json;
}

/** The sections beside the problem, as they are shown. */
export interface Sections {
  readonly choices: readonly Choice[];
  readonly failures: Json;
  readonly phases: Json;
  readonly index: Json;
  /** What was not included. */
  readonly receipt: Json;
}

/** Everything that may be shown, whole. */
export function wholeSections(request: PacketRequest, sources: readonly Source[]): Sections {
  const choices = sources.map((source): Choice => wholeChoice(source));
  return {
    choices,
    failures: failureLines(request),
    phases: phaseLines(request),
    index: indexLines(request, sources),
    receipt: receiptLines(choices),
  };
}

/** A result of which something may never be shown is shrunk, also when all the rest is there. */
export function wholeChoice(source: Source): Choice {
  return { source, shown: source.value === source.record.result ? 'included' : 'shrunk', value: source.value };
}

export function bodyOf(request: PacketRequest, { choices, failures, phases, index, receipt }: Sections): JsonObject {
  const { problem, feedback, budget, target } = request;
  return {
    problem: { ...problem },
    ...(feedback === undefined ? {} : { feedback }),
    budget,
    target,
    results: Object.fromEntries(
      choices.flatMap(({ source, value }) => (value === undefined ? [] : [[source.record.id, value] as const])),
    ),
    failures,
    phases,
    index,
    receipt,
  };
}

export function receiptOf(choices: readonly Choice[], countTokens: (text: string) => number): readonly ReceiptItem[] {
  return choices.map(({ source, shown, value }) => {
    const before = countTokens(source.text);
    if (shown === 'included') {
      const { bytes } = source;
      return receiptItem(source, shown, { before: bytes, after: bytes }, { before, after: before });
    }
    const text = value === undefined ? '' : JSON.stringify(value);
    const bytes = { before: source.bytes, after: bytesOf(text) };
    return receiptItem(source, shown, bytes, { before, after: text === '' ? 0 : countTokens(text) });
  });
}

export function receiptLines(choices: readonly Choice[]): readonly JsonObject[] {
  return choices.filter(({ shown }) => shown !== 'included').map(({ source, shown }) => receiptLine(source, shown));
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
