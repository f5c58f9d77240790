// PERF10: runs fifty phases, each planned from earlier results, and checks that the packets hold the facts that planners need.

import { present } from '../../src/base/fault.ts';
import { isJsonObject, type Json } from '../../src/base/json.ts';
import { good } from '../../src/base/result.ts';
import { estimateTokens } from '../../src/context/tokens.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { Work } from '../../src/runtime/ports/work.ts';
import type { Need } from '../../src/template/step-spec.ts';
import { World } from '../../src/testing/world.ts';
import { type StepSketch, type TemplateSketch, templateOf } from '../../test/engine/template-of.ts';
import { printTable } from '../table.ts';

const PHASES = 50;
/** Tokens of a packet, without rows that a planner asks for. */
const ALLOWANCE = 2_900;
const TRIMMED = 8_000;
/** The number of rows that a planner asks for before it plans. */
const ASKS_EVERY = 5;

/** The results of one phase: a listing with one relevant row, figures, a report and a state. */
function findings(phase: number): Readonly<Record<string, Json>> {
  const odd = (phase * 13) % 70;
  const rows = Array.from({ length: 70 }, (_, at) => ({
    id: `r${phase}-${at}`,
    kind: at === odd ? 'mismatch' : at % 3 === 0 ? 'refund' : 'payment',
    cents: at === odd ? 900_000 + phase : 1_000 + ((at * 37 + phase) % 500),
    note: `row ${at} of batch ${phase}, taken from the ledger as it stood`,
  }));
  const steps = 'The batch was read, compared with the ledger and booked without anything to remark on. ';
  return {
    list: { rows, source: `batch-${phase}.csv` },
    measure: { batch: phase, total_cents: 7_000_000 + phase, matched: 69, unmatched: 1, ratio: 0.98 },
    report: { text: `Batch ${phase} holds one mismatch. ${steps.repeat(18)}Ask the bank about case ${4_000 + phase}.` },
    state: `booked up to ${phase}`,
  };
}

const reasonOf = (phase: number): string => `batch ${phase} comes next, because ${phase * 7} entries were left open`;

/** The facts that the planner of a phase needs, in the words of its packet; with `asks`, those that it asks for. */
function facts(phase: number, asks: boolean): readonly string[] {
  const before = findings(phase - 1);
  const last = phase - 1;
  const known = [
    'tenant":"north"',
    `"total_cents":${7_000_000 + last}`,
    '"unmatched":1',
    `booked up to ${last}`,
    `batch-${last}.csv`,
    '"$count":70',
    '"mismatch":1',
    `r${last}-${(last * 13) % 70}`,
    String(900_000 + last),
    `Batch ${last} holds one mismatch.`,
    `case ${4_000 + last}`,
    reasonOf(last),
    ...(phase > 2 ? [reasonOf(phase - 2)] : []),
    ...(phase > 10 ? [`${7_000_000 + phase - 10}`] : []),
  ];
  return asks
    ? [...known, JSON.stringify(isJsonObject(before.list) && (before.list.rows as readonly Json[])[33])]
    : known;
}

/** The needs that the planning step of a phase declares; with `all`, they include the phase before. */
function needsOf(phase: number, all: boolean): readonly Need[] {
  const before = all ? [{ step: `p${phase - 1}.1/*` }] : [];
  const far = phase > 10 ? [{ step: `p${phase - 10}.1/measure`, path: 'total_cents' }] : [];
  return [{ step: 'ingest', path: 'tenant' }, ...far, ...before];
}

function asksAt(phase: number): boolean {
  return phase % ASKS_EVERY === 0;
}

function run(context: NonNullable<TemplateSketch['context']>): World {
  const planners = Array.from({ length: PHASES + 1 }, (_, phase): StepSketch => {
    const target = phase === PHASES ? 'end' : `p${phase + 1}`;
    const after = phase === 0 ? ['ingest'] : [`p${phase - 1}`];
    return {
      name: `p${phase}`,
      after,
      context,
      planning: { target, needs: phase === 0 ? [] : needsOf(phase, context.strategy === 'selective') },
    };
  });
  const steps: readonly StepSketch[] = [
    { name: 'ingest' },
    ...planners,
    { name: 'end', type: 'deferred', after: [`p${PHASES}`] },
  ];
  const perform = (work: Work): EffectOutcome => {
    const phase = Number(/^p(\d+)/.exec(work.step)?.[1] ?? 0);
    if (work.type !== 'ask-planner') {
      const value =
        work.step === 'ingest'
          ? { tenant: 'north', batches: PHASES }
          : findings(phase)[present(work.step.split('/')[1], 'name')];
      return good(value ?? null);
    }
    if (phase > 0 && asksAt(phase) && work.attempt === 1) {
      return good({ needs: [{ step: `p${phase - 1}.1/list`, path: 'rows.33' }] });
    }
    const found = Object.keys(findings(phase)).map((name) => ({ name, capability: 'work', input: {} }));
    return good({ rationale: reasonOf(phase), steps: found });
  };
  const budget = { limit: { steps: 1_000, phases: 100 }, wallClock: 3_600_000_000 };
  return new World(templateOf({ steps, budget }), { perform }).begin().run();
}

interface Seen {
  readonly phase: number;
  readonly packet: string;
}

/** The last packet of each planner. */
function packetsOf(world: World): readonly Seen[] {
  const seen = new Map<number, string>();
  for (const event of world.events) {
    if (event.type !== 'plan.requested') continue;
    const brief = world.blobs.get(event.brief);
    seen.set(Number(event.step.slice(1)), JSON.stringify(isJsonObject(brief) ? brief.packet : null));
  }
  return [...seen].map(([phase, packet]) => ({ phase, packet })).filter(({ phase }) => phase > 0);
}

/** All findings in order, as one growing text. */
function propagated(phase: number): string {
  const parts = Array.from({ length: phase }, (_, at) =>
    JSON.stringify({ phase: at, why: reasonOf(at), ...findings(at) }),
  );
  return [JSON.stringify({ tenant: 'north' }), ...parts].join('\n');
}

/** The last part that fits. */
function trimmed(text: string): string {
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (estimateTokens(text.slice(middle)) <= TRIMMED) high = middle;
    else low = middle + 1;
  }
  return text.slice(low);
}

function shareKept(seen: readonly Seen[], asks: boolean): number {
  const told = seen.flatMap(({ phase, packet }) =>
    facts(phase, asks && asksAt(phase)).map((fact) => isTold(packet, fact, phase)),
  );
  return told.filter(Boolean).length / told.length;
}

/** A complete list counts as its summary. */
function isTold(text: string, fact: string, phase: number): boolean {
  const isWhole =
    ['"$count":70', '"mismatch":1'].includes(fact) &&
    text.includes(`r${phase - 1}-0"`) &&
    text.includes(`r${phase - 1}-69"`);
  return isWhole || text.includes(fact);
}

function row(name: string, seen: readonly Seen[], asks: boolean): readonly (string | number)[] {
  const tokensAt = (wanted: number) => estimateTokens(seen.find(({ phase }) => phase === wanted)?.packet ?? '');
  const [ten, fifty] = [tokensAt(10), tokensAt(PHASES)];
  return [name, ten, fifty, (fifty / ten).toFixed(2), `${(100 * shareKept(seen, asks)).toFixed(1)} %`];
}

const everything = Array.from({ length: PHASES }, (_, at) => ({ phase: at + 1, packet: propagated(at + 1) }));
const rows = (['contract', 'hierarchical', 'selective'] as const).map((strategy) =>
  row(`${strategy}, max_tokens ${ALLOWANCE}`, packetsOf(run({ strategy, maxTokens: ALLOWANCE })), true),
);
printTable(
  `PERF10: what the planner of phase 10 and of phase ${PHASES} is shown, and the facts it needs that are there`,
  ['way', 'tokens at 10', `tokens at ${PHASES}`, 'ratio', 'facts'],
  [
    ...rows,
    row('everything, one blob', everything, false),
    row(
      `the same, its last ${TRIMMED} tokens`,
      everything.map(({ phase, packet }) => ({ phase, packet: trimmed(packet) })),
      false,
    ),
  ],
);
