// Chooses the work pattern that a goal's words ask for, with a goal for each phase.
import type { WorkPattern } from '../../template/keys/pattern.ts';
import { mask, unmask } from '../match/mask.ts';
import { clausesOfGoal } from './clauses.ts';
import { orderIn } from './is-order.ts';

export interface PatternChoice {
  readonly pattern: WorkPattern;
  readonly why: string;
  /** A goal for each phase. */
  readonly phases: readonly string[];
}

/** The names of each pattern's phases. */
export const phaseNames: Readonly<Record<WorkPattern, readonly [string, string, ...string[]]>> = {
  recon_execute: ['recon', 'execute'],
  iterative_refinement: ['draft', 'refine'],
  map_analyze_reduce: ['map', 'analyze', 'reduce'],
  progressive_disclosure: ['overview', 'details'],
};

interface Rule {
  readonly pattern: WorkPattern;
  readonly first: RegExp;
  readonly later: RegExp;
}

/** `first` must match the first clause, and `later` a clause after it; every phase has at least one clause. */
const rules: readonly Rule[] = [
  {
    pattern: 'recon_execute',
    first:
      /^(?:explore|inspect|investigate|survey|discover|scan|research|examine|study|find out|figure out|look (?:at|into|around))(?![\p{L}])/iu,
    later:
      /(?<![\p{L}])(?:accordingly|what (?:you|was|is|has been) (?:find|found|learned|seen|there)|based on (?:that|this|it|the findings)|what fits|the findings)(?![\p{L}])/iu,
  },
  {
    pattern: 'iterative_refinement',
    first: /^(?:draft|write|compose|create|make|sketch|design|prepare)(?![\p{L}])/iu,
    later: /^(?:refine|revise|improve|polish|rework|iterate)(?![\p{L}])/iu,
  },
  {
    pattern: 'map_analyze_reduce',
    first: /(?<![\p{L}])(?:each|every)(?![\p{L}])/iu,
    later: /^(?:summari[sz]e|combine|compare|aggregate|merge|consolidate|rank|reduce|sum up)(?![\p{L}])/iu,
  },
  {
    pattern: 'progressive_disclosure',
    first: /(?<![\p{L}])(?:overview|outline|skim|at a glance)(?![\p{L}])/iu,
    later: /(?<![\p{L}])(?:details?|deeper|in depth|drill|zoom|look closer)(?![\p{L}])/iu,
  },
];

/** Undefined when the words ask for no pattern, or for several. */
export function patternByWords(goal: string): PatternChoice | undefined {
  const { text, spans } = mask(goal);
  const clauses = clausesOfGoal(text).map((clause) => orderIn(clause.text));
  const [first = '', ...others] = clauses;
  const found = rules.filter(
    ({ pattern, first: begins, later }) =>
      clauses.length >= phaseNames[pattern].length && begins.test(first) && others.some((each) => later.test(each)),
  );
  const [only, another] = found;
  if (only === undefined || another !== undefined) return undefined;
  const said = clauses.map((each) => unmask(each, spans));
  return {
    pattern: only.pattern,
    why: 'the words of the goal ask for it',
    phases: phasesOf(said, phaseNames[only.pattern].length),
  };
}

/** Splits clauses over phases: one each, and the rest to the last phase, or to the middle one of three. */
function phasesOf(clauses: readonly string[], count: number): readonly string[] {
  const [first = '', ...others] = clauses;
  if (count === 2) return [first, others.join(', then ')];
  return [first, others.slice(0, -1).join(', then '), others.at(-1) ?? ''];
}
