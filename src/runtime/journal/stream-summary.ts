// The summary of a run that is kept in the header of its stream, so that a list of runs reads no events.
import { defined, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import type { Duration, Instant } from '../../base/quantity.ts';
import { type Amount, type Limit, quantity } from '../../budget/amount.ts';
import { secondsOf, shownFigures } from '../../budget/display-figures.ts';
import { stepsWithChild } from '../../engine/state/child-run.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import { elapsedOf, RUN_ACCOUNT } from '../../engine/state/state.ts';
import { isWaiting } from '../../engine/state/waiting.ts';
import { openGatesOf } from '../../view/open-gates.ts';
import type { FirstQuestion, RunSummary } from '../../view/runs/run-summary.ts';

/** Keys after `children` are absent from summaries of earlier versions. */
interface StreamSummary {
  readonly spent: Readonly<Record<string, number>>;
  readonly limit: Readonly<Record<string, number>>;
  readonly partial: boolean;
  /** The number of open gates. */
  readonly gates: number;
  /** The parent run. */
  readonly parent?: string;
  /** The child runs that have not ended. */
  readonly children?: readonly string[];
  readonly parentStep?: string;
  readonly forked?: RunSummary['forked'];
  readonly question?: FirstQuestion;
  readonly steps: RunSummary['steps'] & object;
  readonly failed: number;
  readonly failure?: RunSummary['failure'];
  readonly elapsed: Duration;
  readonly updatedAt: Instant;
  readonly endedAt?: Instant;
}

const shown = ['steps', 'phases', 'cost_usd'] as const;

/** Longer prompts and messages are cut: the header is written with each commit. */
const LONGEST_TEXT = 160;

export function streamStatus(state: RunView): string {
  return state.ended?.status ?? (isWaiting(state) ? 'waiting' : state.status);
}

export function streamSummary(state: RunView): string {
  const { tally, parent, forked, ended } = state;
  const account = state.ledger.accounts.get(RUN_ACCOUNT);
  const spent: Amount = account?.spent ?? {};
  const limit: Limit = account?.limit ?? {};
  const children = stepsWithChild(state).flatMap(({ child }) => child ?? []);
  const summary: StreamSummary = {
    spent: Object.fromEntries(shown.map((of) => [of, quantity(spent, of)])),
    limit: Object.fromEntries(shown.flatMap((of) => (limit[of] === undefined ? [] : [[of, limit[of]] as const]))),
    partial: state.partial,
    gates: state.openGates.size,
    ...(children.length === 0 ? {} : { children }),
    ...defined({
      parent: parent?.run,
      parentStep: parent?.step,
      forked,
      question: questionOf(state),
      failure: ended?.failure && { code: ended.failure.code, message: cut(ended.failure.message) },
      endedAt: ended === undefined ? undefined : state.at,
    }),
    steps: Object.fromEntries(Object.entries(tally).filter(([, count]) => count > 0)),
    failed: tally.failed + tally.aborted,
    elapsed: elapsedOf(state),
    updatedAt: state.at,
  };
  return JSON.stringify(summary);
}

function questionOf(state: RunView): FirstQuestion | undefined {
  const [oldest] = state.openGates;
  if (oldest === undefined) return undefined;
  const [first] = openGatesOf({ ...state, openGates: new Set([oldest]) });
  return first && { gate: first.gate, kind: first.kind, step: first.step, prompt: cut(first.prompt) };
}

function cut(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text;
}

/** True for a summary of an earlier version, and for one of a run that was never started. */
export function isIncomplete(summary: Json): boolean {
  return ownProperty(summary, 'steps') === undefined;
}

type KeptKeys = Exclude<keyof RunSummary, 'id' | 'template' | 'status' | 'createdAt' | 'driven' | 'children' | 'forks'>;

/** Reads what `streamSummary` wrote, also in earlier versions. */
export function readStreamSummary(summary: Json): Pick<RunSummary, KeptKeys> {
  const given = isJsonObject(summary) ? summary : {};
  const { parent, parentStep, forked, question, failure, steps, failed, elapsed, updatedAt, endedAt } = given;
  return {
    partial: given.partial === true,
    gates: Number(given.gates ?? 0),
    spent: shownFigures(numbersIn(given.spent)),
    limit: shownFigures(numbersIn(given.limit)),
    ...defined({
      parent: typeof parent === 'string' ? parent : undefined,
      parentStep: typeof parentStep === 'string' ? parentStep : undefined,
      forked: isJsonObject(forked) ? { from: String(forked.from), at: Number(forked.at) } : undefined,
      question: isJsonObject(question) ? (question as JsonObject & FirstQuestion) : undefined,
      failure: isJsonObject(failure) ? { code: String(failure.code), message: String(failure.message) } : undefined,
      steps: isJsonObject(steps) ? numbersIn(steps) : undefined,
      failed: typeof failed === 'number' ? failed : undefined,
      elapsed: typeof elapsed === 'number' ? secondsOf(elapsed) : undefined,
      updatedAt: typeof updatedAt === 'number' ? updatedAt : undefined,
      endedAt: typeof endedAt === 'number' ? endedAt : undefined,
    }),
  };
}

function numbersIn(numbers: Json | undefined): Readonly<Record<string, number>> {
  if (!isJsonObject(numbers)) return {};
  return Object.fromEntries(
    Object.entries(numbers).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}
