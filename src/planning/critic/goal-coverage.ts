// Finding: something the goal speaks of that no step mentions.
import { issue } from '../../base/issue.ts';
import { isJsonObject, type Json } from '../../base/json.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Frame } from '../frame.ts';
import { likeness } from '../resolve/likeness.ts';
import { partsOf, singular } from '../resolve/words.ts';
import type { Check } from '../verdict.ts';
import { goalOf, goalText } from './goal-words.ts';

const ALIKE = 0.8;

/** Of a plan that plans further it cannot be said yet, and a rule does not read its goal. */
export const goalCoverage: Check = ({ fragment: { steps }, frame }) => {
  if (steps.length === 0 || steps.some(({ type }) => type === 'planning') || frame.kind === 'lisp') return [];
  const goal = goalText(frame);
  if (goal === '') return [];
  const said = steps.map((step) => wordsOf(step, frame)).join(' ');
  const text = said.toLowerCase();
  const words = new Set(partsOf(said).map(singular));
  const isMentioned = (word: string): boolean => [...words].some((each) => likeness(word, each) >= ALIKE);
  const missed = [
    ...literalsIn(goal).filter((literal) => !text.includes(literal.toLowerCase())),
    ...namesIn(goal).filter((name) => !text.includes(name.toLowerCase())),
    ...aboutOf(frame).filter((word) => !isMentioned(word)),
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

/** What is quoted, linked to or a file. */
function literalsIn(goal: string): readonly string[] {
  const quoted = [...goal.matchAll(QUOTED)].flatMap((match) => match.slice(1).find((each) => each !== undefined) ?? []);
  return [...quoted, ...(goal.replace(QUOTED, ' ').match(ADDRESS) ?? [])];
}

/** Words with a capital that do not begin a sentence. */
function namesIn(goal: string): readonly string[] {
  const plain = goal.replace(QUOTED, ' ').replace(ADDRESS, ' ');
  return [...plain.matchAll(/(?<=[\p{L}\p{N},;)] )\p{Lu}[\p{L}\p{N}]+/gu)].map(([name]) => name);
}

/** What its clauses are about; where nothing is ordered, nothing need be done. */
function aboutOf(frame: Frame): readonly string[] {
  const clauses = goalOf(frame)?.clauses ?? [];
  return clauses.flatMap(({ head, strange, verbs: [verb] }) => {
    const isOrdered = !strange && verb !== undefined && goalText(frame).toLowerCase().includes(verb.word.slice(0, 3));
    return isOrdered && head !== undefined && head.implied !== true ? [head.word] : [];
  });
}

/** All that a step says, and what it calls says of itself. */
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
