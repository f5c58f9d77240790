// The intents of a run: each planned goal, its parts, the performer of each part, and the goals below it.
import { defined } from '../../base/json.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import { stepOf } from '../../engine/state/state.ts';
import type { PerformerChoice } from '../../goals/intent.ts';
import { hanging, type Line, span } from '../line.ts';
import { localName, standingText } from '../status.ts';
import { goalText } from './goal-text.ts';
import { performerText } from './performer-text.ts';

export interface GoalNode {
  /** Id of the planning step. */
  readonly planner: string;
  readonly status: string;
  readonly goal?: string;
  /** The strategy that split the goal. */
  readonly strategy?: string;
  readonly rationale?: string;
  /** The intents; the steps of the plan if its planner named none. */
  readonly intents: readonly ServedIntent[];
}

interface ServedIntent {
  readonly says: string;
  /** The indexes of the intents that this one depends on. */
  readonly after: readonly number[];
  readonly chosen?: PerformerChoice;
  readonly steps: readonly { readonly step: string; readonly status: string }[];
  /** The goals planned for the intent, with their repairs. */
  readonly goals: readonly GoalNode[];
}

/** The outermost goals; the goals of repairs are separate entries. */
export function intentTree(state: RunView): readonly GoalNode[] {
  const planners = [...state.steps.values()].filter(({ spec }) => spec.type === 'planning');
  return planners.filter(({ provenance }) => provenance === undefined).map(({ id }) => goalOf(state, id));
}

function goalOf(state: RunView, planner: string): GoalNode {
  const step = stepOf(state, planner);
  const phase = state.phases.get(planner);
  const { goal = goalText(state, step), strategy } = phase?.intents ?? {};
  return {
    planner,
    status: standingText(state, step),
    ...defined({ goal, strategy, rationale: phase?.rationale }),
    intents: phase === undefined ? [] : servedIntents(state, phase),
  };
}

type Phase = RunView['phases'] extends ReadonlyMap<string, infer Value> ? Value : never;

function servedIntents(state: RunView, { steps, intents }: Phase): readonly ServedIntent[] {
  const said = intents?.intents ?? [];
  const own = steps.filter((id) => stepOf(state, id).provenance !== undefined);
  const served = (ids: readonly string[]): Pick<ServedIntent, 'steps' | 'goals'> => ({
    steps: ids.map((step) => ({ step, status: standingText(state, stepOf(state, step)) })),
    goals: ids.filter((id) => stepOf(state, id).spec.type === 'planning').map((id) => goalOf(state, id)),
  });
  if (said.length === 0) {
    return own.map((id) => ({ says: stepOf(state, id).spec.description ?? localName(id), after: [], ...served([id]) }));
  }
  return said.map(({ says, after, chosen, steps: names }) => ({
    says,
    after,
    ...defined({ chosen }),
    ...served(own.filter((id) => names.includes(localName(id)))),
  }));
}

export function intentTreeText(goals: readonly GoalNode[], indent = ''): readonly Line[] {
  return goals.flatMap(({ planner, status, goal, strategy, rationale, intents }): Line[] => [
    [
      span(`${indent}${planner}`, 'strong'),
      span(`  ${status}${goal === undefined ? '' : '  '}`),
      ...(goal === undefined ? [] : [hanging(goal)]),
    ],
    ...(rationale === undefined
      ? []
      : [[span(`${indent}  `), hanging(`${strategy === undefined ? '' : `${strategy}: `}${rationale}`, 'dim')]]),
    ...intents.flatMap((intent, index): readonly Line[] => [
      [
        span(`${indent}  ${index + 1}  `),
        hanging(intent.says),
        span(intent.after.length === 0 ? '' : `  after ${intent.after.map((at) => at + 1).join(', ')}`, 'dim'),
      ],
      ...(intent.chosen === undefined ? [] : [[span(`${indent}       ${performerText(intent.chosen)}`, 'dim')]]),
      ...intent.steps.map((each): Line => [span(`${indent}       ${each.step}  ${each.status}`, 'dim')]),
      ...intentTreeText(intent.goals, `${indent}       `),
    ]),
  ]);
}
