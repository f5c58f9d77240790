// Plays one scenario: runs the template in its own store, answers questions to people, and compares the end with the expectation.
import { dirname, join } from 'node:path';
import type { Issue } from '../../base/issue.ts';
import { defined, isJsonArray, isJsonObject, type Json, ownProperty } from '../../base/json.ts';
import { type OptionTable, refuseOptions } from '../../base/options.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { type LimitedResource, quantity } from '../../budget/amount.ts';
import { shownFigure } from '../../budget/display-figures.ts';
import type { Event } from '../../engine/record/event.schema.ts';
import type { StoredValue } from '../../engine/record/event-parts.schema.ts';
import type { Engine } from '../../runtime/api/engine.ts';
import type { EngineOptions } from '../../runtime/api/engine-options.ts';
import type { RunRecord } from '../../runtime/api/run-record.ts';
import type { RunReport } from '../../runtime/api/run-report.ts';
import { createEngine } from '../../runtime/create-engine.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import { openMemoryJournal } from '../../store/memory-journal.ts';
import { localName } from '../../view/status.ts';
import type { ScenarioFile } from './read-scenarios.ts';
import type { ExpectedOutcome, PersonsAnswer, Scenario } from './scenario.ts';

export interface PlayedScenario {
  readonly name: string;
  /** The run matched the expectation. */
  readonly ok: boolean;
  /** Absent when the run did not start. */
  readonly report?: RunReport;
  readonly differences: readonly Difference[];
  /** The issues of a failed start or a refused answer. */
  readonly issues: readonly Issue[];
}

export interface PlayOptions extends Pick<EngineOptions, 'capabilities' | 'models' | 'surroundings'> {
  /** The base of relative paths; by default the working directory. */
  readonly folder?: string;
}

const PACE = 100;

const optionTable: OptionTable<PlayOptions> = {
  capabilities: 'list',
  models: 'map',
  surroundings: 'map',
  folder: 'text',
};

/** @throws OptionsRefused */
export async function playScenario(
  { file, template }: Pick<ScenarioFile, 'file' | 'template'>,
  scenario: Scenario,
  options: PlayOptions = {},
): Promise<PlayedScenario> {
  refuseOptions('playScenario', options, optionTable);
  const { name, cassette, expect } = scenario;
  const replay = cassette === undefined ? undefined : join(dirname(file), cassette);
  const engine = createEngine({
    ...options,
    journal: openMemoryJournal(),
    ...defined({ clock: replay === undefined ? undefined : hastyClock(PACE) }),
  });
  try {
    const played = await play(engine, template, scenario, replay);
    if (!played.ok) return { name, ok: false, differences: [], issues: played.error };
    const { report, record, unsaid } = played.value;
    const differences = [...missesIn(record), ...compare(expect, report, record), ...unsaid];
    return { name, ok: differences.length === 0, report, differences, issues: [] };
  } finally {
    await engine.close();
  }
}

interface EndedScenario {
  readonly report: RunReport;
  readonly record: RunRecord;
  /** Answers without a question. */
  readonly unsaid: readonly Difference[];
}

async function play(
  engine: Engine,
  template: string,
  { environment, input, budget, raise, answers }: Scenario,
  replay: string | undefined,
): Promise<Result<EndedScenario>> {
  const tape = defined({ replay });
  const loaded = await engine.load(template, { environment });
  if (!loaded.ok) return loaded;
  const started = await engine.start(loaded.value, { input, budget, raise, by: 'scenario', ...tape });
  if (!started.ok) return started;
  const left = new Map(answers.map((each, index) => [index, each]));
  let report = await started.value.done;
  while (report.status === 'waiting') {
    const next = nextAnswer(report, left);
    if (next === undefined) break;
    const { gate, verdict, value, why } = next;
    const said = { ...defined({ value, why }) };
    const order = { type: 'review', gate, verdict, by: 'scenario', ...said } as const;
    const ordered = await engine.order(report.run, order, tape);
    if (!ordered.ok) return ordered;
    if (ordered.value.handle === undefined) break;
    report = await ordered.value.handle.done;
  }
  const record = engine.read(report.run);
  if (!record.ok) return bad(record.error);
  const unsaid = [...left.keys()].map((index) => ({
    path: `answers.${index}`,
    expected: 'a question that it answers',
  }));
  return good({ report, record: record.value, unsaid });
}

/** The first open gate with a scripted answer. */
function nextAnswer(
  { gates = [] }: RunReport,
  left: Map<number, PersonsAnswer>,
): (PersonsAnswer & { readonly gate: string }) | undefined {
  for (const { gate, step, kind } of gates) {
    for (const [index, answer] of left) {
      const isMeant = answer.step === undefined || answer.step === step || answer.step === localName(step);
      if (!isMeant || (answer.kind !== undefined && answer.kind !== kind)) continue;
      left.delete(index);
      return { ...answer, gate };
    }
  }
  return undefined;
}

function compare(expect: ExpectedOutcome, report: RunReport, record: RunRecord): readonly Difference[] {
  const { status, partial, output, results, spent, replans, codes } = expect;
  const seen = new Set(record.events.flatMap(({ event }) => codesOf(event)));
  return [
    ...differencesOf(status, report.status, 'status'),
    ...(status === 'waiting'
      ? []
      : (report.gates ?? []).map(({ step, kind }) => ({ path: 'answers', expected: { step, kind } }))),
    ...(partial === undefined ? [] : differencesOf(partial, report.partial, 'partial')),
    ...(output === undefined ? [] : differencesOf(output, report.output, 'output')),
    ...Object.entries(results).flatMap(([step, each]) =>
      differencesOf(each, resultOf(record, step), `results.${step}`),
    ),
    ...Object.entries(spent).flatMap(([resource, most]) => {
      const found = quantity(report.spent, resource as LimitedResource);
      const expected = shownFigure(resource, most);
      return found <= expected ? [] : [{ path: `spent.${resource}`, expected, found }];
    }),
    ...(replans === undefined ? [] : differencesOf(replans, report.spent.replans ?? 0, 'replans')),
    ...codes.filter((code) => !seen.has(code)).map((code) => ({ path: 'codes', expected: code, found: [...seen] })),
  ];
}

/** The first request without a recording; later differences follow from it. */
function missesIn({ events }: RunRecord): readonly Difference[] {
  const failures = events.flatMap(({ event }) => ('failure' in event && event.failure ? [event.failure] : []));
  const missed = failures.find(({ code }) => code === 'CASSETTE_MISS');
  return missed === undefined ? [] : [{ path: 'cassette', expected: 'what was recorded', found: missed.message }];
}

/** The result of a step by id, or else of the last step of that name. */
function resultOf(record: RunRecord, named: string): Json | undefined {
  const { steps } = record.state;
  const alike = [...steps.values()].filter(({ id }) => localName(id) === named);
  const step = steps.get(named) ?? alike.findLast(({ result }) => result !== undefined);
  return step?.result === undefined ? undefined : kept(record, step.result);
}

function kept(record: RunRecord, result: StoredValue): Json {
  return 'value' in result ? result.value : (JSON.parse(record.blob(result.digest) ?? 'null') as Json);
}

/** The codes of refusals and failures in an event. */
function codesOf(event: Event): readonly string[] {
  switch (event.type) {
    case 'fragment.rejected':
      return event.issues.map(({ code }) => code);
    case 'verification.failed':
      return ['VERIFICATION_FAILED'];
    case 'attempt.failed':
    case 'call.ended':
    case 'step.failed':
    case 'step.skipped':
    case 'run.ended':
      return event.failure === undefined ? [] : [event.failure.code];
    default:
      return [];
  }
}

export interface Difference {
  /** For example `output.winner` or `results.compare.0.price`. */
  readonly path: string;
  readonly expected: Json;
  /** Absent when the value is missing. */
  readonly found?: Json;
}

export function differencesOf(expected: Json, found: Json | undefined, path: string): readonly Difference[] {
  if (isJsonObject(expected) && isJsonObject(found)) {
    return Object.entries(expected).flatMap(([key, each]) =>
      differencesOf(each, ownProperty(found, key), below(path, key)),
    );
  }
  if (isJsonArray(expected) && isJsonArray(found) && expected.length === found.length) {
    return expected.flatMap((each, index) => differencesOf(each, found[index], below(path, String(index))));
  }
  if (isSame(expected, found)) return [];
  return [{ path, expected, ...defined({ found }) }];
}

function below(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** Lists of different lengths are reported as a whole. */
function isSame(expected: Json, found: Json | undefined): boolean {
  return isJsonArray(expected) || isJsonObject(expected) ? false : expected === found;
}

/** For replays: recorded calls answer at once, so only backoffs and cooldowns take time. */
export function hastyClock(pace: number): Clock {
  const began = performance.now();
  const start = Date.now();
  return {
    now: () => Math.floor(start + (performance.now() - began) * pace),
    wake(after, callback) {
      const timer = setTimeout(callback, after / pace);
      return () => clearTimeout(timer);
    },
  };
}
