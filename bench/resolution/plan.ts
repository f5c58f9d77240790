// Plans a goal like a run without a model, and answers questions like a person who knows only the meant tool.
import { isJsonArray, type Json, ownProperty } from '../../src/base/json.ts';
import type { Declaration } from '../../src/contract/declaration.ts';
import { BY_NAME } from '../../src/goals/plan/task-work.ts';
import { patternPlanner } from '../../src/planners/pattern.ts';
import { advance } from '../../src/planners/planner.ts';
import type { Brief } from '../../src/planning/brief.ts';

export interface PlannedGoal {
  /** Empty without a plan. */
  readonly steps: readonly Json[];
  /** A person was asked to confirm the parts or to choose a capability. */
  readonly isAsked: boolean;
  /** The number of values that a person was asked for. */
  readonly values: number;
}

/** The answer to each question for a value. */
const UNSAID = 'what nobody has said';

const settings = { kinds: {}, sequential: false, askBelow: 0.6, attachments: [] };
/** Without a model, no agent does work. */
const planner = patternPlanner(settings, undefined, undefined, true);
const MOST_QUESTIONS = 12;

const brief: Brief = {
  planner: 'plan',
  attempt: 1,
  input: {},
  packet: {},
  capabilities: [],
  bounds: { max_fragment_steps: 20, max_fragment_depth: 10, max_fan_out: 20, max_planning_depth: 2 },
  budget: { steps: 20 },
  target: 'done',
  converge: false,
  constraints: [],
};

/** `meant` is the declared name of the tool that the person chooses; without it, the first choice ends the planning. */
export function planGoal(goal: string, capabilities: readonly Declaration[], meant?: string): PlannedGoal {
  const clarifications: { question: string; answer: Json }[] = [];
  let isAsked = false;
  let values = 0;
  for (let rounds = 0; rounds < MOST_QUESTIONS; rounds++) {
    const progress = advance(planner, { ...brief, goal, capabilities, clarifications }, []);
    const fragment = progress.done && progress.end.ok ? progress.end.value.fragment : undefined;
    const open = ownProperty(fragment, 'needs_clarification');
    if (open === undefined) {
      const steps = ownProperty(fragment, 'steps');
      return { steps: isJsonArray(steps) ? steps : [], isAsked, values };
    }
    const question = String(ownProperty(open, 'question'));
    const choice = choiceIn(question, ownProperty(open, 'answer'), meant);
    if (choice === undefined) values++;
    else isAsked = true;
    if (choice !== undefined && meant === undefined) return { steps: [], isAsked, values };
    clarifications.push({ question, answer: choice ?? UNSAID });
  }
  return { steps: [], isAsked, values };
}

/** Undefined: the question is for a value. */
function choiceIn(question: string, contract: Json | undefined, meant: string | undefined): Json | undefined {
  if (question.startsWith('Is this')) return true;
  const choices = ownProperty(contract, 'enum');
  if (!isJsonArray(choices) || !question.startsWith('Which')) return undefined;
  if (meant === undefined) return choices[0];
  if (choices.includes(meant)) return meant;
  return choices.includes(BY_NAME) ? BY_NAME : undefined;
}
