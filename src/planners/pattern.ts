// The planner that takes a goal at its words: deterministic, and humble enough to say when the words do not suffice.
import type { Json } from '../base/json.ts';
import type { CallOutcome } from '../engine/call/call.ts';
import type { Brief } from '../planning/brief.ts';
import { decompose } from '../planning/decompose/decompose.ts';
import { longestChain, planOf } from '../planning/decompose/plan.ts';
import type { Decomposition } from '../planning/decompose/task.ts';
import type { OpenQuestion } from '../planning/decompose/work.ts';
import type { PatternSettings } from '../template/pattern-settings.ts';
import type { Planner, Proposal, Question, Reply } from './planner.ts';

export function patternPlanner(settings: PatternSettings): Planner {
  return {
    *propose(brief) {
      const again = failedBefore(brief);
      if (again !== undefined) return impossible(again);
      const read = readGoal(brief, settings);
      if (read.abstained !== undefined) return impossible(`${read.abstained}; ${HELP}`);
      if (read.confidence < settings.askBelow) {
        const said = yield* ask({ question: isThisMeant(read), answer: { type: 'boolean' } });
        if (!said.ok) return said;
        if (said.value !== true) return impossible(`the goal was not meant as it was read; ${HELP}`);
      }
      return yield* plan(read, brief, settings);
    },
  };
}

const HELP =
  'say it as a list of orders, each by itself, or configure a model and let a planner of kind "hybrid" or "llm" read it';

function readGoal({ goal = '', capabilities }: Brief, { kinds, attachments }: PatternSettings): Decomposition {
  return decompose(goal, { kinds, attachments, capabilities: capabilities.map(({ name }) => name) });
}

/** Whether the goal's words suffice for a plan that nobody need be asked about, and that is more than the goal said again. */
export function suffices(brief: Brief, settings: PatternSettings): boolean {
  if (failedBefore(brief) !== undefined) return false;
  const { tasks, confidence } = readGoal(brief, settings);
  const [only] = tasks;
  if (confidence < settings.askBelow || only === undefined) return false;
  if (tasks.length === 1 && only.kind === 'processing' && only.names.length === 0) return false;
  return (
    tooLarge(tasks, brief, settings) === undefined &&
    planOf(tasks, { ...brief, settings, answers: new Map() }).kind === 'plan'
  );
}

/** The words are the same as before, and so would be the plan. */
function failedBefore({ feedback, repair }: Brief): string | undefined {
  if (repair !== undefined) return 'what failed is what the goal says, and its words give no other way';
  if (feedback === undefined) return undefined;
  const codes = [...new Set(feedback.map(({ code }) => code))].join(', ');
  return `the plan that the goal's words give was refused (${codes}), and they give no other: ${feedback[0]?.message ?? ''}`;
}

function* plan({ tasks, notes, confidence }: Decomposition, brief: Brief, settings: PatternSettings): Proposal {
  const large = tooLarge(tasks, brief, settings);
  if (large !== undefined) return impossible(large);
  const answers = new Map<string, Json>();
  for (;;) {
    const planned = planOf(tasks, { capabilities: brief.capabilities, settings, answers });
    if (planned.kind === 'none') return impossible(planned.why);
    if (planned.kind === 'plan') {
      const rationale = [`the goal's own words, in their order (confidence ${confidence})`, ...notes].join('; ');
      return { ok: true, fragment: { rationale, steps: planned.steps } };
    }
    for (const open of planned.questions) {
      const said = yield* ask(open);
      if (!said.ok) return said;
      answers.set(open.question, said.value);
    }
  }
}

function* ask({ question, answer }: OpenQuestion): Generator<Question, CallOutcome, CallOutcome> {
  return yield { kind: 'question', question, answer };
}

function isThisMeant({ tasks }: Decomposition): string {
  const lines = tasks.map(
    ({ description, kind }, index) => `${index + 1}. ${description} (${kind.replaceAll('_', ' ')})`,
  );
  return `Is this what is to be done?\n${lines.join('\n')}`;
}

function tooLarge(
  tasks: Decomposition['tasks'],
  { bounds }: Brief,
  { sequential }: PatternSettings,
): string | undefined {
  const { max_fragment_steps: most, max_fragment_depth: deepest } = bounds;
  if (tasks.length > most) {
    return `the goal has ${tasks.length} tasks, and a plan may have ${most} (max_fragment_steps); raise it, or give the goal in parts`;
  }
  const chain = longestChain(tasks, sequential);
  if (chain <= deepest) return undefined;
  return `${chain} tasks of the goal wait for each other, and in a plan ${deepest} may (max_fragment_depth); raise it, or give the goal in parts`;
}

function impossible(why: string): Reply {
  return { ok: true, fragment: { impossible: why } };
}
