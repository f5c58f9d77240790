// Finding: no step mentions something from the goal.
import { issue } from '../../base/issue.ts';
import { isJsonObject, type Json } from '../../base/json.ts';
import { stemOf, type Term, wordsOfName } from '../../goals/match/terms.ts';
import { isDestroyingVerb, isKnownVerb } from '../../goals/match/verbs.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Check } from '../checks/check.ts';
import type { Frame } from '../frame.ts';
import { goalText, ordersOf } from './goal-words.ts';

/** Skips plans with nested planning, which may cover the rest later, and rule planners, which do not read the goal. */
export const goalCoverage: Check = ({ fragment: { steps }, frame }) => {
  if (steps.length === 0 || steps.some(({ type }) => type === 'planning') || frame.kind === 'lisp') return [];
  const goal = goalText(frame);
  if (goal === '') return [];
  const said = steps.map((step) => wordsOf(step, frame)).join(' ');
  const text = said.toLowerCase();
  const stems = new Set(wordsOfName(said).map(stemOf));
  const missed = [
    ...literalsIn(goal).filter((literal) => !text.includes(literal.toLowerCase())),
    ...namesIn(goal).filter((name) => !text.includes(name.toLowerCase())),
    ...aboutOf(frame)
      .filter(({ stem }) => !stems.has(stem))
      .map(({ word }) => word),
  ];
  if (missed.length === 0) return [];
  const named = [...new Set(missed)].map((each) => `"${each}"`).join(', ');
  return [
    issue('CRITIC_GOAL_UNCOVERED', `the goal speaks of ${named}, and no step does`, {
      severity: 'warning',
      path: ['steps'],
      hint: 'plan a step for it, or say in a step that does it what it is about',
    }),
  ];
};

const QUOTED = /"([^"]+)"|`([^`]+)`|“([^”]+)”|(?<!\p{L})'([^']+)'(?!\p{L})/gu;
const ADDRESS =
  /https?:\/\/[^\s"'<>)]*[^\s"'<>).,;:!?]|[\w-]+\.(?:csv|tsv|jsonl?|pdf|md|txt|ya?ml|xml|log|html?|xlsx?)\b/giu;

/** Quotes, links and file names. */
function literalsIn(goal: string): readonly string[] {
  const quoted = [...goal.matchAll(QUOTED)].flatMap((match) => match.slice(1).find((each) => each !== undefined) ?? []);
  return [...quoted, ...(goal.replace(QUOTED, ' ').match(ADDRESS) ?? [])];
}

/** Capitalized words inside sentences. */
function namesIn(goal: string): readonly string[] {
  const plain = goal.replace(QUOTED, ' ').replace(ADDRESS, ' ');
  return [...plain.matchAll(/(?<=[\p{L}\p{N},;)] )\p{Lu}[\p{L}\p{N}]+/gu)].map(([name]) => name);
}

/** The objects of the goal's orders that begin with a known verb. */
function aboutOf(frame: Frame): readonly Term[] {
  return ordersOf(frame).flatMap(({ verb, acted, destroys }) => {
    const head = acted.at(-1);
    if (verb === undefined || head === undefined || !isKnownVerb(verb.stem)) return [];
    // In `get rid of the orders`, the first noun after the verb belongs to the phrase.
    return destroys && !isDestroyingVerb(verb.stem) ? [] : [head];
  });
}

/** All texts of a step, and the description of its capability. */
function wordsOf(step: StepSpec, frame: Frame): string {
  const { name, description = '', capability, agent, input = null, planning, gate, fanOut, expr, output } = step;
  const called =
    capability !== undefined && Object.hasOwn(frame.declarations, capability)
      ? frame.declarations[capability]
      : undefined;
  return [
    name,
    description,
    capability ?? '',
    called?.description ?? '',
    agent?.name ?? '',
    agent?.own?.prompt ?? '',
    ...(agent?.own?.tools ?? []),
    planning?.goal ?? '',
    gate?.prompt ?? '',
    expr?.$lisp ?? '',
    ...textsIn(input),
    ...textsIn(output ?? null),
    ...(fanOut === undefined ? [] : [...textsIn(fanOut.forEach), wordsOf(fanOut.do, frame)]),
  ].join(' ');
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap((each: Json) => textsIn(each));
  return isJsonObject(value) ? Object.entries(value).flatMap(([key, each]) => [key, ...textsIn(each)]) : [];
}
