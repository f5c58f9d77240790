// Judges the verdict of the product's matcher on each goal: accepted, asked or none, and right or wrong.
import { ownProperty } from '../../src/base/json.ts';
import { type Match, matchIn, type Similarities } from '../../src/goals/match/match.ts';
import { toolIndex } from '../../src/goals/match/tool-search.ts';
import { type Goal, isUnserved, ownName, type ServerGoals } from './data.ts';
import { planGoal } from './plan.ts';

export interface Judged {
  readonly server: string;
  readonly goal: Goal;
  readonly match: Match;
  /** Tools by their servers' names. */
  readonly accepted: string | undefined;
  /** A tool that serves the goal is accepted. */
  readonly isRight: boolean;
  /** A destructive tool is accepted and does not serve the goal. */
  readonly isHarm: boolean;
  /** The rank of the first tool that serves the goal, from 1; infinite without one. */
  readonly rank: number;
  /** A tool that serves the goal is among the choices of the person. */
  readonly isOffered: boolean;
  /** Every tool that serves the goal is vetoed. */
  readonly isVetoed: boolean;
}

/** The number of choices of a person. */
const OFFERED = 5;

/** Cosines of each goal with each tool, by names as declared. */
export type AlikeOf = (goal: string) => Similarities | undefined;

export function judge(
  { server, declarations, destroys, goals }: ServerGoals,
  alikeOf: AlikeOf = () => undefined,
): readonly Judged[] {
  const index = toolIndex(declarations);
  const own = new Map(declarations.map((each) => [each.name, ownName(each)]));
  const nameOf = (name: string): string => own.get(name) ?? name;
  return goals.map((goal) => {
    const match = matchIn(index, goal.text, { alike: alikeOf(goal.text) });
    const serves = ({ name }: { readonly name: string }): boolean => goal.tools.includes(nameOf(name));
    const accepted = match.certain === undefined ? undefined : nameOf(match.certain.name);
    const isRight = accepted !== undefined && goal.tools.includes(accepted);
    const at = match.candidates.findIndex(serves);
    const offered = match.candidates.filter(({ veto }) => veto === undefined).slice(0, OFFERED);
    const fitting = match.candidates.filter(serves);
    return {
      server,
      goal,
      match,
      accepted,
      isRight,
      isHarm: accepted !== undefined && !isRight && destroys.has(accepted),
      rank: at < 0 ? Number.POSITIVE_INFINITY : at + 1,
      isOffered: match.verdict === 'open' && offered.some(serves),
      isVetoed: fitting.length > 0 && fitting.every(({ veto }) => veto !== undefined),
    };
  });
}

/** The outcome of a goal in a run without a model, before people are asked anything but values. */
export type Outcome = 'called rightly' | 'called wrongly' | 'left to an agent' | 'asked' | 'no plan';

export function outcomesOf({ declarations, goals }: ServerGoals): readonly (readonly [Goal, Outcome])[] {
  const own = new Map(declarations.map((each) => [each.name, ownName(each)]));
  return goals.map((goal) => {
    const { steps, isAsked } = planGoal(goal.text, declarations);
    const called = steps.map(
      (step) => ownProperty(step, 'capability') ?? ownProperty(ownProperty(step, 'step'), 'capability'),
    );
    if (isAsked) return [goal, 'asked'];
    if (steps.length === 0) return [goal, 'no plan'];
    if (called.some((name) => name === undefined)) return [goal, 'left to an agent'];
    const isRight = called.every((name) => typeof name === 'string' && goal.tools.includes(own.get(name) ?? name));
    return [goal, isRight ? 'called rightly' : 'called wrongly'];
  });
}

export interface Tally {
  readonly goals: number;
  readonly served: number;
  readonly recall: Readonly<Record<1 | 5 | 8 | 12, number>>;
  readonly right: number;
  /** Counted over all goals, including those that no tool serves. */
  readonly wrong: number;
  readonly harm: number;
  readonly offered: number;
  readonly absent: number;
  /** The verdict "none" although a tool serves the goal. */
  readonly none: number;
  readonly vetoed: number;
  readonly unserved: number;
  readonly unservedAccepted: number;
}

/** Ambiguous goals count as served: each of their allowed tools is right. */
export function tallyOf(judged: readonly Judged[]): Tally {
  const served = judged.filter(({ goal }) => !isUnserved(goal.kind));
  const unserved = judged.filter(({ goal }) => isUnserved(goal.kind));
  const count = (among: readonly Judged[], is: (each: Judged) => boolean): number => among.filter(is).length;
  const within = (most: number): number => count(served, ({ rank }) => rank <= most);
  const isAsked = ({ match }: Judged): boolean => match.verdict === 'open';
  return {
    goals: judged.length,
    served: served.length,
    recall: { 1: within(1), 5: within(5), 8: within(8), 12: within(12) },
    right: count(served, ({ isRight }) => isRight),
    wrong: count(judged, ({ accepted, isRight }) => accepted !== undefined && !isRight),
    harm: count(judged, ({ isHarm }) => isHarm),
    offered: count(served, ({ isOffered }) => isOffered),
    absent: count(served, (each) => isAsked(each) && !each.isOffered),
    none: count(served, ({ match }) => match.verdict === 'none'),
    vetoed: count(served, ({ isVetoed }) => isVetoed),
    unserved: unserved.length,
    unservedAccepted: count(unserved, ({ accepted }) => accepted !== undefined),
  };
}
