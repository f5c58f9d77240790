// Learning: keeps the lessons of ended runs in the store, and gives them to later runs when they start.
import { decode } from '../../engine/codec/event-codec.ts';
import type { RunState } from '../../engine/state/state.ts';
import { type Experience, type Lesson, learnedFrom } from '../../goals/experience.ts';
import type { Journal } from '../../store/journal.ts';
import type { PlannerSpec } from '../../template/step-spec.ts';
import type { Template } from '../../template/template.ts';
import { lessonOf } from '../../view/lessons.ts';
import type { Tape } from '../ports/tape.ts';

export interface Learning {
  /** Newest first. */
  lessons(): readonly Lesson[];
  /** The lessons for a run of this template; undefined when none of its planners could use them. */
  learnedFor(template: Template, tape: Tape): Experience | undefined;
  teach(state: RunState, tape: Tape): void;
}

/** Longer runs teach nothing, because reading them again would take too long. */
const MOST_EVENTS = 20_000;

export function learningFrom(journal: Journal, isOn: boolean): Learning {
  /** A run that is recorded or replayed must not depend on earlier runs. */
  const isWanted = ({ learning }: Template, { player, keep }: Tape): boolean =>
    isOn && learning !== false && player === undefined && keep === undefined;
  // `teach` has written these texts.
  const lessons = () => journal.outcomes().map((text) => JSON.parse(text) as Lesson);
  return {
    lessons,
    learnedFor(template, tape) {
      const { steps, capabilities, contextTags } = template;
      if (!isWanted(template, tape) || !steps.some(({ planning }) => learns(planning?.planner))) return undefined;
      return learnedFrom(lessons(), capabilities, contextTags);
    },
    teach(state, tape) {
      if (!isWanted(state.template, tape)) return;
      if (state.status !== 'ended' || state.phases.size === 0 || state.version > MOST_EVENTS) return;
      const lesson = lessonOf(state, journal.read(state.id).map(decode), (digest) => journal.blob(digest));
      if (lesson !== undefined && lesson.outcomes.length > 0) journal.keepOutcomes(state.id, JSON.stringify(lesson));
    },
  };
}

function learns(planner: PlannerSpec | undefined): boolean {
  return planner !== undefined && planner.kind !== 'lisp' && planner.kind !== 'fixed';
}
