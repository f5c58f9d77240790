// The data that a step can read: results of its dependencies, and the state of the run.
import type { Json, JsonObject } from '../../base/json.ts';
import { limitable, nothing, quantity } from '../../budget/amount.ts';
import { secondsOf, shownFigure, shownFigures } from '../../budget/display-figures.ts';
import { predecessors } from '../../graph/plan-graph.ts';
import type { StoredValue } from '../record/event-parts.schema.ts';
import { type LoadedValues, valueIn } from '../record/stored-value.ts';
import type { ReadableRun, RunView } from '../state/run-view.ts';
import { elapsedOf, RUN_ACCOUNT, type Step, stepOf } from '../state/state.ts';

/** The result of a step, by its name as the user knows it or by its full id; null for a skipped step. */
export function resultNamed({ state, values }: ReadableRun, user: Step | undefined, name: string): Json | undefined {
  const step = state.steps.get(user?.refs?.[name] ?? name);
  return step === undefined ? undefined : resultOf(step, values);
}

function resultOf(step: Step, values: LoadedValues): Json | undefined {
  if (step.result !== undefined) return valueIn(step.result, values);
  return step.status === 'skipped' ? null : undefined;
}

/** The results that a step's dependencies and references name; for the run's output, those of every authored step. */
export function resultsOf(run: ReadableRun, user: Step | undefined): JsonObject {
  const names = user === undefined ? run.state.template.steps.map(({ name }) => name) : namesSeenBy(run.state, user);
  return collect(names, (name) => resultNamed(run, user, name));
}

function namesSeenBy(state: RunView, user: Step): string[] {
  return [...new Set([...inputsOf(state, user), ...Object.keys(user.refs ?? {})])];
}

/** The predecessors of a step, without the items of a fan-out. */
function inputsOf(state: RunView, { id }: Step): string[] {
  return predecessors(state.graph, id).filter((above) => state.steps.get(above)?.item?.of !== id);
}

/** The step whose data is visible: for an item, its fan-out. */
export function dataOwnerOf(state: RunView, step: Step): Step {
  return step.item === undefined ? step : stepOf(state, step.item.of);
}

/** The results of a step's dependencies, by name; for a convergence step, of every feeder with a result, by full id. */
export function dependsOf(run: ReadableRun, step: Step): JsonObject {
  const { state, values } = run;
  const user = dataOwnerOf(state, step);
  if (!user.converges) return collect(user.spec.dependencies, (name) => resultNamed(run, user, name));
  const feeders = inputsOf(state, user).filter((id) => state.steps.get(id)?.spec.type !== 'planning');
  return collect(feeders, (id) => {
    const feeder = state.steps.get(id);
    // An adopted result is shown at the step that adopted it.
    return feeder?.result === undefined || feeder.takenUp !== undefined ? undefined : valueIn(feeder.result, values);
  });
}

/** The dependencies of a step, by the same names. */
export function dependenciesOf(state: RunView, user: Step): readonly (readonly [name: string, step: Step])[] {
  const names = user.converges ? inputsOf(state, user) : user.spec.dependencies;
  return names.map((name) => [name, stepOf(state, user.refs?.[name] ?? name)]);
}

function collect(names: readonly string[], find: (name: string) => Json | undefined): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = find(name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** All stored values that the step can read. */
export function keptFor(state: RunView, user: Step): StoredValue[] {
  const ids = new Set([...inputsOf(state, user), ...Object.values(user.refs ?? {})]);
  const results = [...ids].flatMap((id) => state.steps.get(id)?.result ?? []);
  return user.item === undefined ? results : [...results, user.item.value];
}

/** `data/run` and `{{ run.… }}`: the amounts when the step begins, money in dollars and time in seconds. */
export function runRecord(state: RunView): JsonObject {
  const account = state.ledger.accounts.get(RUN_ACCOUNT);
  const { budget, name } = state.template;
  return {
    id: state.id,
    template: name,
    folder: state.folder,
    started_at: new Date(state.startedAt).toISOString(),
    elapsed: secondsOf(elapsedOf(state)),
    spent: Object.fromEntries(limitable.map((of) => [of, shownFigure(of, quantity(account?.spent ?? nothing, of))])),
    budget: shownFigures({ ...(account?.limit ?? budget.limit), time: account?.clock?.limit ?? budget.wallClock }),
  };
}
