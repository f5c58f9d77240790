// The lessons of an ended run: the outcomes of each capability, agent and strategy.
import { defined } from '../base/json.ts';
import type { Recorded } from '../engine/record/event.schema.ts';
import type { StoredValue } from '../engine/record/event-parts.schema.ts';
import type { RunView } from '../engine/state/run-view.ts';
import { type Step, stepOf } from '../engine/state/state.ts';
import { wasCutOff } from '../engine/state/step-tally.ts';
import { contractDigest, type ExperienceRecord, type Lesson, sumOf, type Tally } from '../goals/experience.ts';
import { type Intents, readIntents } from '../goals/intent.ts';
import { shapeOfGoal, shapeOfIntent } from '../goals/split/shape.ts';
import { historyOf, type StepHistory } from './history.ts';
import { intentOf } from './step-intent.ts';
import { storedValue } from './stored-value.ts';

type OutcomeKey = Omit<ExperienceRecord, keyof Tally>;

/** Undefined if the run planned nothing. `blob`: reads the JSON that the run keeps under a digest. */
export function lessonOf(
  state: RunView,
  events: readonly Recorded[],
  blob: (digest: string) => string | undefined,
): Lesson | undefined {
  if (state.phases.size === 0) return undefined;
  const history = historyOf(events);
  const sums = new Map<string, ExperienceRecord>();
  const add = (outcome: OutcomeKey, tally: Tally): void => {
    const key = JSON.stringify([outcome.of, outcome.name, outcome.shape]);
    sums.set(key, { ...outcome, ...sumOf(sums.get(key), tally) });
  };
  for (const step of state.steps.values()) {
    const key = outcomeKeyOf(state, step);
    const tally = key && tallyOf(step, history.get(step.id));
    if (key !== undefined && tally !== undefined) add(key, tally);
  }
  for (const [strategy, shape] of refusedIn(events, blob)) {
    add({ of: 'strategy', name: strategy, shape }, { ...NO_TALLY, tries: 1, attempts: 1, invalid: 1 });
  }
  for (const [planner, { intents, steps }] of state.phases) {
    if (intents === undefined) continue;
    const { strategy, shape } = intents;
    const went = [planner, ...steps].every((id) => wentWell(stepOf(state, id)));
    const past = history.get(planner);
    const succeeded = went ? 1 : 0;
    add({ of: 'strategy', name: strategy, shape }, { ...NO_TALLY, ...spentOf(past), tries: 1, succeeded, attempts: 1 });
  }
  return { tags: state.template.contextTags, outcomes: [...sums.values()] };
}

const NO_TALLY: Tally = { tries: 0, succeeded: 0, attempts: 0, invalid: 0, ms: 0, micro_dollars: 0, codes: {} };

function outcomeKeyOf(state: RunView, step: Step): OutcomeKey | undefined {
  const { capability, agent } = step.spec;
  const shape = intentOf(state, step)?.shape ?? shapeOfIntent(step.spec.description ?? '');
  if (capability !== undefined) {
    const { capabilities } = state.template;
    const declared = Object.hasOwn(capabilities, capability) ? capabilities[capability] : undefined;
    const contract = declared && contractDigest(declared);
    return { of: 'capability', name: capability, shape, ...defined({ contract }) };
  }
  return agent === undefined ? undefined : { of: 'agent', name: agent.name, shape };
}

/** The tally of a step; undefined if it was not tried, or was cut off. */
function tallyOf(step: Step, past: StepHistory | undefined): Tally | undefined {
  const { status, failure } = step;
  if (past === undefined || past.attempts.length === 0 || wasCutOff(step)) return undefined;
  const succeeded = status === 'completed';
  if (!succeeded && failure === undefined) return undefined;
  const code = succeeded ? undefined : failure?.code;
  return {
    ...NO_TALLY,
    ...spentOf(past),
    tries: 1,
    succeeded: succeeded ? 1 : 0,
    attempts: Math.max(...past.attempts.map(({ attempt }) => attempt)),
    codes: code === undefined ? NO_TALLY.codes : { [code]: 1 },
  };
}

function spentOf(past: StepHistory | undefined): Pick<Tally, 'ms' | 'micro_dollars'> {
  const attempts = past?.attempts ?? [];
  const from = attempts[0]?.startedAt ?? 0;
  const to = attempts.at(-1)?.endedAt ?? from;
  const cost = attempts.reduce((sum, { bill }) => sum + (bill?.cost_usd ?? 0), 0);
  return { ms: to - from, micro_dollars: cost };
}

function wentWell({ status, failure, takenUp }: Step): boolean {
  return failure === undefined && takenUp === undefined && status !== 'failed' && status !== 'superseded';
}

/** The strategy and the goal's shape of each refused plan. */
function refusedIn(
  events: readonly Recorded[],
  blob: (digest: string) => string | undefined,
): readonly (readonly [strategy: string, shape: string])[] {
  const proposed = new Map<string, StoredValue>();
  return events.flatMap(({ event }) => {
    if (event.type === 'plan.proposed') proposed.set(event.step, event.reply);
    const reply = event.type === 'fragment.rejected' ? proposed.get(event.step) : undefined;
    const intents = reply && intentsIn(reply, blob);
    return intents === undefined ? [] : [[intents.strategy, intents.shape || shapeOfGoal(intents.goal)] as const];
  });
}

function intentsIn(reply: StoredValue, blob: (digest: string) => string | undefined): Intents | undefined {
  const value = storedValue(reply, blob);
  return value !== null && typeof value === 'object' && 'intents' in value ? readIntents(value.intents) : undefined;
}
