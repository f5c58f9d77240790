// Folds tasks that only filter, sort or page a result into the call before them.
import { defined, type JsonObject } from '../../base/json.ts';
import { builtInKinds } from '../../template/keys/pattern.ts';
import { foldRefinements, type PlannedCall } from '../arguments/fold-refinements.ts';
import type { CapabilityLine } from '../capability-lines.ts';
import type { Task } from '../split/task.ts';
import { isReading } from './is-reading.ts';
import { renameResults } from './rename-results.ts';

/** A task and its planned call; `call` is absent when there is none or it is not known yet. */
export interface DraftTask {
  readonly task: Task;
  readonly after: readonly number[];
  readonly call?: { readonly line: CapabilityLine; readonly input: JsonObject } | undefined;
}

export interface FoldedTasks {
  readonly tasks: readonly Task[];
  /** For each given task, the index of the task that it is now or that absorbed it. */
  readonly places: readonly number[];
  readonly notes: readonly string[];
}

export function foldTasks(drafts: readonly DraftTask[]): FoldedTasks {
  const { calls, folded } = foldRefinements(drafts.map(plannedOf));
  const now = new Map(calls.map(({ name }, index) => [name, index]));
  const into = new Map(folded.map((each) => [each.name, each.into]));
  const places = drafts.map((_, at) => now.get(into.get(nameOf(at)) ?? nameOf(at)) ?? 0);
  const stands = new Map(
    folded.flatMap((each) => {
      const [gone, left] = [drafts[Number(each.name)]?.task.name, drafts[Number(each.into)]?.task.name];
      return gone === undefined || left === undefined ? [] : [[gone, left] as const];
    }),
  );
  return {
    tasks: drafts.flatMap(({ task }, at) => {
      const name = nameOf(at);
      if (into.has(name)) return [];
      const taken = folded.filter((each) => each.into === name).map(({ input }) => input);
      const input = task.input === undefined ? [] : [renameResults(task.input, stands)];
      const given = Object.assign({}, ...input, ...taken) as JsonObject;
      const after = [...new Set(task.after.map((each) => places[each] ?? each))];
      return [{ ...task, after, ...(Object.keys(given).length === 0 ? {} : { input: given }) }];
    }),
    places,
    notes: folded.map(
      ({ name, into: call, input }) =>
        `"${drafts[Number(name)]?.task.description}" is asked of ${drafts[Number(call)]?.call?.line.name}: ${saidOf(input)}`,
    ),
  };
}

function nameOf(at: number): string {
  return String(at);
}

function saidOf(input: JsonObject): string {
  return Object.entries(input)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join(', ');
}

function plannedOf({ task, after, call }: DraftTask, at: number): PlannedCall {
  const contract = call !== undefined && isReading(call.line) ? call.line.input : undefined;
  return {
    name: nameOf(at),
    description: mayBeFolded(task) ? task.description : '',
    ...defined({ contract }),
    input: call?.input ?? {},
    dependencies: after.map(nameOf),
  };
}

/** A task that names a capability, has an input or output, or is of a special kind is never folded. */
function mayBeFolded({ kind, names, input, parameters }: Task): boolean {
  const isBasic = kind !== 'clarification' && builtInKinds.some((basic) => basic === kind);
  return isBasic && names.length === 0 && input === undefined && parameters.outputs === undefined;
}
