// The body of a packet: the sections that a planner reads, in the same order for every strategy.
import { defined, type Json, type JsonObject } from '../base/json.ts';
import type { Needs } from './needs/needs.ts';
import { missingLine, type ReceiptItem, receiptItem } from './receipt.ts';
import type { PacketRequest, PhaseRecord, StepRecord } from './request.ts';
import type { Choice } from './shelf/choice.ts';

/** Plain data, immutable; the body is what is stored, read by rule planners and rendered for models. */
export interface Packet {
  readonly body: JsonObject;
  /** One item for each step that left a value, and for each need. */
  readonly receipt: Receipt;
  /** The tokens of the body's JSON. */
  readonly tokens: number;
}

export interface Receipt {
  readonly items: readonly ReceiptItem[];
  /** Needs without any part that could be shown. */
  readonly missing: Needs['missing'];
  /** Only for a planner that reads everything: the number of results it may read, and the bytes of their JSON. */
  readonly full?: { readonly results: number; readonly bytes: number };
  /** The size of a model's summary, or the reason why it is missing; absent when the strategy asks for none. */
  readonly summary?: { readonly tokens: number } | { readonly tokens?: undefined; readonly why: string };
}

/** The sections of a packet apart from the problem, as the planner sees them. */
export interface Sections {
  readonly choices: readonly Choice[];
  readonly failures: readonly Json[];
  /** Failed attempts that were retried. */
  readonly retried: readonly Json[];
  readonly phases: readonly Json[];
  readonly index: readonly Json[];
  /** A line for each result that is shrunk or left out. */
  readonly receipt: readonly Json[];
}

export const nothingShown: Sections = { choices: [], failures: [], retried: [], phases: [], index: [], receipt: [] };

export function packetOf(request: PacketRequest, needs: Needs, sections: Sections): Packet {
  const body = bodyOf(request, needs, sections);
  return {
    body,
    receipt: { items: sections.choices.map(receiptItem), missing: needs.missing },
    tokens: request.countTokens(JSON.stringify(body)),
  };
}

export function bodyOf(request: PacketRequest, needs: Needs, sections: Sections): JsonObject {
  const { choices, receipt, ...lines } = sections;
  return bodyWith(request, {
    results: shownIn('results', choices),
    ...(needs.any ? { needs: shownIn('needs', choices) } : {}),
    ...lines,
    receipt: [...needs.missing.map(missingLine), ...receipt],
  });
}

/** The same sections, with results and needs as objects keyed by name. */
interface ShownSections extends Omit<Sections, 'choices'> {
  readonly results: JsonObject;
  readonly needs?: JsonObject;
}

export function bodyWith(request: PacketRequest, sections: ShownSections): JsonObject {
  const { problem, feedback, clarifications = [], budget, target, summary, phases } = request;
  const { results, needs, failures, retried, ...rest } = sections;
  const hasRetried = phases.some(({ steps }) => steps.some(({ tries = [] }) => tries.length > 0));
  return {
    problem: { ...problem },
    ...defined({ feedback }),
    ...(clarifications.length === 0 ? {} : { clarifications }),
    budget,
    target,
    ...defined({ summary: summary?.text === undefined ? undefined : summary.text }),
    results,
    ...defined({ needs }),
    failures,
    ...(hasRetried ? { retried } : {}),
    ...rest,
  };
}

/** The shown parts of one section, by name. */
export function shownIn(section: Choice['source']['section'], choices: readonly Choice[]): JsonObject {
  return Object.fromEntries(
    choices.flatMap(({ source, part }) =>
      part === undefined || source.section !== section ? [] : [[source.name, part.value] as const],
    ),
  );
}

export function failureLines({ phases }: PacketRequest): readonly JsonObject[] {
  return phases.flatMap(({ steps }) => steps.flatMap(failureLine));
}

function failureLine({ id, failure }: StepRecord): readonly JsonObject[] {
  if (failure === undefined) return [];
  const { code, message, rootCause } = failure;
  return [{ step: id, code, message, ...defined({ root: rootCause }) }];
}

/** One line per step and distinct failure of its earlier attempts, with the status in which the step ended. */
export function retriedLines({ phases }: PacketRequest): readonly JsonObject[] {
  return phases.flatMap(({ steps }) => steps.flatMap(triesOf));
}

function triesOf({ id, status, failure, tries = [] }: StepRecord): readonly JsonObject[] {
  const lines = new Map<string, { step: string; code: string; message: string; attempts: number[]; ended: string }>();
  for (const { attempt, code, message } of tries) {
    if (code === failure?.code && message === failure.message) continue;
    const key = JSON.stringify([code, message]);
    const line = lines.get(key) ?? { step: id, code, message, attempts: [], ended: status };
    line.attempts.push(attempt);
    lines.set(key, line);
  }
  return [...lines.values()];
}

export function phaseLines({ phases }: PacketRequest): readonly JsonObject[] {
  return phases.map(phaseLine);
}

function phaseLine({ id, rationale, steps }: PhaseRecord): JsonObject {
  return { id, ...defined({ rationale }), steps: steps.map((step) => step.id) };
}
