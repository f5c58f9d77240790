// The pattern planner: decomposes a goal by its words alone, and abstains when they do not suffice.
import { planOf } from '../goals/plan/plan.ts';
import { decompose } from '../goals/split/decompose.ts';
import type { EmbeddingsProfile } from '../model/profile.ts';
import type { Brief } from '../planning/brief.ts';
import type { PatternSettings } from '../template/keys/pattern.ts';
import { compareOpenTasks } from './compare-tasks.ts';
import type { SearchMeans } from './missing/search-capability.ts';
import {
  type GoalDecomposition,
  HELP,
  impossible,
  type PlanningState,
  planTasks,
  taskContextOf,
  tooLarge,
  unlessMeant,
} from './plan-tasks.ts';
import type { Planner } from './planner.ts';

/** `isUnmanned` says that no agent can do work without a capability. */
export function patternPlanner(
  settings: PatternSettings,
  means?: SearchMeans,
  embeddings?: EmbeddingsProfile,
  isUnmanned = false,
): Planner {
  return {
    *propose(brief) {
      const again = failedBefore(brief);
      if (again !== undefined) return impossible(again);
      const decomposition = readGoal(brief, settings);
      if (decomposition.abstained !== undefined) return impossible(`${decomposition.abstained}; ${HELP}`);
      if (decomposition.confidence < settings.askBelow) {
        const other = yield* unlessMeant(decomposition);
        if (other !== undefined) return other;
      }
      const planning = { brief, settings, deepens: false, isUnmanned, means, embeddings };
      const compared = yield* compareOpenTasks({ decomposition, planning });
      return compared.ok ? yield* planTasks(compared.value) : compared;
    },
  };
}

export function readGoal(
  { goal = '', capabilities }: Brief,
  { kinds, attachments }: PatternSettings,
): GoalDecomposition {
  return { ...decompose(goal, { kinds, attachments, capabilities }), strategy: 'pattern' };
}

/** The reason to pass on a decomposition by words, before capabilities are matched. */
export function whyNotRead({ decomposition, planning: { brief, settings } }: PlanningState): string | undefined {
  const { tasks, confidence, abstained } = decomposition;
  const again = failedBefore(brief);
  if (again !== undefined) return again;
  const [only] = tasks;
  if (only === undefined) return abstained ?? 'the goal orders nothing';
  if (confidence < settings.askBelow) return `its confidence is ${confidence}, below ${settings.askBelow}`;
  return tooLarge(tasks, brief, settings);
}

/** The reason to pass on a plan by words: there is none, it repeats the goal, or it lacks values that a model may find. */
export function whyNotByWords({ decomposition: { tasks }, planning }: PlanningState): string | undefined {
  const planned = planOf(tasks, { ...taskContextOf(planning), answers: new Map() });
  if (planned.kind === 'none') return planned.why;
  const [only, another] = planned.steps;
  if (only?.agent !== undefined && another === undefined) {
    const choice = planning.choices?.get(tasks[0]?.description ?? '');
    const why = choice?.kind === 'none' && choice.why !== undefined ? `; ${choice.why}` : '';
    return `the goal is a single task${why}`;
  }
  const isForPerson = tasks.some(({ description }) => planning.choices?.get(description)?.kind === 'ask');
  if (planned.kind === 'plan') return planned.issues.find(({ severity }) => severity === 'error')?.message;
  return isForPerson ? undefined : `it must ask: ${planned.questions[0]?.question ?? ''}`;
}

/** The reason not to plan again: the same words would give the same plan. */
function failedBefore({ feedback, repair }: Brief): string | undefined {
  if (repair !== undefined) return "the plan of the goal's words failed, and they give no other";
  if (feedback === undefined) return undefined;
  const codes = [...new Set(feedback.map(({ code }) => code))].join(', ');
  return `the plan of the goal's words was refused (${codes}), and they give no other: ${feedback[0]?.message ?? ''}`;
}
